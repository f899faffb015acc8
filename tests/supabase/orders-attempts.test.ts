/** Attempts to pay an order: when one may begin, be captured, expire, or be asked about at its provider. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentAttempt, PlacedOrder } from '../../netlify/lib/orders.ts';
import type { Provider } from '../../netlify/lib/provider.ts';
import { addBuyer, ASK_MINUTES, expectRejected, ORDER_MINUTES } from './buyer.ts';
import { openBackendForFile } from './shop-for-file.ts';
import { sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

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
/** References of the attempts about which the shop would ask their provider now. */
const referencesToAsk = async () =>
  (await ada.orders.attemptsToAsk(10)).map(({ attempt }) => attempt.reference);

describe('beginning to pay', () => {
  test('a second start returns the same attempt, so that the provider returns the same page', async () => {
    const first = await start('stripe');
    expect(first.attempt).toMatchObject({
      number: 1,
      state: 'creating',
      key: expect.stringMatching(new RegExp(`^${order.id}:1:[\\da-f-]{36}$`)) as string,
      reference: null,
    });
    expect(await start('stripe')).toEqual(first);
    const open = await ada.openAttempt(order, 'stripe', 'cs_1');
    expect(open).toMatchObject({ state: 'open', reference: 'cs_1' });
    expect((await start('stripe')).attempt).toEqual(open);
    expect(await ada.orders.recordReference(open, 'cs_other')).toEqual(open);
  });

  test('after a failure that the provider would repeat, or an expired session, a new attempt begins', async () => {
    const first = (await start('stripe')).attempt as PaymentAttempt;
    await ada.orders.failAttempt(first, 'Stripe answered 500');
    const second = await ada.openAttempt(order, 'stripe', 'cs_2');
    expect(second.number).toBe(2);
    await ada.applyPayment(order, { outcome: 'expired', reference: 'cs_2' });
    expect((await start('stripe')).attempt?.number).toBe(3);
    const states = ['stripe failed', 'stripe expired', 'stripe creating'];
    expect(await ada.attempts(order)).toEqual(states);
  });

  test('only the shopper of an order can begin to pay it', async () => {
    await expectRejected(eve.startAttempt(order, 'stripe'), 'order-unknown');
  });

  test('no attempt can begin for an order of three hours ago', async () => {
    ada.waitMinutes(ORDER_MINUTES + 1);
    await expectRejected(start('paypal'), 'order-closed');
  });

  test('no attempt can begin for an order that is paid, being confirmed or closed', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    await ada.applyPayment(order, { outcome: 'pending' });
    await expectRejected(start('stripe'), 'payment-under-way');
    await expectRejected(start('paypal'), 'payment-under-way');
    await ada.applyPayment(order, {});
    await expectRejected(start('paypal'), 'order-paid');
    order = await ada.place({ [coat]: 1 });
    await ada.cancel(order);
    await expectRejected(start('stripe'), 'order-closed');
  });
});

describe('two providers for one order', () => {
  test('a card attempt voids the PayPal order, which can then not be captured', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    expect((await start('stripe')).attempt).toMatchObject({ provider: 'stripe', number: 2 });
    expect(await ada.attempts(order)).toEqual(['paypal void', 'stripe creating']);
    await expectRejected(ada.mayCapture('PP-1'), 'payment-elsewhere');
  });

  test('the database rejects a second open attempt of an order', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    const second = backend.query(
      `insert into public.payment_attempts
         (order_id, number, provider, idempotency_key, created_at, expires_at)
       values ($1, 2, 'paypal', 'any key', now(), now())`,
      [order.id],
    );
    await expect(second).rejects.toMatchObject({ code: SQLSTATE.uniqueViolation });
  });
});

