import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { OrderDesk, refusal } from './desk.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const LONG_AGO = new Date('2026-06-01T12:00:00Z');

let desk: OrderDesk;
let eve: OrderDesk;
let coat: number;

beforeAll(async () => {
  const backend = await openTestBackend();
  const account = (name: string) => ({ email: `${name}@weft.test`, password: 'secret-1' });
  desk = new OrderDesk(backend, await backend.addAccount(account('ada')));
  eve = new OrderDesk(backend, await backend.addAccount(account('eve')));
});
afterAll(() => desk.backend.close());
beforeEach(async () => {
  await desk.backend.query('truncate public.products, public.orders cascade');
  desk.now = NOON;
  ({ COAT: coat = 0 } = await sell(desk, { COAT: 54 }));
});

const cancel = (order: PlacedOrder) => desk.orders.cancel(desk.user, order.id);

describe('a shopper who cancels an order', () => {
  test('closes it, and a PayPal order for it can no longer be captured', async () => {
    const order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'paypal', 'PP-1');
    expect(await cancel(order)).toMatchObject({ order: { state: 'cancelled' }, blocked_by: null });
    await refusal(desk.orders.mayCapture(desk.user, 'PP-1'), 'order-closed');
    expect(await cancel(order)).toMatchObject({ order: { state: 'cancelled' } });
  });

  test('first has the card page ended, and money that came there meanwhile counts', async () => {
    const order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'stripe', 'cs_1');
    expect(await cancel(order)).toMatchObject({
      order: { state: 'pending' },
      blocked_by: { provider: 'stripe', reference: 'cs_1' },
    });
    expect(await desk.tell(order, {})).toBe('paid');
    await refusal(cancel(order), 'order-paid');
  });

  test('waits while the money may still come', async () => {
    const order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'stripe', 'cs_1');
    await desk.tell(order, { outcome: 'pending' });
    await refusal(cancel(order), 'payment-under-way');
    const other = await desk.place({ [coat]: 2 });
    await desk.open(other, 'paypal', 'PP-1');
    await desk.orders.mayCapture(desk.user, 'PP-1');
    expect(await cancel(other)).toMatchObject({ blocked_by: { state: 'capturing' } });
  });

  test('cancels no order of another shopper', async () => {
    const order = await desk.place({ [coat]: 1 });
    await refusal(eve.orders.cancel(eve.user, order.id), 'order-unknown');
    expect(await desk.state(order)).toBe('pending');
  });
});

describe('a shopper who begins payments', () => {
  /** Each on an order of its own. */
  const begin = async (quantity: number) => {
    const order = await desk.place({ [coat]: quantity });
    return desk.open(order, 'stripe', `cs_${randomUUID()}`);
  };

  test('begins ten within a minute, and is then told how long to wait', async () => {
    for (let i = 1; i <= 10; i += 1) await begin(i);
    const orders = async () =>
      (await desk.backend.query('select count(*)::int as n from public.orders'))[0]?.['n'];
    const { retryAfter, sentence } = await refusal(begin(11), 'too-many-attempts');
    expect(sentence).toContain('wait a minute');
    expect(retryAfter).toBe(60);
    expect(await orders()).toBe(10);
    desk.now = new Date(NOON.getTime() + 61_000);
    await begin(11);
  });

  test('does not use up the payments of other shoppers', async () => {
    for (let i = 1; i <= 10; i += 1) await begin(i);
    eve.now = NOON;
    await eve.open(await eve.place({ [coat]: 1 }), 'stripe', 'cs_eve');
  });

  test('may go back and forth between ways to pay ten times', async () => {
    const order = await desk.place({ [coat]: 1 });
    for (let i = 1; i <= 10; i += 1) {
      await desk.open(order, 'paypal', `PP-${i}`);
      desk.now = new Date(desk.now.getTime() + 1000);
      await desk.backend.query(
        `update public.payment_attempts set state = 'void' where reference = $1`,
        [`PP-${i}`],
      );
    }
    const thrown = await desk.orders.startAttempt(desk.user, order.id, 'stripe').catch(String);
    expect(thrown).toContain('begun many payments');
    expect(await refusal(begin(5), 'too-many-attempts')).toMatchObject({ retryAfter: 50 });
  });
});

describe('an order that was never paid', () => {
  const prune = async (before: string) =>
    Number(await desk.call('prune_unpaid_orders', { p_before: before }));
  const rows = async () =>
    (
      await desk.backend.query(
        `select (select count(*) from public.orders) || ' ' || (select count(*) from public.order_items)
          || ' ' || (select count(*) from public.payment_attempts) as n`,
      )
    )[0]?.['n'];

  test('is forgotten a month after it was closed, with its lines', async () => {
    desk.now = LONG_AGO;
    const order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'paypal', 'PP-1');
    await cancel(order);
    desk.now = NOON;
    const recent = await desk.place({ [coat]: 2 });
    await cancel(recent);
    expect(await rows()).toBe('2 2 1');
    expect(await prune('2026-07-01T00:00:00Z')).toBe(1);
    expect(await rows()).toBe('1 1 0');
    expect(await prune('2026-07-01T00:00:00Z')).toBe(0);
  });

  test.each([
    ['is open', async () => undefined],
    ['was paid', (order: PlacedOrder) => desk.tell(order, {})],
    [
      'was paid late',
      async (order: PlacedOrder) => {
        await desk.tell(order, { outcome: 'failed' });
        await desk.tell(order, {});
      },
    ],
    [
      'had a payment under way that failed',
      async (order: PlacedOrder) => {
        await desk.tell(order, { outcome: 'pending' });
        await desk.tell(order, { outcome: 'failed' });
      },
    ],
  ])('is kept where it %s', async (_, happens) => {
    desk.now = LONG_AGO;
    const order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'stripe', 'cs_1');
    await happens(order);
    expect(await prune('2026-07-01T00:00:00Z')).toBe(0);
    for (const table of ['order_items', 'order_events', 'payment_attempts']) {
      await expect(
        desk.backend.query(`delete from public.${table} where true`),
        table,
      ).rejects.toThrow(/not deleted while|keeps what is known/);
    }
    await expect(desk.backend.query('delete from public.orders where true')).rejects.toThrow();
    expect(await rows()).toBe('1 1 1');
  });

  test('of this week is not forgotten, whoever asks', async () => {
    await expect(prune(new Date().toISOString())).rejects.toThrow('not pruned');
  });
});
