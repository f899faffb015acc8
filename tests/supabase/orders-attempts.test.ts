import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Provider } from '../../netlify/lib/provider.ts';
import { OrderDesk, refusal } from './desk.ts';
import { openTestBackend } from './shop.ts';
import { sell } from './shoppers.ts';

let desk: OrderDesk;
let eve: OrderDesk;
let coat: number;
let order: PlacedOrder;

beforeAll(async () => {
  const backend = await openTestBackend();
  const account = (name: string) =>
    backend.addAccount({ email: `${name}@weft.test`, password: 'secret-1' });
  [desk, eve] = [
    new OrderDesk(backend, await account('ada')),
    new OrderDesk(backend, await account('eve')),
  ];
});
afterAll(() => desk.backend.close());
beforeEach(async () => {
  await desk.backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat = 0 } = await sell(desk, { COAT: 129.5 }));
  order = await desk.place({ [coat]: 1 });
});

const start = (provider: Provider) => desk.orders.startAttempt(desk.user, order.id, provider);
/** Part of an attempt's key. */
const atS = () => desk.now.getTime() / 1000;
const asked = async () => (await desk.orders.toAsk(10)).map(({ attempt }) => attempt.reference);

describe('beginning to pay', () => {
  test('again gives the same attempt, so that the provider gives the same page', async () => {
    const first = await start('stripe');
    expect(first.attempt).toMatchObject({
      number: 1,
      state: 'creating',
      key: `${order.id}:1:${atS()}`,
      reference: null,
    });
    expect(await start('stripe')).toEqual(first);
    const open = await desk.open(order, 'stripe', 'cs_1');
    expect(open).toMatchObject({ state: 'open', reference: 'cs_1' });
    expect((await start('stripe')).attempt).toEqual(open);
    expect(await desk.orders.recordReference(open, 'cs_other')).toEqual(open);
  });

  test('after a failure that the provider keeps, or an expired session, is a new attempt', async () => {
    const first = (await start('stripe')).attempt as Attempt;
    await desk.orders.failAttempt(first, 'stored 500');
    const second = await desk.open(order, 'stripe', 'cs_2');
    expect(second.number).toBe(2);
    await desk.tell(order, { outcome: 'expired', reference: 'cs_2' });
    expect((await start('stripe')).attempt?.number).toBe(3);
    expect(await desk.attempts(order)).toEqual([
      'stripe failed',
      'stripe expired',
      'stripe creating',
    ]);
  });

  test('is for the shopper of the order only', async () => {
    await refusal(eve.orders.startAttempt(eve.user, order.id, 'stripe'), 'order-unknown');
    await refusal(desk.orders.startAttempt(desk.user, desk.user, 'stripe'), 'order-unknown');
  });

  test('ends with the order’s time, or after twenty attempts', async () => {
    for (let i = 0; i < 20; i += 1) {
      const { attempt } = await start('stripe');
      if (attempt !== null) await desk.orders.failAttempt(attempt, 'again');
      // Ten a minute are too many.
      if (i === 9) desk.wait(1);
    }
    await refusal(start('stripe'), 'order-closed');
    desk.wait(1);
    order = await desk.place({ [coat]: 1 });
    desk.wait(181);
    await refusal(start('paypal'), 'order-closed');
  });

  test('is refused once the order is paid, being confirmed or closed', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    await desk.tell(order, { outcome: 'pending' });
    await refusal(start('stripe'), 'payment-under-way');
    await refusal(start('paypal'), 'payment-under-way');
    await desk.tell(order, {});
    await refusal(start('paypal'), 'order-paid');
    await desk.putInCart({ [coat]: 1 });
    order = await desk.place({ [coat]: 1 });
    await desk.call('cancel_order', { p_order: order.id, p_now: desk.now.toISOString() });
    await refusal(start('stripe'), 'order-closed');
  });
});

describe('two providers for one order', () => {
  test('PayPal waits until the card session is over', async () => {
    const open = await desk.open(order, 'stripe', 'cs_1');
    expect(await start('paypal')).toEqual({
      attempt: null,
      blocked_by: open,
      of_order: order,
    });
    await desk.tell(order, { outcome: 'expired' });
    expect((await start('paypal')).attempt).toMatchObject({ provider: 'paypal', number: 2 });
  });

  test('a card drops the PayPal order, and its money is then not taken', async () => {
    await desk.open(order, 'paypal', 'PP-1');
    expect((await start('stripe')).attempt).toMatchObject({ provider: 'stripe', number: 2 });
    expect(await desk.attempts(order)).toEqual(['paypal void', 'stripe creating']);
    await refusal(desk.orders.mayCapture(desk.user, 'PP-1'), 'payment-elsewhere');
  });

  test('while PayPal’s money is being taken, a card must wait', async () => {
    const paypal = await desk.open(order, 'paypal', 'PP-1');
    await desk.orders.mayCapture(desk.user, 'PP-1');
    const { blocked_by } = await start('stripe');
    expect(blocked_by).toMatchObject({ number: paypal.number, state: 'capturing' });
    await desk.orders.releaseCapture(paypal, false);
    expect((await start('stripe')).attempt?.provider).toBe('stripe');
  });

  test('the database itself holds no two attempts alive', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    const second = desk.backend.query(
      `insert into public.payment_attempts
         (order_id, number, provider, idempotency_key, created_at, expires_at)
       values ($1, 2, 'paypal', 'k', now(), now())`,
      [order.id],
    );
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });
});

