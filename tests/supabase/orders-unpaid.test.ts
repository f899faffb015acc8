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
test('an order that was placed three hours ago is not paid by what was approved at PayPal, unless its capture has begun in time', async () => {
  const late = await buyer.placeAndOpen({ [coat]: 1 }, 'paypal', 'PP-late');
  const eve = await addBuyer(backend, 'eve');
  eve.now = NOON;
  await eve.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-begun');
  eve.waitMinutes(ORDER_MINUTES - 1);
  await eve.mayCapture('PP-begun');
  eve.waitMinutes(1);
  buyer.now = eve.now;
  const { sentence } = await expectRejected(buyer.mayCapture('PP-late'), 'order-closed');
  expect(sentence).toBe('This order is closed. Place it again.');
  expect(await buyer.attempts(late)).toEqual(['paypal open']);
  expect(await eve.mayCapture('PP-begun')).toMatchObject({ go: true });
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
    await buyer.cancel(order);
    buyer.now = NOON;
    const recent = await buyer.place({ [coat]: 2 });
    await buyer.cancel(recent);
    expect(await rowCounts()).toEqual([2, 2, 1]);
    expect(await prune(PRUNED_BEFORE)).toBe(1);
    expect(await rowCounts()).toEqual([1, 1, 0]);
    expect(await prune(PRUNED_BEFORE)).toBe(0);
  });

  test.each([
    ['is open', async () => undefined],
    ['was paid', (order: PlacedOrder) => buyer.applyPayment(order, {})],
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
