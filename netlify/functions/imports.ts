import type { Config } from '@netlify/functions';
import { requireCaller } from '../lib/auth.ts';
import { backendSettings, importRole } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { listMatches, mayImport, recentImports } from '../lib/imports.ts';

/**
 * `GET` with a bearer token; answers with whether the caller may import. If so, the answer also has the last
 * imports, and what is remembered about the headings of files.
 */
export default serve('GET', async (request) => {
  const settings = backendSettings();
  const caller = await requireCaller(request, settings);
  const requiredRole = importRole();
  const isAllowed = mayImport(caller, requiredRole);
  const [newestFirst, matches] = isAllowed
    ? await Promise.all([recentImports(settings, caller), listMatches(settings, caller)])
    : [[], []];
  const [last = null, ...earlier] = newestFirst;
  return json({
    required_role: requiredRole,
    may_import: isAllowed,
    last,
    earlier,
    matches,
  });
});

export const config: Config = {
  path: '/.netlify/functions/imports',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
