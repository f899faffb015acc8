import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { orderStatus } from '../../netlify/lib/order-status.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { DatabaseRejection } from '../../netlify/lib/database.ts';
import type { Ports } from '../../netlify/lib/payments.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { refusal } from '../supabase/desk.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { Counter } from './counter.ts';

let backend: Backend;
let user: string;
let counter: Counter;
let coat: number;
let sock: number;

beforeAll(async () => {
  backend = await openTestBackend();
  user = await backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
});
afterAll(() => backend.close());
beforeEach(async () => {
  await backend.query('truncate public.products, public.orders cascade');
  counter = new Counter(backend, user);
  ({ COAT: coat = 0, SOCK: sock = 0 } = await sell({ backend }, { COAT: 129.5, SOCK: 5 }));
  await counter.desk.putInCart({ [coat]: 1, [sock]: 3 });
});

const wants = () => counter.wants({ [coat]: 1, [sock]: 2 });
const checkout = () => createCheckout(counter.ports, wants());
const stateOf = async (id: string) =>
  String(
    (await backend.query('select state from public.orders where id = $1', [id]))[0]?.['state'],
  );
const status = async (sessionId: string) =>
  (await orderStatus(counter.ports, user, { orderId: null, sessionId })).status;
const orderCount = async () => (await backend.query('select from public.orders')).length;
const CREATE = /^POST \/v1\/checkout\/sessions$/;

