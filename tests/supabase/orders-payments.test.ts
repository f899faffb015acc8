import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import { OrderDesk, refusal } from './desk.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

let desk: OrderDesk;
let coat: number;
let sock: number;
let order: PlacedOrder;

beforeAll(async () => {
  const backend = await openTestBackend();
  desk = new OrderDesk(
    backend,
    await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' }),
  );
});
afterAll(() => desk.backend.close());
beforeEach(async () => {
  await desk.backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat = 0, SOCK: sock = 0 } = await sell(desk, { COAT: 129.5, SOCK: 5 }));
  order = await desk.place({ [coat]: 2, [sock]: 1 });
});

const paid = () => desk.tell(order, {});
const events = async () =>
  (await desk.backend.query('select result from public.payment_events order by received_at')).map(
    ({ result }) => result,
  );

/** The order brought into a state, with a card session that is or was open. */
async function bringTo(state: string): Promise<void> {
  await desk.open(order, 'stripe', 'cs_1');
  switch (state) {
    case 'pending':
      break;
    case 'confirming':
      await desk.tell(order, { outcome: 'pending' });
      break;
    case 'failed':
      await desk.tell(order, { outcome: 'failed' });
      break;
    case 'cancelled':
      await desk.call('cancel_order', { p_order: order.id, p_now: desk.now.toISOString() });
      break;
    case 'expired':
      await desk.tell(order, { outcome: 'expired' });
      desk.wait(181);
      await desk.orders.expire();
      break;
    case 'needs_review':
      await desk.tell(order, { amountMinor: 1, captureId: 'pi_0' });
      break;
    case 'paid_late':
      await desk.tell(order, { outcome: 'failed' });
      await desk.tell(order, { captureId: 'pi_0' });
      break;
    case 'paid':
      await desk.tell(order, { captureId: 'pi_0' });
      break;
  }
  expect(await desk.state(order)).toBe(state);
}

describe('money that is equal to its order', () => {
  test('pays it, and what was bought leaves the cart', async () => {
    await desk.putInCart({ [coat]: 2, [sock]: 1 });
    await bringTo('pending');
    expect(await paid()).toBe('paid');
    expect(await desk.state(order)).toBe('paid');
    expect(await desk.attempts(order)).toEqual(['stripe captured']);
    expect(await desk.cart()).toEqual({});
  });

  test('leaves in the cart what was added since', async () => {
    const hat = (await sell(desk, { COAT: 129.5, SOCK: 5, HAT: 9 }))['HAT'] ?? 0;
    await bringTo('pending');
    await desk.putInCart({ [coat]: 3, [hat]: 1 });
    await paid();
    expect(await desk.cart()).toEqual({ [coat]: 1, [hat]: 1 });
  });

  test('is taken although a product has left the shop meanwhile', async () => {
    await desk.putInCart({ [coat]: 5, [sock]: 1 });
    await bringTo('pending');
    await desk.backend.query('delete from public.products where id = $1', [coat]);
    expect(await paid()).toBe('paid');
    expect(await desk.cart()).toEqual({});
  });

  test('rings the shopper’s phones once the cart has changed', async () => {
    const version = async () =>
      Number(
        (
          await desk.backend.query('select ver from public.sync_user where user_id = $1', [
            desk.user,
          ])
        )[0]?.['ver'],
      );
    await desk.putInCart({ [coat]: 2 });
    await bringTo('pending');
    const before = await version();
    await paid();
    expect(await version()).toBeGreaterThan(before);
  });

  test('pays the order of a deleted account too', async () => {
    const id = await desk.backend.addAccount({ email: 'gone@weft.test', password: 'secret-1' });
    const gone = new OrderDesk(desk.backend, id);
    const theirs = await gone.place({ [coat]: 1 });
    await gone.open(theirs, 'stripe', 'cs_gone');
    await desk.backend.query('delete from auth.users where id = $1', [id]);
    expect(await desk.tell(theirs, { reference: 'cs_gone' })).toBe('paid');
  });
});

describe('news told again', () => {
  test('counts once: the same event, and the same money in another event', async () => {
    await desk.putInCart({ [coat]: 3 });
    await bringTo('pending');
    const eventId = 'evt_1';
    expect(await desk.tell(order, { eventId })).toBe('paid');
    expect(await desk.tell(order, { eventId })).toBe('paid');
    expect(await desk.tell(order, {})).toBe('repeat');
    expect(await desk.cart()).toEqual({ [coat]: 1 });
    expect(await desk.review(order)).toBeNull();
    expect(await events()).toEqual(['paid', 'repeat']);
  });

  test('twenty times at once counts once', async () => {
    await desk.putInCart({ [coat]: 3 });
    await bringTo('pending');
    const results = await Promise.all(Array.from({ length: 20 }, paid));
    expect(results.toSorted()).toEqual(['paid', ...Array.from({ length: 19 }, () => 'repeat')]);
    expect(await desk.cart()).toEqual({ [coat]: 1 });
  });

  test('with another amount than the first time is looked at by a person', async () => {
    await bringTo('pending');
    await paid();
    expect(await desk.tell(order, { amountMinor: 1 })).toBe('repeat');
    expect(await desk.state(order)).toBe('paid');
    expect(await desk.review(order)).toContain('amount');
  });
});

