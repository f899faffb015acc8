/** Orders that are not paid: when they are closed, and when they are deleted. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { addBuyer, expectRejected, ORDER_MINUTES } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const LONG_AGO = new Date('2026-06-01T12:00:00Z');

const backend = await openBackendForFile();
const buyer = await addBuyer(backend, 'ada');
let coat: number;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  buyer.now = NOON;
  ({ COAT: coat } = await sell(buyer, { COAT: 54 }));
});

/** Orders that were closed before this time are deleted. */
const PRUNED_BEFORE = '2026-07-01T00:00:00Z';
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
    const eve = await addBuyer(backend, 'eve');
    eve.now = NOON;
    await eve.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-begun');
    eve.waitMinutes(ORDER_MINUTES - 1);
    await eve.mayCapture('PP-begun');
    eve.waitMinutes(1);
    buyer.now = eve.now;
    const { sentence } = await expectRejected(buyer.mayCapture('PP-late'), 'order-closed');
    expect(sentence).toBe('This order is closed. Please place it again.');
    expect(await buyer.attempts(late)).toEqual(['paypal open']);
    expect(await eve.mayCapture('PP-begun')).toMatchObject({ go: true });
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
    await buyer.cancel(order);
    buyer.now = NOON;
    const recent = await buyer.place({ [coat]: 2 });
    await buyer.cancel(recent);
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
