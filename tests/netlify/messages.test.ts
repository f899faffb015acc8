/** Messages: what the operator of the shop is told by webhook, at least once, and without personal data. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  logSender,
  type Message,
  sendMessages,
  webhookSender,
} from '../../netlify/lib/messages.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { addBuyer, HOME } from '../supabase/buyer.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const HOOK = new URL('https://hooks.example/T0/B0/secret');

const { backend, user, products } = await openBackendSelling({ COAT: 129.5 });
const { COAT: coat } = products;
let shop: InProcessShop;
beforeEach(() => {
  shop = new InProcessShop(backend, user);
});

const place = () => shop.buyer.place({ [coat]: 1 });
const storedMessages = () => backend.query('select * from public.messages order by id');

/** A webhook of the operator that stores the bodies it receives and answers with this status. `run` sends the messages. */
function openOperator(status = 200) {
  const bodies: string[] = [];
  const send = webhookSender(shop.ports, HOOK, async (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return new Response(null, { status });
  });
  return { bodies, run: () => sendMessages(shop.ports, send) };
}

/** An order for which 1 cent was paid, so that it waits for a person. */
async function payWrongAmount() {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, { amountMinor: 1, captureId: randomUUID() });
  return order;
}

describe('the operator hears of money that waits for a person', () => {
  test('once, in a sentence with the order and the sum', async () => {
    const order = await payWrongAmount();
    const { bodies, run } = openOperator();
    await run();
    await run();
    expect(bodies).toHaveLength(1);
    const body = JSON.parse(bodies[0] ?? '') as Readonly<Record<string, unknown>>;
    expect(body).toMatchObject({ kind: 'needs_review', content: body['text'] });
    expect(body['text']).toContain(
      `Order ${orderNumber(order.id)}, id ${order.id} ($129.50) needs a look`,
    );
    expect(body['text']).toContain('This was a test payment.');
    expect(body['text']).toContain(`/admin/orders?order=${order.id}`);
  });

  test('once more when a second payment comes, but not when the provider reports it again', async () => {
    const order = await payWrongAmount();
    const second = { captureId: randomUUID() };
    await shop.buyer.applyPayment(order, second);
    await shop.buyer.applyPayment(order, second);
    expect(await storedMessages()).toMatchObject([
      { kind: 'needs_review' },
      { kind: 'needs_review' },
    ]);
  });
});

test('a message is not sent on to where the operator’s webhook redirects', async () => {
  await payWrongAmount();
  const redirects: unknown[] = [];
  const send = webhookSender(shop.ports, HOOK, async (_url, init) => {
    redirects.push(init?.redirect);
    return new Response(null);
  });
  await sendMessages(shop.ports, send);
  expect(redirects).toEqual(['error']);
});

test('the operator reads today’s price beside the sum that was paid, where it has changed since', async () => {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await backend.query('update public.products set "Retail Price" = 1295');
  await shop.buyer.applyPayment(order, {});
  const { bodies, run } = openOperator();
  await run();
  expect(bodies[0]).toContain(
    '($129.50) was paid. The same order would cost $1,295.00 today. This was a test',
  );
});

test('the operator reads that an order was paid after it was closed, and what to do', async () => {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, { outcome: 'failed' });
  await shop.buyer.applyPayment(order, {});
  const { bodies, run } = openOperator();
  await run();
  expect(bodies[0]).toContain('was paid after it was closed. Ship the order or refund it.');
});

