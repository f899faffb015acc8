/** A shopper with two devices does not pay twice for the same things without being asked. */
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

/**
 * Places the lines of `placeConfirming` as another device may send them: in another sequence, with the two socks
 * as two lines. `again`: the shopper has agreed to pay for the same things again.
 */
const placeSame = ({ again = false } = {}) => {
  const lines = [sock, coat, sock].map((id) => ({ product_id: id, quantity: 1 }));
  return ada.place({}, { lines, again });
};

describe('while a payment is being confirmed', () => {
  test('the same lines are not ordered again without asking, in whatever order they are sent', async () => {
    const first = await placeConfirming();
    const rejection = await expectRejected(placeSame(), 'being-paid');
    expect(rejection).toMatchObject({
      sentence: 'A payment for these things is still being confirmed.',
      order: first.id,
      state: 'confirming',
    });
    expect(Date.parse(String(rejection['placedAt']))).toBe(ada.now.getTime());
    expect(await backend.query('select from public.orders')).toHaveLength(1);
  });

  test('a shopper who was asked may order and pay them again', async () => {
    await placeConfirming();
    const second = await placeSame({ again: true });
    await expectRejected(ada.startAttempt(second, 'stripe'), 'being-paid');
    const started = await ada.startAttempt(second, 'stripe', BUY_AGAIN);
    expect(started.attempt).toMatchObject({ order_id: second.id, state: 'creating' });
  });

  test('an earlier order of the same lines cannot be paid too, and its payment page is ended', async () => {
    const second = await placeSame();
    await ada.openAttempt(second, 'paypal', 'PP-2');
    await placeConfirming();
    expect(await ada.attempts(second)).toEqual(['paypal void']);
    await expectRejected(ada.startAttempt(second, 'stripe'), 'being-paid');
    await expectRejected(ada.place({ [coat]: 1, [sock]: 2 }, { orderId: second.id }), 'being-paid');
  });

  test('the shopper is not asked about other lines, other shoppers’ orders or orders in test mode', async () => {
    await placeConfirming();
    await ada.place({ [coat]: 1, [sock]: 1 });
    await eve.place({ [coat]: 1, [sock]: 2 });
    await ada.place({ [coat]: 1, [sock]: 2 }, { mode: 'live' });
  });

  test('a payment that PayPal is capturing, and one that staff must review, count as paid', async () => {
    const first = await ada.placeAndOpen({ [coat]: 1, [sock]: 2 }, 'paypal', 'PP-1');
    await ada.mayCapture('PP-1');
    expect(await expectRejected(placeSame(), 'being-paid')).toMatchObject({ state: 'pending' });
    // Less than the order's total, so staff must review it.
    await ada.applyPayment(first, { provider: 'paypal', amountMinor: 1 });
    expect((await expectRejected(placeSame(), 'being-paid')).sentence).toBe(
      'A payment for these things has arrived, and the shop is looking into it.',
    );
  });

  test('the shopper is not asked after the payment has failed', async () => {
    const first = await placeConfirming();
    await ada.applyPayment(first, { outcome: 'failed' });
    await placeSame();
  });
});

describe('once a payment has arrived', () => {
  test('a page that still shows what was bought asks before it pays again', async () => {
    const first = await placeConfirming();
    await ada.applyPayment(first, {});
    expect(await expectRejected(placeSame(), 'being-paid')).toMatchObject({
      sentence: 'You have just paid for exactly these things.',
      order: first.id,
    });
    await placeSame({ again: true });
  });

  test('the same things are bought without asking when they were added to the cart since', async () => {
    await ada.applyPayment(await placeConfirming(), {});
    // At least what is bought. The payment had emptied the cart.
    await ada.putInCart({ [coat]: 1, [sock]: 3 });
    await placeSame();
  });

  test('the same things are bought without asking on another day', async () => {
    await ada.applyPayment(await placeConfirming(), {});
    ada.waitMinutes(24 * 60 + 1);
    await placeSame();
  });
});

describe('the same lines have one payment page at a time', () => {
  test('a card page of another order must be ended first', async () => {
    const first = await ada.placeAndOpen({ [coat]: 1, [sock]: 2 }, 'stripe', 'cs_1');
    const second = await placeSame();
    for (const again of [false, true]) {
      const started = await ada.startAttempt(second, 'paypal', again);
      expect(started).toMatchObject({
        attempt: null,
        blocked_by: { reference: 'cs_1' },
        of_order: { id: first.id },
      });
    }
    await ada.applyPayment(first, { outcome: 'expired' });
    const started = await ada.startAttempt(second, 'paypal');
    expect(started.attempt).toMatchObject({ order_id: second.id });
  });
});
