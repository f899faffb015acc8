/** Notices: what the operator of the shop is told by webhook, once, and without personal data. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import {
  addNotice,
  openSender,
  sendNotices,
  tellOperator,
  type OperatorNotice,
} from '../../netlify/lib/notices.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { takeStripeWebhook } from '../../netlify/lib/webhooks.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import { HOME } from '../supabase/buyer.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const HOOK = new URL('https://hooks.example/T0/B0/secret');

const { backend, user, products } = await openBackendSelling({ COAT: 129.5 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(() => {
  shop = new InProcessShop(backend, user);
});

const place = () => shop.buyer.place({ [coat]: 1 });
const storedNotices = () => backend.query('select * from public.notices order by id');

/** A webhook of the operator that stores the bodies it receives and answers with this status. `run` sends the notices. */
function openOperator(status = 200) {
  const bodies: string[] = [];
  const send = openSender(HOOK, async (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return new Response(null, { status });
  });
  return { bodies, send, run: () => sendNotices(shop.ports, send) };
}

/** An order for which 1 cent was paid, so that it waits for a person. */
async function payWrongAmount() {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, { amountMinor: 1, captureId: randomUUID() });
  return order;
}

describe('the operator hears of money that waits for a person', () => {
  test('once, in a sentence with the order and the sum, but no name and no address', async () => {
    const order = await payWrongAmount();
    const { bodies, run } = openOperator();
    await run();
    await run();
    expect(bodies).toHaveLength(1);
    const body = JSON.parse(bodies[0] ?? '') as Readonly<Record<string, unknown>>;
    expect(body).toMatchObject({ kind: 'needs_review', content: body['text'] });
    expect(body['text']).toContain(
      `Order ${orderNumber(order.id)}, id ${order.id} ($129.50) waits for a person`,
    );
    expect(body['text']).toContain('It is a test payment.');
    const allTexts = bodies.join() + JSON.stringify(await storedNotices());
    for (const personal of [...Object.values(HOME), 'ada@weft.test', user]) {
      // The country is two letters, which stand in many words.
      if (personal.length > 2) expect(allTexts).not.toContain(personal);
    }
  });

  test('also when it came after its order was closed', async () => {
    const card = await createCheckout(shop.ports, shop.requestFor({ [coat]: 1 }));
    await shop.buyer.cancel({ id: card.orderId });
    shop.stripe.pay(card.sessionId);
    await shop.idle();
    const { bodies, run } = openOperator();
    await run();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain(
      `Order ${orderNumber(card.orderId)}, id ${card.orderId} ($129.50) was paid after it was closed.`,
    );
  });

  test('once more when a second payment comes, but not when its message is repeated', async () => {
    const order = await payWrongAmount();
    const second = { captureId: randomUUID() };
    await shop.buyer.applyPayment(order, second);
    await shop.buyer.applyPayment(order, second);
    expect(await storedNotices()).toMatchObject([
      { kind: 'needs_review' },
      { kind: 'needs_review' },
    ]);
  });

  test('but not of money that pays its order correctly', async () => {
    const order = await place();
    await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
    await shop.buyer.applyPayment(order, {});
    expect(await shop.buyer.state(order)).toBe('paid');
    expect(await storedNotices()).toEqual([]);
  });
});

test('the operator hears of a dispute that opens, and of money for no order of the shop', async () => {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, {});
  await shop.buyer.applyReversal({ kind: 'dispute', id: 'dp_1', state: 'open', amountMinor: 100 });
  const unknown = { reference: 'cs_unknown', captureId: 'pi_9' };
  await shop.buyer.applyPayment(order, { ...unknown, amountMinor: 1250, mode: 'live' });
  const { bodies, run } = openOperator();
  await run();
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toContain(`id ${order.id} disputes $1.00`);
  expect(bodies[1]).toContain('$12.50 arrived at Stripe for no order of this shop: payment pi_9.');
});