describe('money that is not equal to its order', () => {
  const strange: [what: string, news: Partial<PaymentEvent>][] = [
    ['amount', { amountMinor: 26_399 }],
    ['amount', { amountMinor: 26_401 }],
    ['amount', { amountMinor: null }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: null }],
    ['mode', { mode: 'live' }],
    ['order', { orderId: randomUUID() }],
  ];
  test.each(strange)('in its %s never pays it and is never dropped (%o)', async (what, news) => {
    await desk.putInCart({ [coat]: 2 });
    await bringTo('pending');
    expect(await desk.tell(order, news)).toBe('needs_review');
    expect(await desk.state(order)).toBe('needs_review');
    expect(await desk.review(order)).toContain(what);
    expect(await desk.cart()).toEqual({ [coat]: 2 });
    expect(await desk.attempts(order)).toEqual(['stripe captured']);
  });

  test('of a paid order leaves it paid and asks for a person', async () => {
    await bringTo('paid');
    expect(await desk.tell(order, { amountMinor: 7 })).toBe('needs_review');
    expect(await desk.state(order)).toBe('paid');
    expect(await desk.review(order)).toContain('pi_1');
  });
});

test.each(['cancelled', 'expired', 'failed'])(
  'money for a %s order is late, and kept',
  async (state) => {
    await desk.putInCart({ [coat]: 2 });
    await bringTo(state);
    expect(await paid()).toBe('paid_late');
    expect(await desk.state(order)).toBe('paid_late');
    expect(await desk.review(order)).toContain(state);
    expect(await desk.cart()).toEqual({ [coat]: 2 });
  },
);

test.each(['paid', 'paid_late', 'needs_review'])(
  'a second payment of a %s order is kept apart',
  async (state) => {
    await bringTo(state);
    expect(await desk.tell(order, { provider: 'paypal', captureId: 'CAP-2' })).toBe('paid_again');
    expect(await desk.state(order)).toBe(state);
    expect(await desk.review(order)).toContain('refund one');
    expect(await desk.attempts(order)).toEqual(['stripe captured', 'paypal captured']);
  },
);

test('money for no order of ours is written down', async () => {
  expect(await desk.tell(order, { orderId: null, reference: 'cs_else' })).toBe('unknown');
  expect(await desk.tell(order, { orderId: randomUUID(), reference: 'cs_else' })).toBe('unknown');
  expect(await events()).toEqual(['unknown', 'unknown']);
  expect(await desk.state(order)).toBe('pending');
});

describe('news before the session’s id was noted', () => {
  test('finds the attempt that has none yet', async () => {
    await desk.orders.startAttempt(desk.user, order.id, 'stripe');
    expect(await paid()).toBe('paid');
    expect(await desk.attempts(order)).toEqual(['stripe captured']);
  });

  test('of an attempt that was given up for lost still pays', async () => {
    const { attempt } = await desk.orders.startAttempt(desk.user, order.id, 'stripe');
    if (attempt !== null) await desk.orders.failAttempt(attempt, 'kept failure');
    expect(await desk.tell(order, { outcome: 'expired' })).toBe('stale');
    expect(await paid()).toBe('paid');
    expect(await desk.attempts(order)).toEqual(['stripe failed', 'stripe captured']);
  });
});

describe('a payment that takes days', () => {
  test('is being confirmed, and then pays', async () => {
    await bringTo('confirming');
    expect(await desk.attempts(order)).toEqual(['stripe processing']);
    expect(await paid()).toBe('paid');
  });

  test('may fail; the order is then closed and the cart kept', async () => {
    await desk.putInCart({ [coat]: 2 });
    await bringTo('confirming');
    expect(await desk.tell(order, { outcome: 'failed' })).toBe('failed');
    expect(await desk.state(order)).toBe('failed');
    expect(await desk.cart()).toEqual({ [coat]: 2 });
  });

  test('is not overtaken by older news', async () => {
    await bringTo('pending');
    await paid();
    expect(await desk.tell(order, { outcome: 'pending' })).toBe('stale');
    expect(await desk.tell(order, { outcome: 'failed' })).toBe('stale');
    expect(await desk.tell(order, { outcome: 'expired' })).toBe('stale');
    expect(await desk.state(order)).toBe('paid');
  });

  test('does not come back to life when its failure was heard of first', async () => {
    await bringTo('failed');
    expect(await desk.tell(order, { outcome: 'pending' })).toBe('stale');
    expect(await desk.state(order)).toBe('failed');
  });
});

describe('an order that waits for a person', () => {
  const close = (state: string) =>
    desk.call('close_review', {
      p_order: order.id,
      p_state: state,
      p_note: 'Called her.',
      p_now: desk.now.toISOString(),
    });

  test('can be accepted, and then the cart is emptied of it', async () => {
    await desk.putInCart({ [coat]: 3 });
    await bringTo('paid_late');
    await close('paid');
    expect([await desk.state(order), await desk.review(order)]).toEqual(['paid', null]);
    expect(await desk.cart()).toEqual({ [coat]: 1 });
  });

  test('can be cancelled, and a paid one only be marked as seen to', async () => {
    await bringTo('paid');
    await desk.tell(order, { captureId: 'pi_2' });
    await expect(close('cancelled')).rejects.toMatchObject({ code: '23001' });
    await close('paid');
    expect(await desk.review(order)).toBeNull();
    await expect(close('paid')).rejects.toThrow('waits for nobody');
    const kinds = await desk.backend.query(
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
  const cancel = () =>
    desk.call('cancel_order', { p_order: order.id, p_now: desk.now.toISOString() });
  await expect(cancel()).rejects.toThrow('being confirmed');
  await desk.tell(order, {});
  await expect(cancel()).rejects.toThrow('paid already');
  await refusal(desk.orders.startAttempt(desk.user, order.id, 'stripe'), 'order-paid');
});