describe('taking the money of a PayPal order', () => {
  beforeEach(() => desk.open(order, 'paypal', 'PP-1'));
  const may = () => desk.orders.mayCapture(desk.user, 'PP-1');

  test('is for its shopper only; others hear that there is none', async () => {
    await refusal(eve.orders.mayCapture(eve.user, 'PP-1'), 'order-unknown');
    await refusal(desk.orders.mayCapture(desk.user, 'PP-2'), 'order-unknown');
  });

  test('goes by one request id until PayPal has refused, then by another', async () => {
    const [first, second] = [await may(), await may()];
    expect(first.attempt.capture_key).toBe(`${order.id}:1:${atS()}:0`);
    expect(second).toEqual(first);
    await desk.orders.releaseCapture(first.attempt, false);
    expect(await desk.attempts(order)).toEqual(['paypal capturing']);
    await desk.orders.releaseCapture(first.attempt, false);
    expect(await desk.attempts(order)).toEqual(['paypal open']);
    expect((await may()).attempt.capture_key).toBe(`${order.id}:1:${atS()}:2`);
  });

  test('is not done again once the money came or is on its way', async () => {
    await may();
    await desk.tell(order, { provider: 'paypal', outcome: 'pending' });
    expect(await may()).toMatchObject({ go: false, attempt: { state: 'processing' } });
    await desk.tell(order, { provider: 'paypal', captureId: 'CAP-1' });
    expect(await may()).toMatchObject({ go: false, attempt: { state: 'captured' } });
  });

  test('is not done for an order that was paid otherwise or is closed', async () => {
    await desk.tell(order, { reference: 'cs_lost' });
    expect(await desk.attempts(order)).toEqual(['paypal void', 'stripe captured']);
    await refusal(may(), 'order-paid');
    await desk.putInCart({ [coat]: 1 });
    order = await desk.place({ [coat]: 1 });
    await desk.open(order, 'paypal', 'PP-3');
    await desk.call('cancel_order', { p_order: order.id, p_now: desk.now.toISOString() });
    await refusal(desk.orders.mayCapture(desk.user, 'PP-3'), 'order-closed');
  });

  test('keeps the order from being cancelled and from expiring', async () => {
    await may();
    const cancel = desk.call('cancel_order', { p_order: order.id, p_now: desk.now.toISOString() });
    await expect(cancel).rejects.toThrow('being confirmed');
    desk.wait(300);
    expect(await desk.orders.expire()).toBe(0);
  });
});

describe('an order whose time is over', () => {
  test('expires, and its PayPal order is dropped', async () => {
    await desk.open(order, 'paypal', 'PP-1');
    expect(await desk.orders.expire()).toBe(0);
    desk.wait(181);
    expect(await desk.orders.expire()).toBe(1);
    expect([await desk.state(order), await desk.attempts(order)]).toEqual([
      'expired',
      ['paypal void'],
    ]);
  });

  test('does not expire while a card may still pay it', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    desk.wait(181);
    expect(await desk.orders.expire()).toBe(0);
    await desk.tell(order, { outcome: 'expired' });
    expect(await desk.orders.expire()).toBe(1);
  });
});

describe('asking providers', () => {
  test('begins when the request that made the attempt is surely over, and not twice a minute', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    desk.wait(1.9);
    expect(await asked()).toEqual([]);
    desk.wait(0.1);
    expect(await asked()).toEqual(['cs_1']);
    expect(await asked()).toEqual([]);
    desk.wait(1);
    expect(await asked()).toEqual(['cs_1']);
  });

  test('grows rarer with age: after a day once an hour', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    await desk.tell(order, { outcome: 'pending' });
    desk.wait(24 * 60);
    expect(await asked()).toEqual(['cs_1']);
    desk.wait(59);
    expect(await asked()).toEqual([]);
    desk.wait(1);
    expect(await asked()).toEqual(['cs_1']);
  });

  test('is about cards, and about PayPal only where money may have moved', async () => {
    await desk.open(order, 'paypal', 'PP-1');
    desk.wait(10);
    expect(await asked()).toEqual([]);
    await desk.orders.mayCapture(desk.user, 'PP-1');
    expect(await asked()).toEqual([]);
    desk.wait(2);
    expect(await asked()).toEqual(['PP-1']);
  });

  test('takes those first that were not asked about for longest', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    await desk.open(await desk.place({ [coat]: 2 }), 'stripe', 'cs_2');
    desk.wait(2);
    expect((await desk.orders.toAsk(1)).map(({ attempt }) => attempt.reference)).toEqual(['cs_1']);
    desk.wait(5);
    expect(await asked()).toEqual(['cs_2', 'cs_1']);
  });
});

describe('finding an order', () => {
  test('by its id or its session, one’s own only', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    const byId = await desk.orders.find(desk.user, order.id, null);
    expect(byId).toMatchObject({
      order: { id: order.id },
      attempt: { reference: 'cs_1' },
      may_ask: true,
    });
    desk.wait(1);
    expect(await desk.orders.find(desk.user, null, 'cs_1')).toMatchObject({
      order: { id: order.id },
    });
    expect(await desk.orders.find(eve.user, order.id, null)).toBeNull();
    expect(await desk.orders.find(eve.user, null, 'cs_1')).toBeNull();
    expect(await desk.orders.find(desk.user, null, 'cs_2')).toBeNull();
    expect(await desk.orders.find(desk.user, desk.user, null)).toBeNull();
  });

  test('lets the provider be asked every two seconds at most', async () => {
    await desk.open(order, 'stripe', 'cs_1');
    const mayAsk = async () => (await desk.orders.find(desk.user, null, 'cs_1'))?.may_ask;
    expect([await mayAsk(), await mayAsk()]).toEqual([true, false]);
    desk.wait(0.05);
    expect(await mayAsk()).toBe(true);
    await desk.tell(order, {});
    desk.wait(1);
    expect(await mayAsk()).toBe(false);
  });
});
