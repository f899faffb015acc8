import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import { addBuyer, expectRejected } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
let coat: number;
let sock: number;
let order: PlacedOrder;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat, SOCK: sock } = await sell({ backend }, { COAT: 129.5, SOCK: 5 }));
  order = await ada.place({ [coat]: 2, [sock]: 1 });
});

const paid = () => ada.applyPayment(order, {});
const events = async () =>
  (await backend.query('select result from public.payment_events order by received_at')).map(
    ({ result }) => result,
  );

/** The order brought into a state, with a card session that is or was open. */
async function bringTo(state: string): Promise<void> {
  await ada.openAttempt(order, 'stripe', 'cs_1');
  switch (state) {
    case 'pending':
      break;
    case 'confirming':
      await ada.applyPayment(order, { outcome: 'pending' });
      break;
    case 'failed':
      await ada.applyPayment(order, { outcome: 'failed' });
      break;
    case 'cancelled':
      await ada.cancel(order);
      break;
    case 'expired':
      await ada.applyPayment(order, { outcome: 'expired' });
      ada.waitMinutes(181);
      await ada.orders.expire();
      break;
    case 'needs_review':
      await ada.applyPayment(order, { amountMinor: 1, captureId: 'pi_0' });
      break;
    case 'paid_late':
      await ada.applyPayment(order, { outcome: 'failed' });
      await ada.applyPayment(order, { captureId: 'pi_0' });
      break;
    case 'paid':
      await ada.applyPayment(order, { captureId: 'pi_0' });
      break;
  }
  expect(await ada.state(order)).toBe(state);
}

describe('money that is equal to its order', () => {
  test('pays it, and what was bought leaves the cart', async () => {
    await ada.putInCart({ [coat]: 2, [sock]: 1 });
    await bringTo('pending');
    expect(await paid()).toBe('paid');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.attempts(order)).toEqual(['stripe captured']);
    expect(await ada.cart()).toEqual({});
  });

  test('things that were added to the cart since stay in it', async () => {
    const hat = (await sell({ backend }, { COAT: 129.5, SOCK: 5, HAT: 9 }))['HAT'] ?? 0;
    await bringTo('pending');
    await ada.putInCart({ [coat]: 3, [hat]: 1 });
    await paid();
    expect(await ada.cart()).toEqual({ [coat]: 1, [hat]: 1 });
  });

  test('an order is paid although a product has left the shop meanwhile', async () => {
    await ada.putInCart({ [coat]: 5, [sock]: 1 });
    await bringTo('pending');
    await backend.query('delete from public.products where id = $1', [coat]);
    expect(await paid()).toBe('paid');
    expect(await ada.cart()).toEqual({});
  });

  test('the version of the shopper’s data rises, so that phones fetch the changed cart', async () => {
    const version = async () =>
      Number(
        (await backend.query('select ver from public.sync_user where user_id = $1', [ada.id]))[0]?.[
          'ver'
        ],
      );
    await ada.putInCart({ [coat]: 2 });
    await bringTo('pending');
    const before = await version();
    await paid();
    expect(await version()).toBeGreaterThan(before);
  });

  test('pays the order of a deleted account too', async () => {
    const gone = await addBuyer(backend, 'gone');
    const theirs = await gone.place({ [coat]: 1 });
    await gone.openAttempt(theirs, 'stripe', 'cs_gone');
    await backend.query('delete from auth.users where id = $1', [gone.id]);
    expect(await ada.applyPayment(theirs, { reference: 'cs_gone' })).toBe('paid');
  });
});

describe('a payment event that comes again', () => {
  test('the same event, and the same money in another event, count once', async () => {
    await ada.putInCart({ [coat]: 3 });
    await bringTo('pending');
    const eventId = 'evt_1';
    expect(await ada.applyPayment(order, { eventId })).toBe('paid');
    expect(await ada.applyPayment(order, { eventId })).toBe('paid');
    expect(await ada.applyPayment(order, {})).toBe('repeat');
    expect(await ada.cart()).toEqual({ [coat]: 1 });
    expect(await ada.review(order)).toBeNull();
    expect(await events()).toEqual(['paid', 'repeat']);
  });

  test('another amount than the first time is kept for a person', async () => {
    await bringTo('pending');
    await paid();
    expect(await ada.applyPayment(order, { amountMinor: 1 })).toBe('repeat');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.review(order)).toContain('amount');
  });
});

describe('money that is not equal to its order', () => {
  const mismatches: [what: string, fields: Partial<PaymentEvent>][] = [
    ['amount', { amountMinor: 26_399 }],
    ['amount', { amountMinor: 26_401 }],
    ['amount', { amountMinor: null }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: null }],
    ['mode', { mode: 'live' }],
    ['order', { orderId: randomUUID() }],
  ];
  test.each(mismatches)(
    'in its %s never pays it and is never dropped (%o)',
    async (what, fields) => {
      await ada.putInCart({ [coat]: 2 });
      await bringTo('pending');
      expect(await ada.applyPayment(order, fields)).toBe('needs_review');
      expect(await ada.state(order)).toBe('needs_review');
      expect(await ada.review(order)).toContain(what);
      expect(await ada.cart()).toEqual({ [coat]: 2 });
      expect(await ada.attempts(order)).toEqual(['stripe captured']);
    },
  );

  test('for a paid order leaves it paid and asks for a person', async () => {
    await bringTo('paid');
    expect(await ada.applyPayment(order, { amountMinor: 7 })).toBe('needs_review');
    expect(await ada.state(order)).toBe('paid');
    expect(await ada.review(order)).toContain('pi_1');
  });
});

