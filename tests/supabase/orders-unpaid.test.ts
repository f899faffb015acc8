/** Orders that are not paid: cancelling them, how many a shopper may place, and when they are deleted. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { addBuyer, expectRejected, ORDER_MINUTES } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const LONG_AGO = new Date('2026-06-01T12:00:00Z');

const backend = await openBackendForFile();
const buyer = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
let coat: number;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders, public.provider_asks cascade');
  buyer.now = NOON;
  ({ COAT: coat } = await sell(buyer, { COAT: 54 }));
});

/** Orders that were closed before this time are deleted. */
const PRUNED_BEFORE = '2026-07-01T00:00:00Z';
/** How often one shopper may have the providers asked. A new payment counts twice: its order and its page. */
const ASKS_PER_MINUTE = 30;
const PAYMENTS_PER_MINUTE = ASKS_PER_MINUTE / 2;
/** How often pages that wait for their orders may have the providers asked. */
const ASKS_OF_PAGES_PER_MINUTE = 15;
const UNPAID_PER_DAY = 100;

/** Cancels the order as the shopper does; `buyer.cancel` does so as staff do. */
const cancel = (order: PlacedOrder) => buyer.orders.cancel(buyer.id, order.id);

describe('a shopper who cancels an order', () => {
  test('closes it, and a PayPal order for it can no longer be captured', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'paypal', 'PP-1');
    expect(await cancel(order)).toMatchObject({ order: { state: 'cancelled' }, blocked_by: null });
    await expectRejected(buyer.mayCapture('PP-1'), 'order-closed');
    expect(await cancel(order)).toMatchObject({ order: { state: 'cancelled' } });
  });

  test('must have the card page ended first, and a payment that arrived there meanwhile counts', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    expect(await cancel(order)).toMatchObject({
      order: { state: 'pending' },
      blocked_by: { provider: 'stripe', reference: 'cs_1' },
    });
    expect(await buyer.applyPayment(order, {})).toBe('paid');
    await expectRejected(cancel(order), 'order-paid');
  });

  test('cannot cancel while a payment may still arrive', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    await buyer.applyPayment(order, { outcome: 'pending' });
    await expectRejected(cancel(order), 'payment-under-way');
    const other = await buyer.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-1');
    await buyer.mayCapture('PP-1');
    expect(await cancel(other)).toMatchObject({ blocked_by: { state: 'capturing' } });
  });

  test('is told of a payment that is being confirmed, though staff have cancelled the order', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    await buyer.cancel(order);
    await buyer.applyPayment(order, { outcome: 'pending' });
    await expectRejected(cancel(order), 'payment-under-way');
  });

  test('cannot cancel an order of another shopper', async () => {
    const order = await buyer.place({ [coat]: 1 });
    await expectRejected(eve.orders.cancel(eve.id, order.id), 'order-unknown');
    expect(await buyer.state(order)).toBe('pending');
  });
});

describe('an order that was placed three hours ago', () => {
  const EXPIRED_PER_RUN = 200;

  test('is closed although the pages of two hundred older ones are still open', async () => {
    const older = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    buyer.waitMinutes(1);
    const order = await buyer.place({ [coat]: 2 });
    await addCopiesWithOpenPages(older, EXPIRED_PER_RUN);
    buyer.waitMinutes(ORDER_MINUTES + 1);
    expect(await buyer.orders.expire()).toBe(1);
    expect([await buyer.state(order), await buyer.state(older)]).toEqual(['expired', 'pending']);
  });

  test('is not paid by what was approved at PayPal, unless its capture has begun in time', async () => {
    const late = await buyer.placeAndOpen({ [coat]: 1 }, 'paypal', 'PP-late');
    await buyer.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-begun');
    buyer.waitMinutes(ORDER_MINUTES - 1);
    await buyer.mayCapture('PP-begun');
    buyer.waitMinutes(1);
    const { sentence } = await expectRejected(buyer.mayCapture('PP-late'), 'order-closed');
    expect(sentence).toBe('This order is closed. Please place it again.');
    expect(await buyer.attempts(late)).toEqual(['paypal open']);
    expect(await buyer.mayCapture('PP-begun')).toMatchObject({ go: true });
  });
});

