import type { Config } from '@netlify/functions';
import { requireCaller } from '../lib/auth.ts';
import { backendSettings, importRole } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { lastImport, mayImport } from '../lib/imports.ts';

/** Answers whether the caller may import and, if so, which import was the last. */
export default serve('GET', async (request) => {
  const settings = backendSettings();
  const caller = await requireCaller(request, settings);
  const requiredRole = importRole();
  const isAllowed = mayImport(caller, requiredRole);
  return json({
    required_role: requiredRole,
    may_import: isAllowed,
    last: isAllowed ? await lastImport(settings, caller) : null,
  });
});

export const config: Config = {
  path: '/.netlify/functions/imports',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
