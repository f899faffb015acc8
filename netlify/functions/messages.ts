/** Netlify runs this function on a schedule. It ignores the request, so a stranger's call gains nothing. */
import type { Config } from '@netlify/functions';
import { operatorWebhook } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { logSender, sendMessages, webhookSender } from '../lib/messages.ts';
import { netlifyPorts } from '../lib/ports.ts';

export default serve('POST', async () => {
  const url = operatorWebhook();
  const ports = netlifyPorts();
  await sendMessages(ports, url ? webhookSender(url) : logSender(ports));
  return json({ done: true });
});

export const config: Config = { schedule: '*/5 * * * *' };
