import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { openSender, tellOperator } from '../../netlify/lib/operator.ts';
import { addNotice, sendNotices, type Notice } from '../../netlify/lib/notices.ts';
import type { Ports } from '../../netlify/lib/payments.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { takeStripeWebhook } from '../../netlify/lib/webhooks.ts';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { HOME } from '../supabase/buyer.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { InProcessShop } from './in-process-shop.ts';

const HOOK = new URL('https://hooks.example/T0/B0/secret');

let backend: Backend;
let user: string;
let inProcess: InProcessShop;
let coat: number;

beforeAll(async () => {
  backend = await openTestBackend();
  user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
});
afterAll(() => backend.close());
beforeEach(async () => {
  await backend.query('truncate public.products, public.orders, public.notices cascade');
  inProcess = new InProcessShop(backend, user);
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 129.5 }));
});

const place = () => inProcess.buyer.place({ [coat]: 1 });
const rows = () => backend.query('select * from public.notices order by id');

/** The operator's address: keeps what it was sent, and answers with this status. */
function operator(status = 200) {
  const bodies: string[] = [];
  const send = openSender(HOOK, async (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return new Response(null, { status });
  });
  return { bodies, send, run: () => sendNotices(inProcess.ports, send) };
}

/** An order that another sum was paid for than it costs. */
async function paidWrongly() {
  const order = await place();
  await inProcess.buyer.openAttempt(order, 'stripe', randomUUID());
  await inProcess.buyer.applyPayment(order, { amountMinor: 1, captureId: randomUUID() });
  return order;
}

