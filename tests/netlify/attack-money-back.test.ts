/** What anybody may send to wear the payment providers out, or to close what is not theirs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ShopOverHttp } from './shop-over-http.ts';
import { openShopOverHttp } from './shop-over-http.ts';

let at: ShopOverHttp;

beforeAll(async () => {
  at = await openShopOverHttp();
});
afterAll(() => at.close());
beforeEach(() => at.restock());

test('an eleventh payment within a minute is not begun, and the page is told how long to wait', async () => {
  const begin = (more = {}) =>
    fetch(`${at.url}/.netlify/functions/create-paypal-order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${at.ada.token}` },
      body: JSON.stringify(at.walletRequest({ orderId: randomUUID(), ...more })),
    });
  for (let i = 0; i < 10; i += 1) expect((await begin()).status).toBe(200);
  const made = at.paypal.orders.length;
  const refused = await begin();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({
    code: 'too-many-attempts',
    error: 'You have begun many payments in a short time. Please wait a minute, then try again.',
  });
  expect(at.paypal.orders).toHaveLength(made);
  expect(await at.orders()).toHaveLength(10);
  const other = await at.post('create-paypal-order', at.walletRequest({}, at.eve), at.eve.token);
  expect(other.status).toBe(200);
});

test('an order of somebody else: it is not cancelled', async () => {
  const { body } = await at.post('create-paypal-order', at.walletRequest());
  const orderId = body['storeOrderId'];
  for (const token of [at.eve.token, null, 'x']) {
    const { status } = await at.post('cancel-order', { orderId }, token);
    expect([404, 401]).toContain(status);
  }
  expect(await at.orders()).toMatchObject([{ id: orderId, state: 'pending' }]);
  expect(await at.post('cancel-order', { orderId })).toMatchObject({
    status: 200,
    body: { orderId, state: 'cancelled' },
  });
});

test('cancelling something that is no order is refused, and the shop is not unwell', async () => {
  for (const orderId of ['', '../x', 7, null, {}, randomUUID().toUpperCase(), randomUUID()]) {
    const answer = await at.post('cancel-order', { orderId });
    expect([orderId, answer.status, answer.body['code']]).toEqual([orderId, 404, 'order-unknown']);
  }
});