test.each(['cancelled', 'expired', 'failed'])(
  'money for a %s order is late, and kept',
  async (state) => {
    await ada.putInCart({ [coat]: 2 });
    await bringTo(state);
    expect(await paid()).toBe('paid_late');
    expect(await ada.state(order)).toBe('paid_late');
    expect(await ada.review(order)).toContain(state);
    expect(await ada.cart()).toEqual({ [coat]: 2 });
  },
);

test.each(['paid', 'paid_late', 'needs_review'])(
  'a second payment of a %s order is kept apart',
  async (state) => {
    await bringTo(state);
    expect(await ada.applyPayment(order, { provider: 'paypal', captureId: 'CAP-2' })).toBe(
      'paid_again',
    );
    expect(await ada.state(order)).toBe(state);
    expect(await ada.review(order)).toContain('refund one');
    expect(await ada.attempts(order)).toEqual(['stripe captured', 'paypal captured']);
  },
);

test('money for no order of ours is written down', async () => {
  expect(await ada.applyPayment(order, { orderId: null, reference: 'cs_else' })).toBe('unknown');
  expect(await ada.applyPayment(order, { orderId: randomUUID(), reference: 'cs_else' })).toBe(
    'unknown',
  );
  expect(await events()).toEqual(['unknown', 'unknown']);
  expect(await ada.state(order)).toBe('pending');
});

describe('a payment event that comes before the session’s id was recorded', () => {
  test('the event belongs to the attempt that has no id yet', async () => {
    await ada.startAttempt(order, 'stripe');
    expect(await paid()).toBe('paid');
    expect(await ada.attempts(order)).toEqual(['stripe captured']);
  });

  test('an event of an attempt that counts as failed still pays the order', async () => {
    const { attempt } = await ada.startAttempt(order, 'stripe');
    if (attempt !== null) await ada.orders.failAttempt(attempt, 'kept failure');
    expect(await ada.applyPayment(order, { outcome: 'expired' })).toBe('stale');
    expect(await paid()).toBe('paid');
    expect(await ada.attempts(order)).toEqual(['stripe failed', 'stripe captured']);
  });
});

describe('a payment that takes days', () => {
  test('it is being confirmed, and then pays the order', async () => {
    await bringTo('confirming');
    expect(await ada.attempts(order)).toEqual(['stripe processing']);
    expect(await paid()).toBe('paid');
  });

  test('it may fail; the order is then closed and the cart kept', async () => {
    await ada.putInCart({ [coat]: 2 });
    await bringTo('confirming');
    expect(await ada.applyPayment(order, { outcome: 'failed' })).toBe('failed');
    expect(await ada.state(order)).toBe('failed');
    expect(await ada.cart()).toEqual({ [coat]: 2 });
  });

  test('it is not undone by older events', async () => {
    await bringTo('pending');
    await paid();
    expect(await ada.applyPayment(order, { outcome: 'pending' })).toBe('stale');
    expect(await ada.applyPayment(order, { outcome: 'failed' })).toBe('stale');
    expect(await ada.applyPayment(order, { outcome: 'expired' })).toBe('stale');
    expect(await ada.state(order)).toBe('paid');
  });

  test('it stays failed when an older event comes after the failure', async () => {
    await bringTo('failed');
    expect(await ada.applyPayment(order, { outcome: 'pending' })).toBe('stale');
    expect(await ada.state(order)).toBe('failed');
  });
});

describe('an order that waits for a person', () => {
  const close = (state: string) =>
    ada.call('close_review', {
      p_order: order.id,
      p_state: state,
      p_note: 'Called her.',
      p_now: ada.now.toISOString(),
    });

  test('a person can accept it, and what was bought then leaves the cart', async () => {
    await ada.putInCart({ [coat]: 3 });
    await bringTo('paid_late');
    await close('paid');
    expect([await ada.state(order), await ada.review(order)]).toEqual(['paid', null]);
    expect(await ada.cart()).toEqual({ [coat]: 1 });
  });

  test('a person can cancel it, or mark a paid one as dealt with', async () => {
    await bringTo('paid');
    await ada.applyPayment(order, { captureId: 'pi_2' });
    await expect(close('cancelled')).rejects.toMatchObject({ code: '23001' });
    await close('paid');
    expect(await ada.review(order)).toBeNull();
    await expect(close('paid')).rejects.toThrow('waits for nobody');
    const kinds = await backend.query(
      'select kind from public.order_events where order_id = $1 order by id',
      [order.id],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'placed',
      'moved',
      'review',
      'review',
      'review-closed',
    ]);
  });
});

test('an order that money may still come for is not cancelled', async () => {
  await bringTo('confirming');
  const cancel = () => ada.cancel(order);
  await expect(cancel()).rejects.toThrow('being confirmed');
  await ada.applyPayment(order, {});
  await expect(cancel()).rejects.toThrow('paid already');
  await expectRejected(ada.startAttempt(order, 'stripe'), 'order-paid');
});