/** Lets time pass, and the shop's clockwork run, until nothing is left to be found out. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    counter.desk.wait(65);
    await reconcile(counter.ports);
    await counter.idle();
  }
}

describe('paying by card', () => {
  test('leads to Stripe’s page with the order’s lines, sum and address, and back to the shop', async () => {
    const { sessionId, url, orderId } = await checkout();
    expect(url).toContain(sessionId);
    const { stripe } = counter.ports.cards();
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    expect(session).toMatchObject({
      amount_total: 13_950,
      currency: 'usd',
      client_reference_id: orderId,
      metadata: { order_id: orderId },
      customer_email: 'ada@weft.test',
      success_url: 'http://localhost:4173/checkout/success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:4173/checkout',
      expires_at: counter.desk.now.getTime() / 1000 + 3600,
    });
    const line = (name: string, quantity: number, unit_amount: number) => ({
      quantity,
      price_data: { unit_amount, product_data: { name } },
    });
    const address = {
      line1: '12 St James’s Square',
      state: 'IL',
      postal_code: '60614',
      country: 'US',
    };
    expect(counter.stripe.find(sessionId).params).toMatchObject({
      adaptive_pricing: { enabled: false },
      line_items: [line('Untitled', 1, 12_950), line('Untitled', 2, 500)],
      payment_intent_data: { shipping: { name: 'Ada Byron', address } },
    });
    counter.stripe.pay(sessionId);
    const paid = await stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] });
    expect(paid.payment_intent).toMatchObject({ metadata: { order_id: orderId } });
  });

  test('makes the order paid, once, and takes it out of the cart, though the browser is gone', async () => {
    const { sessionId, orderId } = await checkout();
    expect(await status(sessionId)).toBe('unpaid');
    counter.stripe.pay(sessionId);
    await counter.idle();
    expect(await stateOf(orderId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [sock]: 1 });
    for (const { id } of counter.stripe.webhooks.events) await counter.stripe.webhooks.deliver(id);
    await settle();
    expect(await status(sessionId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [sock]: 1 });
  });

  test('is heard of by the page that comes back when the webhook is lost', async () => {
    counter.dropsWebhooks = true;
    const { sessionId } = await checkout();
    counter.stripe.pay(sessionId);
    expect(await status(sessionId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [sock]: 1 });
  });

  test('is found by the reconcile when the webhook is lost and nobody comes back', async () => {
    counter.dropsWebhooks = true;
    const { sessionId, orderId } = await checkout();
    counter.stripe.pay(sessionId);
    expect(await reconcile(counter.ports)).toEqual({
      asked: 0,
      failed: 0,
      expired: 0,
      neglected: 0,
    });
    counter.desk.wait(2);
    expect(await reconcile(counter.ports)).toEqual({
      asked: 1,
      failed: 0,
      expired: 0,
      neglected: 0,
    });
    expect(await stateOf(orderId)).toBe('paid');
  });

  test('in a way that takes days is being confirmed, keeps the cart, and then is paid', async () => {
    const { sessionId, orderId } = await checkout();
    counter.stripe.payLater(sessionId);
    await counter.idle();
    expect(await status(sessionId)).toBe('confirming');
    expect(await counter.desk.cart()).toEqual({ [coat]: 1, [sock]: 3 });
    await refusal(createCheckout(counter.ports, { ...wants(), orderId }), 'payment-under-way');
    counter.stripe.settle(sessionId);
    await counter.idle();
    expect(await status(sessionId)).toBe('paid');
    expect(await counter.desk.cart()).toEqual({ [sock]: 1 });
  });

  test('in a way that takes days may fail, also when nobody hears of it', async () => {
    counter.dropsWebhooks = true;
    const { sessionId } = await checkout();
    counter.stripe.payLater(sessionId);
    expect(await status(sessionId)).toBe('confirming');
    counter.stripe.fail(sessionId);
    await settle();
    expect(await status(sessionId)).toBe('failed');
    expect(await counter.desk.cart()).toEqual({ [coat]: 1, [sock]: 3 });
  });

  test('that nobody does lets the order expire, and money is then no longer taken', async () => {
    const { sessionId, orderId } = await checkout();
    await settle();
    expect(await stateOf(orderId)).toBe('expired');
    expect(await status(sessionId)).toBe('expired');
    expect(counter.stripe.pay(sessionId)).toBe(false);
  });
});

describe('the same checkout again', () => {
  test('gives the same order and the same page', async () => {
    const first = await checkout();
    expect(await checkout()).toEqual(first);
    expect(await createCheckout(counter.ports, { ...wants(), orderId: first.orderId })).toEqual(
      first,
    );
  });

  test('fifty times at once too', async () => {
    const all = await Promise.allSettled(Array.from({ length: 50 }, checkout));
    const pages = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(pages.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(pages).toHaveLength(50);
    expect(counter.stripe.sessions).toHaveLength(1);
    expect(await orderCount()).toBe(1);
  });

  test('waits for another request that is making the page', async () => {
    const held = Promise.withResolvers<void>();
    counter.stripe.faults.next(CREATE, { kind: 'wait', until: held.promise });
    const ports = { ...counter.ports, pause: async () => held.resolve() };
    const [first, second] = await Promise.all([checkout(), createCheckout(ports, wants())]);
    expect(second).toEqual(first);
  });

  test('after it was paid is another order, and by its id it is told that it was paid', async () => {
    const first = await checkout();
    counter.stripe.pay(first.sessionId);
    await refusal(
      createCheckout(counter.ports, { ...wants(), orderId: first.orderId }),
      'order-paid',
    );
    expect((await checkout()).orderId).not.toBe(first.orderId);
  });

  test('after the page has expired gives a new page for the same order', async () => {
    counter.dropsWebhooks = true;
    const first = await checkout();
    counter.desk.wait(61);
    const second = await checkout();
    expect(second.orderId).toBe(first.orderId);
    expect(second.sessionId).not.toBe(first.sessionId);
  });
});

describe('Stripe', () => {
  test('breaking down leaves a kept failure, which another attempt gets round', async () => {
    counter.stripe.faults.next(CREATE, { kind: 'fail', moment: 'after' });
    const { orderId } = await checkout();
    expect(await counter.desk.attempts(await theOrder(orderId))).toEqual([
      'stripe failed',
      'stripe open',
    ]);
  });

  test('breaking down again is told, and the order waits', async () => {
    for (let i = 0; i < 2; i += 1)
      counter.stripe.faults.next(CREATE, { kind: 'fail', moment: 'before' });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    expect(await orderCount()).toBe(1);
    await checkout();
    expect(await orderCount()).toBe(1);
  });

  test('cutting the line, or turned away, is tried again with the same page', async () => {
    counter.stripe.faults.next(CREATE, { kind: 'reject', status: 503 });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    counter.stripe.faults.next(CREATE, { kind: 'reject', status: 429 });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    counter.stripe.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    expect(counter.stripe.sessions).toHaveLength(1);
    expect((await checkout()).sessionId).toBe(counter.stripe.sessions[0]?.id);
    expect(counter.stripe.sessions).toHaveLength(1);
  });

  test('that has lost the session gives another one', async () => {
    const first = await checkout();
    const lost = new Counter(backend, user);
    const second = await createCheckout(lost.ports, wants());
    expect([second.orderId, second.sessionId === first.sessionId]).toEqual([first.orderId, false]);
  });
});

describe('choosing PayPal instead', () => {
  test('ends the card’s page first', async () => {
    const card = await checkout();
    const wallet = await createWalletOrder(counter.ports, wants());
    expect(wallet.storeOrderId).toBe(card.orderId);
    expect(counter.stripe.pay(card.sessionId)).toBe(false);
    expect(await counter.desk.attempts(await theOrder(card.orderId))).toEqual([
      'stripe expired',
      'paypal open',
    ]);
  });

  test('is too late when the card was faster, whether the shop has heard of it or not', async () => {
    counter.dropsWebhooks = true;
    const card = await checkout();
    counter.stripe.pay(card.sessionId);
    const wallet = createWalletOrder(counter.ports, { ...wants(), orderId: card.orderId });
    await refusal(wallet, 'order-paid');
    expect(await stateOf(card.orderId)).toBe('paid');
  });

  test('finds and ends a page of which the shop never learnt', async () => {
    counter.stripe.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    const wallet = await createWalletOrder(counter.ports, wants());
    expect(counter.stripe.sessions.map((session) => session.status)).toEqual(['expired']);
    expect(await counter.desk.attempts(await theOrder(wallet.storeOrderId))).toEqual([
      'stripe expired',
      'paypal open',
    ]);
  });
});

describe('the reconcile', () => {
  test('ends the page of an order that was cancelled; money that came before is late', async () => {
    const card = await checkout();
    await counter.ports.call('cancel_order', {
      p_order: card.orderId,
      p_now: counter.desk.now.toISOString(),
    });
    counter.desk.wait(2);
    await reconcile(counter.ports);
    expect(counter.stripe.pay(card.sessionId)).toBe(false);
    const other = await checkout();
    await counter.ports.call('cancel_order', {
      p_order: other.orderId,
      p_now: counter.desk.now.toISOString(),
    });
    counter.stripe.pay(other.sessionId);
    await counter.idle();
    expect(await status(other.sessionId)).toBe('review');
    expect(counter.log).toEqual([expect.stringContaining(`paid_late, order ${other.orderId}`)]);
  });

  test('goes on when one order cannot be asked about, and asks again later', async () => {
    counter.dropsWebhooks = true;
    const first = await checkout();
    const second = await createCheckout(counter.ports, counter.wants({ [coat]: 2 }));
    for (const { sessionId } of [first, second]) counter.stripe.pay(sessionId);
    counter.stripe.faults.next(/^GET/, { kind: 'reject', status: 503 });
    counter.desk.wait(3);
    expect(await reconcile(counter.ports)).toMatchObject({ asked: 2, failed: 1 });
    await settle();
    expect([await stateOf(first.orderId), await stateOf(second.orderId)]).toEqual(['paid', 'paid']);
  });

  test('does the rest of the night’s work when one piece of it fails, and says which', async () => {
    const done: string[] = [];
    counter.desk.now.setUTCHours(3, 1);
    const ports: Ports = {
      ...counter.ports,
      call: async (name, args) => {
        done.push(name);
        if (name === 'purge_product_deletions' || name === 'attempts_to_ask') {
          throw new DatabaseRejection('21000', 'UPDATE requires a WHERE clause', '');
        }
        return name.startsWith('prune_') ? 0 : counter.ports.call(name, args);
      },
    };
    expect(await reconcile(ports)).toMatchObject({ asked: 0, expired: 0, neglected: 2 });
    expect(done.slice(-2)).toEqual(['prune_applied_changes', 'prune_unpaid_orders']);
    expect(counter.log).toEqual([
      expect.stringContaining('payments'),
      expect.stringContaining('purge_product_deletions'),
    ]);
  });

  test('forgets, at night, what no phone asks for any more', async () => {
    const old = `update public.product_deletions set deleted_at = deleted_at - interval '100 days'`;
    await backend.query('delete from public.products where id = $1', [sock]);
    await backend.query(old);
    counter.desk.now = new Date();
    counter.desk.now.setUTCHours(2);
    await reconcile(counter.ports);
    expect(await backend.query('select from public.product_deletions')).not.toEqual([]);
    counter.desk.now.setUTCHours(3, 1);
    await reconcile(counter.ports);
    expect(await backend.query('select from public.product_deletions')).toEqual([]);
  });
});

async function theOrder(id: string) {
  const found = await counter.desk.orders.find(user, id, null);
  if (found === null) throw new Error('no such order');
  return found.order;
}
