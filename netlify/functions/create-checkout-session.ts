/**
 * `POST {items, shippingAddress, userId}` with a bearer token, answered with `{sessionId, url,
 * orderId}`. Optional: `orderId`, chosen by the page, `shownTotal` in cents, and `again`: true once the
 * shopper was told of a payment for the same lines (`being-paid`) and wants another one.
 */
import { requireCaller } from '../lib/auth.ts';
import { createCheckout } from '../lib/card-checkout.ts';
import { backendSettings } from '../lib/env.ts';
import { json, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';
import { readOrderRequest } from '../lib/order-request.ts';

export default servePost(async (request, fields) => {
  const caller = await requireCaller(request, backendSettings());
  const wanted = readOrderRequest(fields, fields['items'], caller);
  return json(await createCheckout(netlifyPorts(), wanted));
});
