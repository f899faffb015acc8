import { beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Provider } from '../../netlify/lib/provider.ts';
import { addBuyer, expectRejected } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';

const backend = await openBackendForFile();
const ada = await addBuyer(backend, 'ada');
const eve = await addBuyer(backend, 'eve');
let coat: number;
let order: PlacedOrder;

beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat } = await sell({ backend }, { COAT: 129.5 }));
  order = await ada.place({ [coat]: 1 });
});

const start = (provider: Provider) => ada.startAttempt(order, provider);
/** Part of an attempt's key. */
const atS = () => ada.now.getTime() / 1000;
const asked = async () => (await ada.orders.toAsk(10)).map(({ attempt }) => attempt.reference);

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
    const open = await ada.openAttempt(order, 'stripe', 'cs_1');
    expect(open).toMatchObject({ state: 'open', reference: 'cs_1' });
    expect((await start('stripe')).attempt).toEqual(open);
    expect(await ada.orders.recordReference(open, 'cs_other')).toEqual(open);
  });

  test('after a failure that the provider keeps, or an expired session, is a new attempt', async () => {
    const first = (await start('stripe')).attempt as Attempt;
    await ada.orders.failAttempt(first, 'stored 500');
    const second = await ada.openAttempt(order, 'stripe', 'cs_2');
    expect(second.number).toBe(2);
    await ada.applyPayment(order, { outcome: 'expired', reference: 'cs_2' });
    expect((await start('stripe')).attempt?.number).toBe(3);
    expect(await ada.attempts(order)).toEqual([
      'stripe failed',
      'stripe expired',
      'stripe creating',
    ]);
  });

  test('is for the shopper of the order only', async () => {
    await expectRejected(eve.startAttempt(order, 'stripe'), 'order-unknown');
    await expectRejected(ada.startAttempt(ada, 'stripe'), 'order-unknown');
  });

  test('ends with the order’s time, or after twenty attempts', async () => {
    for (let i = 0; i < 20; i += 1) {
      const { attempt } = await start('stripe');
      if (attempt !== null) await ada.orders.failAttempt(attempt, 'again');
    }
    await expectRejected(start('stripe'), 'order-closed');
    order = await ada.place({ [coat]: 1 });
    ada.waitMinutes(181);
    await expectRejected(start('paypal'), 'order-closed');
  });

  test('is refused once the order is paid, being confirmed or closed', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    await ada.applyPayment(order, { outcome: 'pending' });
    await expectRejected(start('stripe'), 'payment-under-way');
    await expectRejected(start('paypal'), 'payment-under-way');
    await ada.applyPayment(order, {});
    await expectRejected(start('paypal'), 'order-paid');
    await ada.putInCart({ [coat]: 1 });
    order = await ada.place({ [coat]: 1 });
    await ada.cancel(order);
    await expectRejected(start('stripe'), 'order-closed');
  });
});

describe('two providers for one order', () => {
  test('PayPal waits until the card session is over', async () => {
    const open = await ada.openAttempt(order, 'stripe', 'cs_1');
    expect(await start('paypal')).toEqual({
      attempt: null,
      blocked_by: open,
      of_order: order,
    });
    await ada.applyPayment(order, { outcome: 'expired' });
    expect((await start('paypal')).attempt).toMatchObject({ provider: 'paypal', number: 2 });
  });

  test('a card drops the PayPal order, and its money is then not taken', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    expect((await start('stripe')).attempt).toMatchObject({ provider: 'stripe', number: 2 });
    expect(await ada.attempts(order)).toEqual(['paypal void', 'stripe creating']);
    await expectRejected(ada.mayCapture('PP-1'), 'payment-elsewhere');
  });

  test('while PayPal’s money is being taken, a card must wait', async () => {
    const paypal = await ada.openAttempt(order, 'paypal', 'PP-1');
    await ada.mayCapture('PP-1');
    const { blocked_by } = await start('stripe');
    expect(blocked_by).toMatchObject({ number: paypal.number, state: 'capturing' });
    await ada.orders.releaseCapture(paypal, false);
    expect((await start('stripe')).attempt?.provider).toBe('stripe');
  });

  test('the database itself holds no two attempts alive', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    const second = backend.query(
      `insert into public.payment_attempts
         (order_id, number, provider, idempotency_key, created_at, expires_at)
       values ($1, 2, 'paypal', 'k', now(), now())`,
      [order.id],
    );
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });
});

