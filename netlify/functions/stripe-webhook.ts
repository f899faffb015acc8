/** Stripe reports here how sessions ended. `.env.example` lists the events to subscribe to. */
import { stripeWebhookSecret } from '../lib/env.ts';
import { json, readText, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';
import { takeStripeWebhook } from '../lib/webhooks.ts';

export default serve('POST', async (request) => {
  const secret = stripeWebhookSecret();
  const body = await readText(request);
  await takeStripeWebhook(netlifyPorts(), request.headers, body, secret);
  return json({ received: true });
});
