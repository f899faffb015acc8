/** `POST {orderId}` with a bearer token cancels an unpaid order; answers with `{orderId, state}`. */
import type { Config } from '@netlify/functions';
import { isOrderId } from '../../src/domain/order.ts';
import { admitShopper } from '../lib/auth.ts';
import { cancelOrder } from '../lib/cancel-order.ts';
import { HttpError, json, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';

export default servePost(admitShopper, async (caller, { orderId }) => {
  if (!isOrderId(orderId)) {
    throw new HttpError(404, 'This order is not one of yours.', { code: 'order-unknown' });
  }
  const { id, state } = await cancelOrder(netlifyPorts(), caller.id, orderId);
  return json({ orderId: id, state });
});

export const config: Config = {
  path: '/.netlify/functions/cancel-order',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
