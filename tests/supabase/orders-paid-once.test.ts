/**
 * A shopper with two devices is asked before paying for the same things again. That two devices have one payment
 * page is checked by the simulator (`model/orders/paid-once.patch`).
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { addBuyer, expectRejected } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
let coat: number;
let sock: number;
/** The shopper agrees to pay for the same things again. */
const BUY_AGAIN = true;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat, SOCK: sock } = await sell({ backend }, { COAT: 129.5, SOCK: 5 }));
  await ada.putInCart({ [coat]: 1, [sock]: 2 });
});

/** Places an order and pays it in a way that takes days: it is `confirming` then. */
async function placeConfirming(): Promise<PlacedOrder> {
  const order = await ada.placeAndOpen({ [coat]: 1, [sock]: 2 }, 'stripe', 'cs_1');
  await ada.applyPayment(order, { outcome: 'pending' });
  return order;
}

/** Places the lines of `placeConfirming` as another device may send them: in another sequence, with the two socks as two lines. */
const placeSame = () => {
  const lines = [sock, coat, sock].map((id) => ({ product_id: id, quantity: 1 }));
  return ada.place({}, { lines });
};
const payByCard = (order: PlacedOrder) => ada.startAttempt(order, 'stripe');

describe('while a payment is being confirmed', () => {
  test('the same lines are not paid again without asking, in whatever order they are sent', async () => {
    const first = await placeConfirming();
    const second = await placeSame();
    const rejection = await expectRejected(payByCard(second), 'being-paid');
    expect(rejection).toMatchObject({
      sentence: 'Your payment for these items is still being confirmed.',
      order: first.id,
      state: 'confirming',
    });
    expect(Date.parse(String(rejection['placedAt']))).toBe(ada.now.getTime());
    expect(await ada.attempts(second)).toEqual([]);
    const started = await ada.startAttempt(second, 'stripe', BUY_AGAIN);
    expect(started.attempt).toMatchObject({ order_id: second.id, state: 'creating' });
  });

  test('the shopper is not asked about other lines, other shoppers’ orders, orders in test mode or failed payments', async () => {
    const first = await placeConfirming();
    const orders = [
      await ada.place({ [coat]: 1, [sock]: 1 }),
      await ada.place({ [coat]: 1, [sock]: 2 }, { mode: 'live' }),
    ];
    for (const order of orders) {
      const { attempt } = await ada.startAttempt(order, 'paypal');
      expect(attempt?.order_id).toBe(order.id);
    }
    const evesOrder = await eve.place({ [coat]: 1, [sock]: 2 });
    expect((await eve.startAttempt(evesOrder, 'stripe')).attempt?.order_id).toBe(evesOrder.id);
    await ada.applyPayment(first, { outcome: 'failed' });
    expect((await payByCard(await placeSame())).attempt).not.toBeNull();
  });

  test('a payment that PayPal is capturing, and one that staff must review, count as paid', async () => {
    const first = await ada.placeAndOpen({ [coat]: 1, [sock]: 2 }, 'paypal', 'PP-1');
    await ada.mayCapture('PP-1');
    const second = await placeSame();
    expect(await expectRejected(payByCard(second), 'being-paid')).toMatchObject({
      state: 'pending',
    });
    // Less than the order's total, so staff must review it.
    await ada.applyPayment(first, { provider: 'paypal', amountMinor: 1 });
    expect((await expectRejected(payByCard(second), 'being-paid')).sentence).toBe(
      'Your payment for these items has arrived, and the shop is checking it.',
    );
  });
});

test('the same things are not paid again within an hour without asking', async () => {
  const first = await placeConfirming();
  await ada.applyPayment(first, {});
  const second = await placeSame();
  expect(await expectRejected(payByCard(second), 'being-paid')).toMatchObject({
    sentence: 'You’ve just paid for these items.',
    order: first.id,
  });
  ada.waitMinutes(61);
  expect((await payByCard(second)).attempt).not.toBeNull();
});
