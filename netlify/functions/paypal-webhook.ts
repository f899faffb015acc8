/** PayPal reports here how captures ended. `.env.example` lists the events to subscribe to. */
import { paypalWebhookId } from '../lib/env.ts';
import { json, readText, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';
import { tellOperator } from '../lib/operator.ts';
import { takePayPalWebhook } from '../lib/webhooks.ts';

export default serve('POST', async (request) => {
  const webhookId = paypalWebhookId();
  const body = await readText(request);
  const ports = netlifyPorts();
  await takePayPalWebhook(ports, request.headers, body, webhookId);
  await tellOperator(ports);
  return json({ received: true });
});
