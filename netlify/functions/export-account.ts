/** `GET` with a bearer token; answers with all that the shop has about the caller, as JSON. */
import type { Config } from '@netlify/functions';
import { requireCaller } from '../lib/auth.ts';
import { backendSettings } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { exportAccount } from '../lib/account.ts';

export default serve('GET', async (request) => {
  const settings = backendSettings();
  return json(await exportAccount(settings, await requireCaller(request, settings)));
});

export const config: Config = {
  path: '/.netlify/functions/export-account',
  rateLimit: { windowLimit: 20, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