/** Adds so many orders like this one, each with a card page of its own. */
async function addCopiesWithOpenPages(order: PlacedOrder, count: number): Promise<void> {
  await backend.query(
    `with copies as (
       insert into public.orders
         (id, user_id, email, total_minor, mode, address, asked, created_at, expires_at)
       select gen_random_uuid(), user_id, email, total_minor, mode, address, asked, created_at, expires_at
       from public.orders, generate_series(1, $2::int) where id = $1
       returning id, created_at, expires_at)
     insert into public.payment_attempts
       (order_id, number, provider, state, idempotency_key, reference, created_at, expires_at)
     select id, 1, 'stripe', 'open', id, 'cs_' || id, created_at, expires_at from copies`,
    [order.id, count],
  );
}

describe('a shopper who begins payments', () => {
  /** Places an order and begins to pay it. */
  const begin = (quantity: number) =>
    buyer.placeAndOpen({ [coat]: quantity }, 'stripe', `cs_${randomUUID()}`);

  test('can begin fifteen within a minute, and is then told how long to wait; others can go on paying', async () => {
    for (let i = 1; i <= PAYMENTS_PER_MINUTE; i += 1) await begin(i);
    const { retryAfter, sentence } = await expectRejected(
      begin(PAYMENTS_PER_MINUTE + 1),
      'too-many-attempts',
    );
    expect(sentence).toContain('wait a minute');
    expect(retryAfter).toBe(60);
    expect(await backend.query('select from public.orders')).toHaveLength(PAYMENTS_PER_MINUTE);
    eve.now = NOON;
    await eve.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_eve');
    buyer.now = new Date(NOON.getTime() + 61_000);
    await begin(PAYMENTS_PER_MINUTE + 1);
  });

  test('can place a hundred unpaid orders a day, even if all are cancelled', async () => {
    for (let i = 0; i < UNPAID_PER_DAY; i += 1) {
      // More than a minute apart, so that only the limit of a day counts.
      buyer.now = new Date(NOON.getTime() + i * 61_000);
      await cancel(await buyer.place({ [coat]: 1 }));
    }
    await expectRejected(buyer.place({ [coat]: 1 }), 'too-many-orders');
    buyer.now = new Date(NOON.getTime() + 25 * 3_600_000);
    await buyer.place({ [coat]: 1 });
  });

  test('has the card page of one order asked for thirty times within a minute at most', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    const press = () => buyer.startAttempt(order, 'stripe');
    for (let asks = 2; asks < ASKS_PER_MINUTE; asks += 1) {
      buyer.now = new Date(buyer.now.getTime() + 1000);
      expect(await press()).toMatchObject({ attempt: { reference: 'cs_1' } });
    }
    // The minute began 28 seconds ago, so it ends in 32.
    expect(await expectRejected(press(), 'too-many-attempts')).toMatchObject({ retryAfter: 32 });
    buyer.now = new Date(NOON.getTime() + 60_000);
    expect(await press()).toMatchObject({ attempt: { reference: 'cs_1' } });
  });

  test('has PayPal asked for money that it refuses thirty times within a minute at most', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'paypal', 'PP-1');
    for (let asks = 2; asks < ASKS_PER_MINUTE; asks += 1) {
      const { attempt } = await buyer.mayCapture('PP-1');
      await buyer.orders.releaseCapture(attempt, 'this-request');
    }
    await expectRejected(buyer.mayCapture('PP-1'), 'too-many-attempts');
    expect(await buyer.attempts(order)).toEqual(['paypal open']);
  });

  test('has the card page of an order closed thirty times within a minute at most, also by a deletion', async () => {
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    for (let asks = 2; asks < ASKS_PER_MINUTE; asks += 2) {
      expect(await cancel(order)).toMatchObject({ blocked_by: { reference: 'cs_1' } });
      expect(await buyer.erase()).toMatchObject({ open: [{ attempt: { reference: 'cs_1' } }] });
    }
    await expectRejected(cancel(order), 'too-many-attempts');
    await expectRejected(buyer.erase(), 'too-many-attempts');
  });

  test('has card pages closed thirty times within a minute at most, when an account with many is deleted again and again', async () => {
    for (let quantity = 1; quantity <= 14; quantity += 1) await begin(quantity);
    buyer.waitMinutes(1);
    const countPagesToClose = async () => (await buyer.erase()).open.length;
    const counts = [
      await countPagesToClose(),
      await countPagesToClose(),
      await countPagesToClose(),
    ];
    expect(counts).toEqual([14, 14, ASKS_PER_MINUTE - 2 * 14]);
    await expectRejected(buyer.erase(), 'too-many-attempts');
  });

  /** Whether the page may have the provider asked about its order now. The provider may have news of it. */
  const MAY_ASK = { may_ask: true, is_current: false };
  const MUST_WAIT = { may_ask: false, is_current: false };

  test('has the providers asked fifteen times within a minute by pages that wait for their orders, and can still pay', async () => {
    const sessions = Array.from({ length: ASKS_OF_PAGES_PER_MINUTE }, (_, i) => `cs_${i}`);
    // More than a minute apart, so that the limit of payments does not count.
    for (const [i, session] of sessions.entries()) {
      buyer.now = new Date(NOON.getTime() + i * 61_000);
      await buyer.placeAndOpen({ [coat]: i + 1 }, 'stripe', session);
    }
    buyer.waitMinutes(1);
    const find = (session: string) => buyer.orders.find(buyer.id, null, session);
    const expectAll = async (answer: object) => {
      for (const session of sessions) expect(await find(session), session).toMatchObject(answer);
    };
    await expectAll(MAY_ASK);
    await expectAll(MUST_WAIT);
    // An order may be asked about again after 2 seconds; here the shopper's limit forbids that.
    buyer.now = new Date(buyer.now.getTime() + 3000);
    await expectAll(MUST_WAIT);
    await begin(PAYMENTS_PER_MINUTE + 1);
    buyer.waitMinutes(1);
    expect(await find('cs_0')).toMatchObject(MAY_ASK);
  });
});