describe('the operator hears of money that waits for a person', () => {
  test('once, in a sentence with the order and the sum, and of nobody’s name or address', async () => {
    const order = await paidWrongly();
    const { bodies, run } = operator();
    await run();
    await run();
    expect(bodies).toHaveLength(1);
    const body = JSON.parse(bodies[0] ?? '') as Readonly<Record<string, unknown>>;
    expect(body).toMatchObject({ kind: 'needs_review', content: body['text'] });
    expect(body['text']).toContain(`Order ${order.id} ($129.50) waits for a person`);
    expect(body['text']).toContain('It is a test payment.');
    const kept = bodies.join() + JSON.stringify(await rows());
    for (const personal of [...Object.values(HOME), 'ada@weft.test', user]) {
      // The country is two letters, which stand in many words.
      if (personal.length > 2) expect(kept).not.toContain(personal);
    }
  });

  test('of money that came after its order was closed', async () => {
    const card = await createCheckout(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
    await inProcess.ports.call('cancel_order', {
      p_order: card.orderId,
      p_now: inProcess.buyer.now.toISOString(),
    });
    inProcess.stripe.pay(card.sessionId);
    await inProcess.idle();
    const { bodies, run } = operator();
    await run();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain(`Order ${card.orderId} ($129.50) was paid after it was closed.`);
  });

  test('once more when a second payment makes another reason, and not when news repeats', async () => {
    const order = await paidWrongly();
    const second = { reference: randomUUID(), captureId: randomUUID() };
    await inProcess.buyer.applyPayment(order, second);
    await inProcess.buyer.applyPayment(order, second);
    expect(await rows()).toMatchObject([{ kind: 'needs_review' }, { kind: 'needs_review' }]);
  });

  test('but not of an order that is paid as it should be', async () => {
    const order = await place();
    await inProcess.buyer.openAttempt(order, 'stripe', randomUUID());
    await inProcess.buyer.applyPayment(order, {});
    expect(await inProcess.buyer.state(order)).toBe('paid');
    expect(await rows()).toEqual([]);
  });
});

test('the operator hears of a dispute that opens, and of money for no order of the shop', async () => {
  const order = await place();
  await inProcess.buyer.openAttempt(order, 'stripe', 'cs_1');
  await inProcess.buyer.applyPayment(order, {});
  await inProcess.buyer.applyReversal({ kind: 'dispute', id: 'dp_1', state: 'open' });
  await inProcess.ports.call('apply_payment', {
    p_provider: 'stripe',
    p_event_id: 'evt_9',
    p_reference: 'cs_of_nobody',
    p_order: null,
    p_outcome: 'captured',
    p_amount_minor: 1250,
    p_currency: 'USD',
    p_mode: 'live',
    p_capture_id: 'pi_9',
    p_now: inProcess.buyer.now.toISOString(),
  });
  const { bodies, run } = operator();
  await run();
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toContain(`The payer of order ${order.id} disputes $1.00`);
  expect(bodies[1]).toContain('$12.50 arrived at Stripe for no order of this shop: payment pi_9.');
});

describe('a refund that fails at Stripe', () => {
  const refund = { id: 're_1', object: 'refund', amount: 1250, currency: 'usd' };
  const tell = async (type: string, status: string, event: string) => {
    const body = JSON.stringify({
      id: event,
      object: 'event',
      type,
      created: inProcess.buyer.now.getTime() / 1000,
      livemode: true,
      data: { object: { ...refund, payment_intent: 'pi_1', status } },
    });
    const { webhookSecret } = inProcess.stripe;
    const headers = signatureHeaders(body, webhookSecret, inProcess.buyer.now.getTime());
    await takeStripeWebhook(inProcess.ports, new Headers(headers), body, webhookSecret);
  };

  test('is told once, however many messages there are of it', async () => {
    await tell('refund.updated', 'failed', 'evt_1');
    await tell('refund.failed', 'failed', 'evt_2');
    await tell('charge.refund.updated', 'failed', 'evt_3');
    const { bodies, run } = operator();
    await run();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain(
      'A refund of $12.50 failed at Stripe: refund re_1 of payment pi_1.',
    );
    expect(bodies[0]).not.toContain('test payment');
  });

  test('is not one that succeeds or is under way', async () => {
    await tell('refund.updated', 'succeeded', 'evt_1');
    await tell('charge.refund.updated', 'pending', 'evt_2');
    expect(await rows()).toEqual([]);
  });
});

test('upkeep that fails is told once a day and step, and the other steps run', async () => {
  const ports: Ports = {
    ...inProcess.ports,
    call: async (name, args) => {
      if (name === 'expire_orders') throw new Error('no');
      return inProcess.ports.call(name, args);
    },
  };
  for (let run = 0; run < 3; run += 1) await reconcile(ports);
  inProcess.buyer.waitMinutes(24 * 60);
  await reconcile(ports);
  const { bodies, run } = operator();
  await run();
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toContain('The upkeep step expire_orders failed on 2026-11-21.');
});

describe('a notice', () => {
  const note = (key = 'one') => addNotice(inProcess.ports, 'other_thing', key, {});

  test('that the address does not take is sent again after longer and longer pauses, 12 times', async () => {
    await note();
    const { bodies, run } = operator(500);
    await run();
    await run();
    expect(bodies).toHaveLength(1);
    expect(inProcess.log).toEqual([expect.stringContaining('the webhook answered 500')]);
    inProcess.buyer.waitMinutes(5);
    await run();
    inProcess.buyer.waitMinutes(5);
    await run();
    expect(bodies).toHaveLength(2);
    for (let i = 0; i < 20; i += 1) {
      inProcess.buyer.waitMinutes(24 * 60);
      await run();
    }
    expect(bodies).toHaveLength(12);
    expect(await rows()).toMatchObject([{ sent_at: null, tries: 12 }]);
  });

  test('counts as sent only when the address has taken it', async () => {
    await note();
    await operator(302).run();
    expect(await rows()).toMatchObject([{ sent_at: null, tries: 1 }]);
    inProcess.buyer.waitMinutes(5);
    const { bodies, run } = operator(204);
    await run();
    expect(await rows()).toMatchObject([{ sent_at: expect.anything() as unknown, tries: 2 }]);
    inProcess.buyer.waitMinutes(24 * 60);
    await run();
    expect(bodies).toHaveLength(1);
  });

  test('is sent by one of two runs at the same time', async () => {
    for (const key of ['one', 'two', 'three']) await note(key);
    const { bodies, run } = operator();
    await Promise.all([run(), run()]);
    const ids = bodies.map((body) => (JSON.parse(body) as Notice).id);
    expect(ids.toSorted((a, b) => a - b)).toEqual((await rows()).map(({ id }) => Number(id)));
  });

  test('stays in the table where no address is set, or one that is not https, and the log says so', async () => {
    await note('one');
    await note('two');
    await tellOperator(inProcess.ports, () => undefined);
    expect(inProcess.log).toEqual([
      '2 notices stay in the table notices: OPERATOR_WEBHOOK_URL is not set.',
    ]);
    await note('three');
    await tellOperator(inProcess.ports, () => 'http://hooks.example/');
    expect(inProcess.log.slice(1)).toEqual([
      'OPERATOR_WEBHOOK_URL must be an https:// address without a user name.',
      expect.stringContaining('1 notice stays'),
    ]);
    expect(await rows()).toMatchObject([{ sent_at: null }, { sent_at: null }, { sent_at: null }]);
  });

  test('does not make a payment fail when the database does not answer', async () => {
    const ports = { ...inProcess.ports, call: () => Promise.reject(new Error('away')) };
    await sendNotices(ports, operator().send);
    expect(inProcess.log).toEqual(['notices: Error: away']);
  });
});