describe('taking the money of a PayPal order', () => {
  beforeEach(() => ada.openAttempt(order, 'paypal', 'PP-1'));
  const may = () => ada.mayCapture('PP-1');

  test('is for its shopper only; others hear that there is none', async () => {
    await expectRejected(eve.mayCapture('PP-1'), 'order-unknown');
    await expectRejected(ada.mayCapture('PP-2'), 'order-unknown');
  });

  test('goes by one request id until PayPal has refused, then by another', async () => {
    const [first, second] = [await may(), await may()];
    expect(first.attempt.capture_key).toBe(`${order.id}:1:${atS()}:0`);
    expect(second).toEqual(first);
    await ada.orders.releaseCapture(first.attempt, false);
    expect(await ada.attempts(order)).toEqual(['paypal capturing']);
    await ada.orders.releaseCapture(first.attempt, false);
    expect(await ada.attempts(order)).toEqual(['paypal open']);
    expect((await may()).attempt.capture_key).toBe(`${order.id}:1:${atS()}:2`);
  });

  test('is not done again once the money came or is on its way', async () => {
    await may();
    await ada.applyPayment(order, { provider: 'paypal', outcome: 'pending' });
    expect(await may()).toMatchObject({ go: false, attempt: { state: 'processing' } });
    await ada.applyPayment(order, { provider: 'paypal', captureId: 'CAP-1' });
    expect(await may()).toMatchObject({ go: false, attempt: { state: 'captured' } });
  });

  test('is not done for an order that was paid otherwise or is closed', async () => {
    await ada.applyPayment(order, { reference: 'cs_lost' });
    expect(await ada.attempts(order)).toEqual(['paypal void', 'stripe captured']);
    await expectRejected(may(), 'order-paid');
    await ada.putInCart({ [coat]: 1 });
    order = await ada.place({ [coat]: 1 });
    await ada.openAttempt(order, 'paypal', 'PP-3');
    await ada.cancel(order);
    await expectRejected(ada.mayCapture('PP-3'), 'order-closed');
  });

  test('keeps the order from being cancelled and from expiring', async () => {
    await may();
    const cancel = ada.cancel(order);
    await expect(cancel).rejects.toThrow('being confirmed');
    ada.waitMinutes(300);
    expect(await ada.orders.expire()).toBe(0);
  });
});

describe('an order whose time is over', () => {
  test('expires, and its PayPal order is dropped', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    expect(await ada.orders.expire()).toBe(0);
    ada.waitMinutes(181);
    expect(await ada.orders.expire()).toBe(1);
    expect([await ada.state(order), await ada.attempts(order)]).toEqual([
      'expired',
      ['paypal void'],
    ]);
  });

  test('does not expire while a card may still pay it', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    ada.waitMinutes(181);
    expect(await ada.orders.expire()).toBe(0);
    await ada.applyPayment(order, { outcome: 'expired' });
    expect(await ada.orders.expire()).toBe(1);
  });
});

describe('asking providers', () => {
  test('begins when the request that made the attempt is surely over, and not twice a minute', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    ada.waitMinutes(1.9);
    expect(await asked()).toEqual([]);
    ada.waitMinutes(0.1);
    expect(await asked()).toEqual(['cs_1']);
    expect(await asked()).toEqual([]);
    ada.waitMinutes(1);
    expect(await asked()).toEqual(['cs_1']);
  });

  test('grows rarer with age: after a day once an hour', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    await ada.applyPayment(order, { outcome: 'pending' });
    ada.waitMinutes(24 * 60);
    expect(await asked()).toEqual(['cs_1']);
    ada.waitMinutes(59);
    expect(await asked()).toEqual([]);
    ada.waitMinutes(1);
    expect(await asked()).toEqual(['cs_1']);
  });

  test('is about cards, and about PayPal only where money may have moved', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    ada.waitMinutes(10);
    expect(await asked()).toEqual([]);
    await ada.mayCapture('PP-1');
    expect(await asked()).toEqual([]);
    ada.waitMinutes(2);
    expect(await asked()).toEqual(['PP-1']);
  });

  test('takes those first that were not asked about for longest', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    await ada.openAttempt(await ada.place({ [coat]: 2 }), 'stripe', 'cs_2');
    ada.waitMinutes(2);
    expect((await ada.orders.toAsk(1)).map(({ attempt }) => attempt.reference)).toEqual(['cs_1']);
    ada.waitMinutes(5);
    expect(await asked()).toEqual(['cs_2', 'cs_1']);
  });
});

describe('finding an order', () => {
  test('by its id or its session, one’s own only', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    const byId = await ada.orders.find(ada.id, order.id, null);
    expect(byId).toMatchObject({
      order: { id: order.id },
      attempt: { reference: 'cs_1' },
      may_ask: true,
    });
    ada.waitMinutes(1);
    expect(await ada.orders.find(ada.id, null, 'cs_1')).toMatchObject({
      order: { id: order.id },
    });
    expect(await ada.orders.find(eve.id, order.id, null)).toBeNull();
    expect(await ada.orders.find(eve.id, null, 'cs_1')).toBeNull();
    expect(await ada.orders.find(ada.id, null, 'cs_2')).toBeNull();
    expect(await ada.orders.find(ada.id, ada.id, null)).toBeNull();
  });

  test('lets the provider be asked every two seconds at most', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    const mayAsk = async () => (await ada.orders.find(ada.id, null, 'cs_1'))?.may_ask;
    expect([await mayAsk(), await mayAsk()]).toEqual([true, false]);
    ada.waitMinutes(0.05);
    expect(await mayAsk()).toBe(true);
    await ada.applyPayment(order, {});
    ada.waitMinutes(1);
    expect(await mayAsk()).toBe(false);
  });
});
