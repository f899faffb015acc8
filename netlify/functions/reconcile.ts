/**
 * Asks the providers about payments, refunds and disputes of which no webhook came, and closes what is overdue
 * (lib/reconcile.ts).
 *
 * Netlify runs this function on a schedule, and lets no client call a scheduled function by its address (its
 * manual, "Scheduled Functions", limitations). On another host, such as the embedded one, a stranger gains
 * nothing: the function ignores the request, answers with a count only, and asks a provider about a payment at
 * most once a minute.
 */
import type { Config } from '@netlify/functions';
import { json, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { reconcile } from '../lib/reconcile.ts';

/** Netlify ends a scheduled function after 30 seconds. A later run asks again about what got no answer. */
const SHORT_TIMEOUT = { timeoutMs: 5000, retries: 0 };

export default serve('POST', async () => {
  const neglected = await reconcile(netlifyPorts(SHORT_TIMEOUT));
  // 503, so that a run that left a step undone stands out in the log by its status.
  return json({ neglected }, neglected > 0 ? 503 : 200);
});

export const config: Config = { schedule: '*/5 * * * *' };