describe('a refund that fails at Stripe', () => {
  const refund = { id: 're_1', object: 'refund', amount: 1250, currency: 'usd' };
  const receive = async (type: string, status: string, event: string) => {
    const body = JSON.stringify({
      id: event,
      object: 'event',
      type,
      created: shop.buyer.now.getTime() / 1000,
      livemode: true,
      data: { object: { ...refund, payment_intent: 'pi_1', status } },
    });
    const { webhookSecret } = shop.stripe;
    const headers = signatureHeaders(body, webhookSecret, shop.buyer.now.getTime());
    await takeStripeWebhook(shop.ports, new Headers(headers), body, webhookSecret);
  };

  test('is reported once, however many messages Stripe sends about it', async () => {
    await receive('refund.updated', 'failed', 'evt_1');
    await receive('refund.failed', 'failed', 'evt_2');
    await receive('charge.refund.updated', 'failed', 'evt_3');
    const { bodies, run } = openOperator();
    await run();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain(
      'A refund of $12.50 failed at Stripe: refund re_1 of payment pi_1.',
    );
    expect(bodies[0]).not.toContain('test payment');
  });

  test('is reported only when it fails, not when it succeeds or is under way', async () => {
    await receive('refund.updated', 'succeeded', 'evt_1');
    await receive('charge.refund.updated', 'pending', 'evt_2');
    expect(await storedNotices()).toEqual([]);
  });
});

test('a step of the upkeep that fails is reported once a day, and the other steps run', async () => {
  const ports = shop.portsBefore((name) => {
    if (name === 'expire_orders') throw new Error('no');
  });
  for (let i = 0; i < 3; i += 1) await reconcile(ports);
  shop.buyer.waitMinutes(24 * 60);
  await reconcile(ports);
  const { bodies, run } = openOperator();
  await run();
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toContain('The upkeep step expire_orders failed on 2026-11-21.');
});

describe('a notice', () => {
  const MAX_TRIES = 12;
  const addOne = (key = 'one') => addNotice(shop.ports, 'other_thing', key, {});

  test('that the webhook does not accept is sent again after longer and longer pauses, 12 times at most', async () => {
    await addOne();
    const { bodies, run } = openOperator(500);
    await run();
    await run();
    expect(bodies).toHaveLength(1);
    expect(shop.log).toEqual([expect.stringContaining('the webhook answered 500')]);
    shop.buyer.waitMinutes(5);
    await run();
    shop.buyer.waitMinutes(5);
    await run();
    expect(bodies).toHaveLength(2);
    for (let i = 0; i < 20; i += 1) {
      shop.buyer.waitMinutes(24 * 60);
      await run();
    }
    expect(bodies).toHaveLength(MAX_TRIES);
    expect(await storedNotices()).toMatchObject([{ sent_at: null, tries: MAX_TRIES }]);
  });

  test('of money is sent before those of many deleted accounts', async () => {
    const SENT_PER_RUN = 20;
    for (let i = 0; i < SENT_PER_RUN; i += 1) {
      await addNotice(shop.ports, 'account_deleted', `account-${i}`, {});
    }
    const order = await payWrongAmount();
    const { bodies, run } = openOperator();
    await run();
    expect(bodies[0]).toContain(`id ${order.id}`);
    await run();
    expect(bodies).toHaveLength(SENT_PER_RUN + 1);
  });

  test('counts as sent only when the webhook has accepted it', async () => {
    await addOne();
    await openOperator(302).run();
    expect(await storedNotices()).toMatchObject([{ sent_at: null, tries: 1 }]);
    shop.buyer.waitMinutes(5);
    const { bodies, run } = openOperator(204);
    await run();
    expect(await storedNotices()).toMatchObject([
      { sent_at: expect.anything() as unknown, tries: 2 },
    ]);
    shop.buyer.waitMinutes(24 * 60);
    await run();
    expect(bodies).toHaveLength(1);
  });

  test('is sent by one of two runs at the same time', async () => {
    for (const key of ['one', 'two', 'three']) await addOne(key);
    const { bodies, run } = openOperator();
    await Promise.all([run(), run()]);
    const ids = bodies.map((body) => (JSON.parse(body) as OperatorNotice).id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      (await storedNotices()).map(({ id }) => Number(id)),
    );
  });

  test('stays in the table when no address is set, or one without https, and the log says so', async () => {
    await addOne('one');
    await addOne('two');
    await tellOperator(shop.ports, () => undefined);
    expect(shop.log).toEqual([
      '2 notices stay in the table notices: OPERATOR_WEBHOOK_URL is not set.',
    ]);
    await addOne('three');
    await tellOperator(shop.ports, () => 'http://hooks.example/');
    expect(shop.log.slice(1)).toEqual([
      'OPERATOR_WEBHOOK_URL must be an https:// address without a user name.',
      expect.stringContaining('1 notice stays'),
    ]);
    expect(await storedNotices()).toMatchObject([
      { sent_at: null },
      { sent_at: null },
      { sent_at: null },
    ]);
  });

  test('does not make a payment fail when the database does not answer', async () => {
    const ports = { ...shop.ports, call: () => Promise.reject(new Error('away')) };
    await sendNotices(ports, openOperator().send);
    expect(shop.log).toEqual(['notices: Error: away']);
  });
});
