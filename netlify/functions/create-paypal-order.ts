/**
 * `POST {cartItems, shippingAddress, userId}` with a bearer token; answers with `{orderId, storeOrderId}`,
 * where `orderId` is PayPal's and `storeOrderId` the shop's. Optional in the request: `orderId`, which is the
 * shop's, `shownTotal` in cents, and `again`, as in create-checkout-session.
 */
import type { Config } from '@netlify/functions';
import { admitShopper } from '../lib/auth.ts';
import { json, servePost } from '../lib/http.ts';
import { readOrderRequest } from '../lib/orders.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { createWalletOrder } from '../lib/wallet-checkout.ts';

export default servePost(admitShopper, async (caller, fields) => {
  const order = readOrderRequest(fields, fields['cartItems'], caller);
  return json(await createWalletOrder(netlifyPorts(), order));
});

export const config: Config = {
  path: '/.netlify/functions/create-paypal-order',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
