import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { requireCaller } from '../lib/auth.ts';
import { backendSettings, importRole } from '../lib/env.ts';
import { json, parseBody, serve } from '../lib/http.ts';
import { mayImport, recentImports, unfinishedImport } from '../lib/imports.ts';
import { FILE_DIGEST } from '../lib/import-request.ts';

const QUERY = v.object({ file: FILE_DIGEST });

/**
 * `GET` with a bearer token; answers with whether the caller may import, and if so with the last imports. With
 * `?file=<digest>` the answer has the caller's unfinished import of that file instead.
 */
export default serve('GET', async (request) => {
  const settings = backendSettings();
  const caller = await requireCaller(request, settings);
  const requiredRole = importRole();
  const isAllowed = mayImport(caller, requiredRole);
  const query = { file: new URL(request.url).searchParams.get('file') };
  const { file: fileDigest } = parseBody(QUERY, query);
  if (isAllowed && fileDigest !== null) {
    const unfinished = await unfinishedImport(settings, caller, fileDigest);
    return json({ required_role: requiredRole, may_import: isAllowed, unfinished });
  }
  const [last = null, ...earlier] = isAllowed ? await recentImports(settings, caller) : [];
  return json({
    required_role: requiredRole,
    may_import: isAllowed,
    last,
    earlier,
  });
});

export const config: Config = {
  path: '/.netlify/functions/imports',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
