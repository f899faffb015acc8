/**
 * `GET ?session_id=` (Stripe's id) or `?order=` (the shop's id) with a bearer token; answers with
 * `{status, orderId, provider, isCurrent}`.
 */
import type { Config } from '@netlify/functions';
import { isOrderId } from '../../src/domain/order.ts';
import { admitShopper } from '../lib/auth.ts';
import { HttpError, json, serve } from '../lib/http.ts';
import { orderStatus } from '../lib/order-status.ts';
import { netlifyPorts } from '../lib/ports.ts';

export default serve('GET', async (request) => {
  const caller = await admitShopper(request);
  const query = new URL(request.url).searchParams;
  const sessionId = query.get('session_id');
  const orderId = query.get('order');
  if ((sessionId === null) === (orderId === null)) {
    throw new HttpError(400, 'Name either an order or a session.');
  }
  const isId = orderId === null ? /^cs_\w{1,200}$/.test(sessionId ?? '') : isOrderId(orderId);
  if (!isId) {
    throw new HttpError(404, 'This order isn’t in your account.', { code: 'order-unknown' });
  }
  return json(await orderStatus(netlifyPorts(), caller.id, { orderId, sessionId }));
});

// Each open tab asks every few seconds until the payment is decided.
export const config: Config = {
  path: '/.netlify/functions/order-status',
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
