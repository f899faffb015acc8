/**
 * Takes Stripe's messages: payment pages that ended, refunds and disputes. `.env.example` lists the events
 * to subscribe to.
 */
import type { Config } from '@netlify/functions';
import { stripeWebhookSecret } from '../lib/env.ts';
import { json, readBodyText, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { takeStripeWebhook } from '../lib/webhooks.ts';

export default serve('POST', async (request) => {
  const secret = stripeWebhookSecret();
  const body = await readBodyText(request);
  await takeStripeWebhook(netlifyPorts(), request.headers, body, secret);
  return json({ received: true });
});

// The limit is above what Stripe sends in a busy sale. Stripe repeats a message that was answered with 429.
export const config: Config = {
  path: '/.netlify/functions/stripe-webhook',
  rateLimit: { windowLimit: 600, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