describe('an order that was never paid', () => {
  const prune = async (before: string) =>
    Number(await buyer.call('prune_unpaid_orders', { p_before: before }));
  /** The numbers of orders, lines and attempts. */
  const rowCounts = async () => {
    const counts = ['orders', 'order_items', 'payment_attempts'].map(
      async (table) => (await backend.query(`select from public.${table}`)).length,
    );
    return Promise.all(counts);
  };

  test('is deleted with its lines when it was closed before a given time', async () => {
    buyer.now = LONG_AGO;
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'paypal', 'PP-1');
    await cancel(order);
    buyer.now = NOON;
    const recent = await buyer.place({ [coat]: 2 });
    await cancel(recent);
    expect(await rowCounts()).toEqual([2, 2, 1]);
    expect(await prune(PRUNED_BEFORE)).toBe(1);
    expect(await rowCounts()).toEqual([1, 1, 0]);
    expect(await prune(PRUNED_BEFORE)).toBe(0);
  });

  test('is deleted with a hundred others at most, so that the database has time for it', async () => {
    buyer.now = LONG_AGO;
    const { id } = await buyer.place({ [coat]: 1 });
    await backend.query(
      `insert into public.orders select (jsonb_populate_record(o, jsonb_build_object(
         'id', gen_random_uuid()))).*
       from public.orders o, generate_series(1, 100) where o.id = $1`,
      [id],
    );
    await backend.query(`update public.orders set state = 'cancelled'`);
    expect(await prune(PRUNED_BEFORE)).toBe(100);
    expect(await prune(PRUNED_BEFORE)).toBe(1);
  });

  test.each([
    ['is open', async () => undefined],
    ['was paid', (order: PlacedOrder) => buyer.applyPayment(order, {})],
    [
      'was paid late',
      async (order: PlacedOrder) => {
        await buyer.applyPayment(order, { outcome: 'failed' });
        await buyer.applyPayment(order, {});
      },
    ],
    [
      'had a payment under way that failed',
      async (order: PlacedOrder) => {
        await buyer.applyPayment(order, { outcome: 'pending' });
        await buyer.applyPayment(order, { outcome: 'failed' });
      },
    ],
  ])('is kept if it %s', async (_, bringTo) => {
    buyer.now = LONG_AGO;
    const order = await buyer.placeAndOpen({ [coat]: 1 }, 'stripe', 'cs_1');
    await bringTo(order);
    expect(await prune(PRUNED_BEFORE)).toBe(0);
    for (const table of ['order_items', 'order_events', 'payment_attempts']) {
      await expect(backend.query(`delete from public.${table} where true`), table).rejects.toThrow(
        /not deleted while|keeps what is known/,
      );
    }
    await expect(backend.query('delete from public.orders where true')).rejects.toThrow();
    expect(await rowCounts()).toEqual([1, 1, 1]);
  });

  test('is not deleted when it was closed this week', async () => {
    await expect(prune(new Date().toISOString())).rejects.toThrow('not pruned');
  });
});
