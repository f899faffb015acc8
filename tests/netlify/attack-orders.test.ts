/** Requests by which an attacker would overload the payment providers, or cancel orders of others. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openShopOverHttpForFile } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();

/** As many payments as a shopper may begin in a minute. */
const MAX_PER_MINUTE = 15;

test('a sixteenth payment within a minute is not begun, and the page is told how long to wait', async () => {
  const begin = () =>
    fetch(`${shop.url}/.netlify/functions/create-paypal-order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.ada.token}` },
      body: JSON.stringify(shop.payPalRequest({ orderId: randomUUID() })),
    });
  for (let i = 0; i < MAX_PER_MINUTE; i += 1) expect((await begin()).status).toBe(200);
  const payPalOrderCount = shop.paypal.checkouts.length;
  const rejected = await begin();
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await rejected.json()).toMatchObject({
    code: 'too-many-attempts',
    error: 'You have begun many payments in a short time. Please wait a minute, then try again.',
  });
  expect(shop.paypal.checkouts).toHaveLength(payPalOrderCount);
  expect(await shop.orders()).toHaveLength(MAX_PER_MINUTE);
  expect((await shop.createPayPalOrder({}, shop.eve)).status, 'another shopper').toBe(200);
});

test('an order is not cancelled by another shopper or without a token', async () => {
  const { body } = await shop.createPayPalOrder();
  const orderId = body['storeOrderId'];
  const cancelWith = async (token: string | null) =>
    (await shop.post('cancel-order', { orderId }, token)).status;
  expect(await cancelWith(shop.eve.token)).toBe(404);
  for (const token of [null, 'x']) expect(await cancelWith(token)).toBe(401);
  expect(await shop.orders()).toMatchObject([{ id: orderId, state: 'pending' }]);
  expect(await shop.post('cancel-order', { orderId })).toMatchObject({
    status: 200,
    body: { orderId, state: 'cancelled' },
  });
});

test('cancelling something that is no order is rejected with 404, not answered with a failure of the shop', async () => {
  for (const orderId of ['', '../x', 7, null, {}, randomUUID().toUpperCase(), randomUUID()]) {
    const answer = await shop.post('cancel-order', { orderId });
    expect([orderId, answer.status, answer.body['code']]).toEqual([orderId, 404, 'order-unknown']);
  }
});
