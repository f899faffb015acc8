/**
 * `POST {items, shippingAddress, userId}` with a bearer token; answers with `{sessionId, url,
 * orderId}`. Optional: `orderId`, chosen by the page; `shownTotal` in cents; `again`, true when the page
 * has told the shopper of a payment for the same lines (`being-paid`), and the shopper pays once more.
 */
import type { Config } from '@netlify/functions';
import { admitShopper } from '../lib/auth.ts';
import { json, servePost } from '../lib/http.ts';
import { readOrderRequest } from '../lib/orders.ts';
import { createCheckout } from '../lib/payments.ts';
import { netlifyPorts } from '../lib/ports.ts';

export default servePost(admitShopper, async (caller, fields) => {
  // create-paypal-order reads the same fields, but there the items are called `cartItems`.
  const order = readOrderRequest(fields, fields['items'], caller);
  return json(await createCheckout(netlifyPorts(), order));
});

export const config: Config = {
  path: '/.netlify/functions/create-checkout-session',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