describe('capturing a PayPal order', () => {
  beforeEach(async () => {
    // A card page that was given up, and whose id came late: it may have been paid.
    const { attempt } = await start('stripe');
    if (attempt === null) throw new Error('another attempt is open');
    await ada.orders.failAttempt(attempt, 'Stripe answered 500');
    await ada.orders.recordReference(attempt, 'cs_lost');
    await ada.openAttempt(order, 'paypal', 'PP-1');
  });
  const mayCapture = () => ada.mayCapture('PP-1');

  test('a capture keeps its request id until PayPal has rejected each request, and then gets a new one', async () => {
    const [first, second] = [await mayCapture(), await mayCapture()];
    expect(first.attempt.capture_key).toBe(`${first.attempt.key}:0`);
    expect(second).toEqual(first);
    // Two requests were made, so PayPal must reject two.
    await ada.orders.releaseCapture(first.attempt, 'this-request');
    expect(await ada.attempts(order)).toEqual(['stripe failed', 'paypal capturing']);
    await ada.orders.releaseCapture(first.attempt, 'this-request');
    expect(await ada.attempts(order)).toEqual(['stripe failed', 'paypal open']);
    // The key ends with the number of rejections.
    expect((await mayCapture()).attempt.capture_key).toBe(`${first.attempt.key}:2`);
  });

  test('a page that keeps asking about a capture does not put off the reconcile, which finishes it', async () => {
    await mayCapture();
    for (let minute = 1; minute <= 3; minute += 1) {
      ada.waitMinutes(1);
      expect(await ada.orders.find(ada.id, order.id, null)).toMatchObject({ may_ask: true });
    }
    expect(await referencesToAsk()).toEqual(['PP-1']);
  });

  test('an order whose money has arrived or is pending is not captured again', async () => {
    await mayCapture();
    await ada.applyPayment(order, { provider: 'paypal', outcome: 'pending' });
    expect(await mayCapture()).toMatchObject({ go: false, attempt: { state: 'processing' } });
    await ada.applyPayment(order, { provider: 'paypal', captureId: 'CAP-1' });
    expect(await mayCapture()).toMatchObject({ go: false, attempt: { state: 'captured' } });
  });

  test('an order that was paid by card or is closed is not captured', async () => {
    await ada.applyPayment(order, { reference: 'cs_lost' });
    expect(await ada.attempts(order)).toEqual(['stripe captured', 'paypal void']);
    await expectRejected(mayCapture(), 'order-paid');
    order = await ada.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-3');
    await ada.cancel(order);
    await expectRejected(ada.mayCapture('PP-3'), 'order-closed');
  });

  test('an order whose money is being captured is neither cancelled nor expired', async () => {
    await mayCapture();
    await expect(ada.cancel(order)).rejects.toThrow('being confirmed');
    ada.waitMinutes(2 * ORDER_MINUTES);
    expect(await ada.orders.expire()).toBe(0);
  });
});

describe('an order that was placed three hours ago', () => {
  test('expires, and its PayPal order is voided', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    ada.waitMinutes(ORDER_MINUTES + 1);
    expect(await ada.orders.expire()).toBe(1);
    expect(await ada.state(order)).toBe('expired');
    expect(await ada.attempts(order)).toEqual(['paypal void']);
  });

  test('does not expire while its card page is open', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    ada.waitMinutes(ORDER_MINUTES + 1);
    expect(await ada.orders.expire()).toBe(0);
    await ada.applyPayment(order, { outcome: 'expired' });
    expect(await ada.orders.expire()).toBe(1);
  });
});

describe('asking a provider about an attempt', () => {
  test('a provider is asked two minutes after an attempt began, then once a minute, and after a day once an hour', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    ada.waitMinutes(ASK_MINUTES - 0.1);
    expect(await referencesToAsk()).toEqual([]);
    ada.waitMinutes(0.1);
    expect(await referencesToAsk()).toEqual(['cs_1']);
    expect(await referencesToAsk()).toEqual([]);
    ada.waitMinutes(1);
    expect(await referencesToAsk()).toEqual(['cs_1']);
    ada.waitMinutes(24 * 60);
    expect(await referencesToAsk()).toEqual(['cs_1']);
    ada.waitMinutes(59);
    expect(await referencesToAsk()).toEqual([]);
  });

  test('PayPal is asked only about orders whose money may have been captured', async () => {
    await ada.openAttempt(order, 'paypal', 'PP-1');
    ada.waitMinutes(10);
    expect(await referencesToAsk()).toEqual([]);
    await ada.mayCapture('PP-1');
    expect(await referencesToAsk()).toEqual([]);
    ada.waitMinutes(ASK_MINUTES);
    expect(await referencesToAsk()).toEqual(['PP-1']);
  });

  test('captures and payments under way come before card pages that are only open', async () => {
    await ada.placeAndOpen({ [coat]: 2 }, 'paypal', 'PP-1');
    await ada.mayCapture('PP-1');
    const underWay = await ada.placeAndOpen({ [coat]: 3 }, 'stripe', 'cs_2');
    await ada.applyPayment(underWay, { reference: 'cs_2', outcome: 'pending' });
    await ada.openAttempt(order, 'stripe', 'cs_1');
    ada.waitMinutes(ASK_MINUTES);
    const asked: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      asked.push((await ada.orders.attemptsToAsk(1))[0]?.attempt.reference);
    }
    expect(asked).toEqual(['PP-1', 'cs_2', 'cs_1']);
  });
});

describe('finding an order', () => {
  test('a page that asks with an expired session’s id receives the open attempt', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    await ada.applyPayment(order, { reference: 'cs_1', outcome: 'expired' });
    await ada.openAttempt(order, 'stripe', 'cs_2');
    expect(await ada.orders.find(ada.id, null, 'cs_1')).toMatchObject({
      attempt: { reference: 'cs_2', state: 'open' },
    });
  });

  test('when a page asks for its order, the provider is asked at most every two seconds, and not about a paid one', async () => {
    await ada.openAttempt(order, 'stripe', 'cs_1');
    const mayAsk = async () => (await ada.orders.find(ada.id, null, 'cs_1'))?.may_ask;
    expect([await mayAsk(), await mayAsk()]).toEqual([true, false]);
    ada.waitMinutes(3 / 60);
    expect(await mayAsk()).toBe(true);
    await ada.applyPayment(order, {});
    ada.waitMinutes(1);
    expect(await mayAsk()).toBe(false);
  });
});
