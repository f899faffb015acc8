/**
 * Runs by the clock. Nothing in the request counts and nothing is told but counts, and a provider
 * is asked about a payment at most once a minute, so anybody may call it.
 */
import type { Config } from '@netlify/functions';
import { json, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';
import { reconcile } from '../lib/reconcile.ts';

export default serve('POST', async () => {
  const done = await reconcile(netlifyPorts());
  return json(done, done.neglected > 0 ? 503 : 200);
});

export const config: Config = { schedule: '*/5 * * * *' };
