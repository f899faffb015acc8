/** `POST {orderId}` (PayPal's id) with a bearer token; answers with the `{status}` of the capture. */
import type { Config } from '@netlify/functions';
import { admitShopper } from '../lib/auth.ts';
import { json, HttpError, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';
import { captureWalletOrder } from '../lib/wallet-checkout.ts';

export default servePost(admitShopper, async (caller, fields) => {
  const { orderId } = fields;
  if (typeof orderId !== 'string' || !/^[\w-]{1,100}$/.test(orderId)) {
    throw new HttpError(400, 'The request must name an order of PayPal.', { code: 'order-id' });
  }
  return json(await captureWalletOrder(netlifyPorts(), caller.id, orderId));
});

export const config: Config = {
  path: '/.netlify/functions/capture-paypal-order',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
