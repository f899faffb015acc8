/** `POST {orderId}` (PayPal's id) with a bearer token; answers with the `{status}` of the capture. */
import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { admitShopper } from '../lib/auth.ts';
import { json, parseBody, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { captureWalletOrder } from '../lib/wallet-checkout.ts';

const NOT_NAMED = 'The request must name a PayPal order.';
const REQUEST = v.object({
  orderId: v.pipe(v.string(NOT_NAMED), v.regex(/^[\w-]{1,100}$/, NOT_NAMED)),
});

export default servePost(admitShopper, async (caller, fields) => {
  const { orderId } = parseBody(REQUEST, fields);
  return json(await captureWalletOrder(netlifyPorts(), caller.id, orderId));
});

export const config: Config = {
  path: '/.netlify/functions/capture-paypal-order',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
