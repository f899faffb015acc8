/** Takes PayPal's messages: captures, refunds, disputes. `.env.example` lists the events to subscribe to. */
import type { Config } from '@netlify/functions';
import { paypalWebhookId } from '../lib/env.ts';
import { json, readBodyText, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { takePayPalWebhook } from '../lib/webhooks.ts';

export default serve('POST', async (request) => {
  const webhookId = paypalWebhookId();
  const body = await readBodyText(request);
  await takePayPalWebhook(netlifyPorts(), request.headers, body, webhookId);
  return json({ received: true });
});

// The limit is above what PayPal sends in a busy sale. PayPal repeats a message that was answered with 429.
export const config: Config = {
  path: '/.netlify/functions/paypal-webhook',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
