/** `POST {orderId}` with a bearer token cancels an unpaid order; answers with `{orderId, state}`. */
import { isOrderId } from '../../src/domain/order.ts';
import { requireCaller } from '../lib/auth.ts';
import { cancelOrder } from '../lib/cancel-order.ts';
import { backendSettings } from '../lib/env.ts';
import { HttpError, json, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/netlify-ports.ts';

export default servePost(async (request, { orderId }) => {
  const caller = await requireCaller(request, backendSettings());
  if (!isOrderId(orderId)) {
    throw new HttpError(404, 'This order is not one of yours.', { code: 'order-unknown' });
  }
  const { id, state } = await cancelOrder(netlifyPorts(), caller.id, orderId);
  return json({ orderId: id, state });
});
