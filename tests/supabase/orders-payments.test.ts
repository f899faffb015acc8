/** What a payment event does to its order: pay it, close it, or mark it for the shop's staff. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import { addBuyer, ORDER_MINUTES } from './buyer.ts';
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
});

const applyFullPayment = () => ada.applyPayment(order, {});
/** The results of all payment events, the oldest first. */
const eventResults = () =>
  columnOf(backend, 'select result from public.payment_events order by received_at');

/**
 * What brings a new order into a state, once its card session is open. The payments here are `pi_0`, because
 * `applyFullPayment` reports the payment `pi_1`.
 */
const WAYS_TO = {
  pending: async () => undefined,
  confirming: () => ada.applyPayment(order, { outcome: 'pending' }),
  failed: () => ada.applyPayment(order, { outcome: 'failed' }),
  cancelled: () => ada.cancel(order),
  expired: async () => {
    await ada.applyPayment(order, { outcome: 'expired' });
    ada.waitMinutes(ORDER_MINUTES + 1);
    await ada.orders.expire();
  },
  needs_review: () => ada.applyPayment(order, { amountMinor: 1, captureId: 'pi_0' }),
  paid_late: async () => {
    await ada.applyPayment(order, { outcome: 'failed' });
    await ada.applyPayment(order, { captureId: 'pi_0' });
  },
  paid: () => ada.applyPayment(order, { captureId: 'pi_0' }),
};

/** Opens a card session for the order, and brings the order into a state. */
async function bringTo(state: keyof typeof WAYS_TO): Promise<void> {
  await ada.openAttempt(order, 'stripe', 'cs_1');
  await WAYS_TO[state]();
  expect(await ada.state(order)).toBe(state);
}

describe('a payment of exactly the order’s total', () => {
  test('pays the order, and its products leave the cart', async () => {
    await ada.putInCart({ [coat]: 2, [sock]: 1 });
    await bringTo('pending');
    expect(await applyFullPayment()).toBe('paid');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.attempts(order)).toEqual(['stripe captured']);
    expect(await ada.cart()).toEqual({});
  });
});

describe('a payment event that comes again', () => {
  test('counts once, also when another event reports the same payment', async () => {
    await ada.putInCart({ [coat]: 3 });
    await bringTo('pending');
    const eventId = 'evt_1';
    expect(await ada.applyPayment(order, { eventId })).toBe('paid');
    expect(await ada.applyPayment(order, { eventId })).toBe('paid');
    expect(await ada.applyPayment(order, {})).toBe('repeat');
    expect(await ada.cart()).toEqual({ [coat]: 1 });
    expect(await ada.review(order)).toBeNull();
    expect(await eventResults()).toEqual(['paid', 'repeat']);
  });
});

describe('a payment that differs from its order', () => {
  const mismatches: [difference: string, fields: Partial<PaymentEvent>][] = [
    ['amount', { amountMinor: TOTAL - 1 }],
    ['amount', { amountMinor: TOTAL + 1 }],
    ['amount', { amountMinor: null }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: null }],
    ['mode', { mode: 'live' }],
    ['payee', { payee: 'EVESACCNT2345' }],
  ];
  test.each(mismatches)(
    'in its %s does not pay it and is kept for review (%o)',
    async (difference, fields) => {
      await ada.putInCart({ [coat]: 2 });
      await bringTo('pending');
      expect(await ada.applyPayment(order, fields)).toBe('needs_review');
      expect(await ada.state(order)).toBe('needs_review');
      expect(await ada.review(order)).toContain(difference);
      expect(await ada.cart()).toEqual({ [coat]: 2 });
      expect(await ada.attempts(order)).toEqual(['stripe captured']);
    },
  );

  test('leaves a paid order paid and marks it for review', async () => {
    await bringTo('paid');
    expect(await ada.applyPayment(order, { amountMinor: 7 })).toBe('needs_review');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.review(order)).toContain('pi_1');
  });
});

test.each(['cancelled', 'expired', 'failed'] as const)(
  'a payment for a %s order makes it paid_late and marks it for review',
  async (state) => {
    await ada.putInCart({ [coat]: 2 });
    await bringTo(state);
    expect(await applyFullPayment()).toBe('paid_late');
    expect(await ada.state(order)).toBe('paid_late');
    expect(await ada.review(order)).toContain(state);
    expect(await ada.cart()).toEqual({ [coat]: 2 });
  },
);

test.each(['paid', 'paid_late', 'needs_review'] as const)(
  'a second payment of a %s order is recorded and marks it for review',
  async (state) => {
    await bringTo(state);
    expect(await ada.applyPayment(order, { captureId: 'pi_2' })).toBe('paid_again');
    expect(await ada.state(order)).toBe(state);
    expect(await ada.review(order)).toContain('refund one');
    expect(await ada.attempts(order)).toEqual(['stripe captured']);
  },
);

describe('a payment that takes days', () => {
  test('is not undone by older events', async () => {
    await bringTo('pending');
    await applyFullPayment();
    for (const outcome of ['pending', 'failed', 'expired'] as const) {
      expect(await ada.applyPayment(order, { outcome }), outcome).toBe('stale');
    }
    expect(await ada.state(order)).toBe('paid');
  });
});

describe('an order that is marked for review', () => {
  const close = (state: string) => ada.closeReview(order, state);

  test('can be accepted by staff, and its products then leave the cart', async () => {
    await ada.putInCart({ [coat]: 3 });
    await bringTo('paid_late');
    await close('paid');
    expect([await ada.state(order), await ada.review(order)]).toEqual(['paid', null]);
    expect(await ada.cart()).toEqual({ [coat]: 1 });
  });

  test('cannot be cancelled when it is paid, but staff can close its review', async () => {
    await bringTo('paid');
    await ada.applyPayment(order, { captureId: 'pi_2' });
    await expect(close('cancelled')).rejects.toMatchObject({ code: SQLSTATE.restrictViolation });
    await close('paid');
    expect(await ada.review(order)).toBeNull();
    await expect(close('paid')).rejects.toThrow('waits for nobody');
    const sql = 'select kind from public.order_events where order_id = $1 order by id';
    // The second payment sets the mark, and `close` clears it: a `review` each.
    const kinds = ['placed', 'moved', 'review', 'review', 'review-closed'];
    expect(await columnOf(backend, sql, [order.id])).toEqual(kinds);
  });
});

test('an order that may still be paid, or is paid, cannot be cancelled', async () => {
  await bringTo('confirming');
  await expect(ada.cancel(order)).rejects.toThrow('being confirmed');
  await ada.applyPayment(order, {});
  await expect(ada.cancel(order)).rejects.toThrow('paid already');
});
