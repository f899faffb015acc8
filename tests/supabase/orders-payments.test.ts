/** What a payment event does to its order: pay it, close it, or mark it for the shop's staff. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import { addBuyer } from './buyer.ts';
import { columnOf } from './column.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const backend = await openBackendForFile();
/** The total of the order in cents: two coats and a sock. */
const TOTAL = 2 * 12_950 + 500;
const ada = await addBuyer(backend, 'ada');
let coat: number;
let sock: number;
let order: PlacedOrder;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat, SOCK: sock } = await sell({ backend }, { COAT: 129.5, SOCK: 5 }));
  order = await ada.place({ [coat]: 2, [sock]: 1 });
  await ada.openAttempt(order, 'stripe', 'cs_1');
});

const applyFullPayment = () => ada.applyPayment(order, {});
/** Makes the order `paid_late`: its payment fails first, and arrives then. */
async function payLate(): Promise<void> {
  await ada.applyPayment(order, { outcome: 'failed' });
  expect(await applyFullPayment()).toBe('paid_late');
}

test('a payment of exactly the order’s total pays the order and takes its products out of the cart, once', async () => {
  await ada.putInCart({ [coat]: 3, [sock]: 1 });
  const eventId = 'evt_1';
  expect(await ada.applyPayment(order, { eventId })).toBe('paid');
  expect(await ada.applyPayment(order, { eventId })).toBe('paid');
  expect(await applyFullPayment(), 'another event about the same payment').toBe('repeat');
  expect(await ada.state(order)).toBe('paid');
  expect(await ada.attempts(order)).toEqual(['stripe captured']);
  expect(await ada.cart()).toEqual({ [coat]: 1 });
  expect(await ada.review(order)).toBeNull();
  const results = 'select result from public.payment_events order by received_at';
  expect(await columnOf(backend, results)).toEqual(['paid', 'repeat']);
});

describe('a payment that differs from its order', () => {
  const mismatches: [difference: string, fields: Partial<PaymentEvent>][] = [
    ['amount', { amountMinor: TOTAL - 1 }],
    ['amount', { amountMinor: null }],
    ['currency', { currency: 'EUR' }],
    ['mode', { mode: 'live' }],
    ['payee', { payee: 'EVESACCNT2345' }],
  ];
  test.each(mismatches)(
    'in its %s does not pay it and is kept for review (%o)',
    async (difference, fields) => {
      await ada.putInCart({ [coat]: 2 });
      expect(await ada.applyPayment(order, fields)).toBe('needs_review');
      expect(await ada.state(order)).toBe('needs_review');
      expect(await ada.review(order)).toContain(difference);
      expect(await ada.cart()).toEqual({ [coat]: 2 });
      expect(await ada.attempts(order)).toEqual(['stripe captured']);
    },
  );

  test('leaves a paid order paid and marks it for review', async () => {
    await applyFullPayment();
    const other = { captureId: 'pi_2', amountMinor: 7 };
    expect(await ada.applyPayment(order, other)).toBe('needs_review');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.review(order)).toContain('pi_2');
  });
});

test('a payment for a cancelled order makes it paid_late and marks it for review', async () => {
  await ada.putInCart({ [coat]: 2 });
  await ada.cancel(order);
  expect(await applyFullPayment()).toBe('paid_late');
  expect(await ada.state(order)).toBe('paid_late');
  expect(await ada.review(order)).toContain('cancelled');
  expect(await ada.cart()).toEqual({ [coat]: 2 });
});

test.each([
  ['paid', applyFullPayment],
  ['paid_late', payLate],
])('a second payment of a %s order is recorded and marks it for review', async (state, pay) => {
  await pay();
  expect(await ada.applyPayment(order, { captureId: 'pi_2' })).toBe('paid_again');
  expect(await ada.state(order)).toBe(state);
  expect(await ada.review(order)).toContain('refund one');
  expect(await ada.attempts(order)).toEqual(['stripe captured']);
});

test('older events do not undo a payment', async () => {
  await applyFullPayment();
  for (const outcome of ['pending', 'failed', 'expired'] as const) {
    expect(await ada.applyPayment(order, { outcome }), outcome).toBe('stale');
  }
  expect(await ada.state(order)).toBe('paid');
});

describe('an order that is marked for review', () => {
  const close = (state: string) => ada.closeReview(order, state);

  test('can be accepted by staff, and its products then leave the cart', async () => {
    await ada.putInCart({ [coat]: 3 });
    await payLate();
    await close('paid');
    expect([await ada.state(order), await ada.review(order)]).toEqual(['paid', null]);
    expect(await ada.cart()).toEqual({ [coat]: 1 });
  });

  test('cannot be cancelled when it is paid, but staff can close its review', async () => {
    await applyFullPayment();
    await ada.applyPayment(order, { captureId: 'pi_2' });
    await expect(close('cancelled')).rejects.toMatchObject({ code: SQLSTATE.restrictViolation });
    await close('paid');
    expect(await ada.review(order)).toBeNull();
    await expect(close('paid')).rejects.toThrow('doesn’t need a review');
    const sql = 'select kind from public.order_events where order_id = $1 order by id';
    // The second payment sets the mark, and `close` clears it: a `review` each.
    const kinds = ['placed', 'moved', 'review', 'review', 'review-closed'];
    expect(await columnOf(backend, sql, [order.id])).toEqual(kinds);
  });
});

test('an order that may still be paid, or is paid, cannot be cancelled', async () => {
  await ada.applyPayment(order, { outcome: 'pending' });
  await expect(ada.cancel(order)).rejects.toThrow('being confirmed');
  await ada.applyPayment(order, {});
  await expect(ada.cancel(order)).rejects.toThrow('paid already');
});