test('no message of any kind holds a name, an address or an email', async () => {
  const { buyer } = shop;
  const open = async (pieces: number, reference: string) => {
    const order = await buyer.place({ [coat]: pieces });
    await buyer.openAttempt(order, 'stripe', reference);
    return order;
  };
  await buyer.applyPayment(await open(1, 'cs_1'), {});
  await buyer.applyReversal({ kind: 'dispute', id: 'dp_1', state: 'open' });
  buyer.waitMinutes(1);
  await buyer.applyReversal({ kind: 'dispute', id: 'dp_1', state: 'lost' });
  await buyer.applyReversal({ state: 'failed' });
  const wrong = { reference: 'cs_2', captureId: 'pi_2', amountMinor: 1 };
  await buyer.applyPayment(await open(2, 'cs_2'), wrong);
  const late = await open(3, 'cs_3');
  await buyer.applyPayment(late, { reference: 'cs_3', outcome: 'failed' });
  await buyer.applyPayment(late, { reference: 'cs_3', captureId: 'pi_3' });
  await buyer.applyPayment(late, { reference: 'cs_unknown', captureId: 'pi_4' });
  const leaver = await addBuyer(backend, 'leaver');
  await leaver.place({ [coat]: 1 });
  await leaver.erase();
  const failing = shop.portsBefore((name) => {
    if (name === 'expire_orders') throw new Error(`of ${HOME.full_name}`);
  });
  await reconcile(failing);
  const { bodies, run } = openOperator();
  await run();

  const stored = await storedMessages();
  expect(new Set(stored.map(({ kind }) => kind))).toEqual(
    new Set([
      'paid',
      'needs_review',
      'paid_late',
      'refund_failed',
      'dispute_open',
      'dispute_lost',
      'unknown_payment',
      'account_deleted',
      'step_failed',
    ]),
  );
  expect(bodies).toHaveLength(stored.length);
  const texts = bodies.join() + JSON.stringify(stored);
  // The state and the country are two letters, which stand in many words.
  const personal = Object.values(HOME).filter((value) => value.length > 2);
  for (const value of [...personal, '@weft.test', user]) expect(texts).not.toContain(value);
});

test('the operator hears of a dispute that opens or is lost, of a refund that fails, and of money for no order of the shop', async () => {
  const order = await place();
  await shop.buyer.openAttempt(order, 'stripe', 'cs_1');
  await shop.buyer.applyPayment(order, {});
  const dispute = { kind: 'dispute', id: 'dp_1', amountMinor: 100 } as const;
  await shop.buyer.applyReversal({ ...dispute, state: 'open' });
  for (const state of ['pending', 'failed', 'failed'] as const) {
    await shop.buyer.applyReversal({ id: 're_1', state, amountMinor: 1250 });
  }
  const unknown = { reference: 'cs_unknown', captureId: 'pi_9' };
  await shop.buyer.applyPayment(order, { ...unknown, amountMinor: 1250, mode: 'live' });
  shop.buyer.waitMinutes(1);
  for (const id of ['dp_1', 'dp_2']) {
    await shop.buyer.applyReversal({ ...dispute, id, state: id === 'dp_1' ? 'lost' : 'won' });
  }
  const { bodies, run } = openOperator();
  await run();
  expect(bodies).toHaveLength(5); // the first one is of the paid order
  expect(bodies[1]).toContain(
    `is disputing $1.00 on order ${orderNumber(order.id)}, id ${order.id}: payment`,
  );
  expect(bodies[2]).toContain('A refund of $12.50 failed at Stripe: refund re_1 of payment pi_1.');
  expect(bodies[3]).toContain(
    'Stripe received a payment of $12.50 that doesn’t match any order: pi_9.',
  );
  expect(bodies[4]).toContain(`id ${order.id}. $1.00 went back to the customer`);
});

test('a step of a scheduled function that fails is reported once a day, and the other steps run', async () => {
  const ports = shop.portsBefore((name) => {
    if (name === 'expire_orders') throw new Error('no');
  });
  for (let i = 0; i < 3; i += 1) await reconcile(ports);
  shop.buyer.waitMinutes(24 * 60);
  await reconcile(ports);
  const { bodies, run } = openOperator();
  await run();
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toContain(
    'The “expire_orders” step of the “reconcile” function failed on 2026-11-21.',
  );
});

describe('a message', () => {
  const addOne = (key = 'one') =>
    shop.ports.call('queue_message', { p_kind: 'other_thing', p_key: key, p_detail: {} });

  test('that the webhook does not accept is sent again later', async () => {
    await addOne();
    // The database has noted the time of the message by its own clock.
    shop.buyer.now = new Date();
    const { bodies, run } = openOperator(500);
    await run();
    expect(shop.log).toEqual([expect.stringContaining('the webhook answered 500')]);
    shop.buyer.waitMinutes(5);
    await run();
    expect(bodies).toHaveLength(2);
  });

  test('is sent by one of two runs at the same time', async () => {
    for (const key of ['one', 'two', 'three']) await addOne(key);
    const { bodies, run } = openOperator();
    await Promise.all([run(), run()]);
    const ids = bodies.map((body) => (JSON.parse(body) as Message).id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      (await storedMessages()).map(({ id }) => Number(id)),
    );
  });

  test('is written to the log where no address is set', async () => {
    await addOne();
    await sendMessages(shop.ports, logSender(shop.ports));
    expect(shop.log).toEqual(['other thing: one']);
  });
});
