import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { cancelOrder } from '../../netlify/lib/cancel-order.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import * as atPayPal from '../../netlify/local/paypal/refunds.ts';
import * as atStripe from '../../netlify/local/stripe/refunds.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { expectRejected } from '../supabase/buyer.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { InProcessShop } from './in-process-shop.ts';

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
  await backend.query(
    'truncate public.products, public.orders, public.payment_reversals, public.provider_reads cascade',
  );
  inProcess = new InProcessShop(backend, user);
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 54 }));
  await inProcess.buyer.putInCart({ [coat]: 1 });
});

/** Pays an order, and returns it with what sends its money back. */
async function paid(provider: 'stripe' | 'paypal') {
  const orderId = provider === 'stripe' ? await paidByCard() : await paidByWallet();
  await inProcess.idle();
  const payment = inProcess[provider].receipts[0]?.paymentId ?? '';
  const { stripe, paypal } = inProcess;
  const ways =
    provider === 'stripe'
      ? {
          refund: async (amount?: number) =>
            inProcess.ports
              .cards()
              .stripe.refunds.create({ payment_intent: payment, ...(amount && { amount }) }),
          dispute: (amount?: number) => atStripe.dispute(stripe, payment, amount),
          close: (end: 'won' | 'lost') => atStripe.closeDispute(stripe, payment, end),
        }
      : {
          refund: async (amount?: number) => atPayPal.refund(paypal, payment, amount),
          dispute: (amount?: number) => atPayPal.dispute(paypal, payment, amount),
          close: (end: 'won' | 'lost') => atPayPal.closeDispute(paypal, payment, end),
        };
  return { orderId, payment, ...ways };
}

async function paidByCard(): Promise<string> {
  const { sessionId, orderId } = await createCheckout(
    inProcess.ports,
    inProcess.requestFor({ [coat]: 1 }),
  );
  inProcess.stripe.pay(sessionId);
  return orderId;
}

async function paidByWallet(): Promise<string> {
  const made = await createWalletOrder(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
  inProcess.paypal.approve(made.orderId);
  await captureWalletOrder(inProcess.ports, user, made.orderId);
  return made.storeOrderId;
}

async function shown(id: string): Promise<string> {
  await inProcess.idle();
  const found = await inProcess.buyer.orders.find(user, id, null);
  if (found === null) throw new Error('no such order');
  return `${found.order.state}, ${await inProcess.buyer.money(found.order)}`;
}

describe.each(['stripe', 'paypal'] as const)('a payment by %s', (provider) => {
  test('that is refunded in part and then as a whole shows on its order', async () => {
    const { orderId, refund } = await paid(provider);
    expect(await shown(orderId)).toBe('paid, 0 of 5400');
    await refund(1200);
    expect(await shown(orderId)).toBe('paid, 1200 of 5400');
    await refund();
    expect(await shown(orderId)).toBe('paid, 5400 of 5400');
    expect(await inProcess.buyer.cart()).toEqual({});
  });

  test('that is disputed, and won by the shop, shows both', async () => {
    const { orderId, dispute, close } = await paid(provider);
    dispute(2000);
    expect(await shown(orderId)).toBe('paid, 0 of 5400, open 2000');
    expect(inProcess.log.at(-1)).toMatch(/dispute .* is open, payment .* of order/);
    close('won');
    expect(await shown(orderId)).toBe('paid, 0 of 5400, won 2000');
  });

  test('that is disputed and lost shows where the money went', async () => {
    const { orderId, dispute, close } = await paid(provider);
    dispute();
    close('lost');
    // PayPal takes the money back by a reversal of its own, Stripe by the dispute.
    const refunded = provider === 'paypal' ? 5400 : 0;
    expect(await shown(orderId)).toBe(`paid, ${refunded} of 5400, lost 5400`);
  });

  test('whose refund no webhook tells of is found by the reconcile, which asks at most every two minutes', async () => {
    const { orderId, refund, dispute } = await paid(provider);
    inProcess.dropsWebhooks = true;
    await reconcile(inProcess.ports);
    await refund(1200);
    dispute();
    await reconcile(inProcess.ports);
    expect(await shown(orderId)).toBe('paid, 0 of 5400');
    inProcess.buyer.waitMinutes(3);
    expect(await reconcile(inProcess.ports)).toMatchObject({ neglected: 0 });
    expect(await shown(orderId)).toBe('paid, 1200 of 5400, open 5400');
  });

  test('whose refunds cannot be read is read again, from the same time on', async () => {
    const { orderId, refund } = await paid(provider);
    inProcess.dropsWebhooks = true;
    await refund(1200);
    inProcess[provider].faults.next(/events/, { kind: 'reject', status: 503 });
    expect(await reconcile(inProcess.ports)).toMatchObject({ neglected: 1 });
    expect(inProcess.log.at(-1)).toContain(`refunds at ${provider}`);
    inProcess.buyer.waitMinutes(300);
    await reconcile(inProcess.ports);
    expect(await shown(orderId)).toBe('paid, 1200 of 5400');
  });

  test('of which a message comes that the provider did not send is as it was', async () => {
    const { orderId, payment } = await paid(provider);
    const event = JSON.stringify({ id: 'evt_1', type: 'refund.created', payment });
    const request = new Request('http://localhost/webhook', { method: 'POST', body: event });
    const { takeStripeWebhook, takePayPalWebhook } = await import('../../netlify/lib/webhooks.ts');
    const take = provider === 'stripe' ? takeStripeWebhook : takePayPalWebhook;
    await expectRejected(take(inProcess.ports, request.headers, event, 'secret'), 'signature');
    expect(await shown(orderId)).toBe('paid, 0 of 5400');
  });
});

test('a refund that fails is told to the people of the shop', async () => {
  const { orderId, refund } = await paid('stripe');
  await refund(1200);
  const made = inProcess.stripe.sessions[0]?.intent?.refunds?.[0];
  atStripe.decideRefund(inProcess.stripe, made?.id ?? '', 'failed');
  expect(await shown(orderId)).toBe('paid, 0 of 5400');
  expect(inProcess.log.at(-1)).toContain('is failed');
});

test('a PayPal payment that the shop hears of only after its refund is paid, and refunded', async () => {
  const made = await createWalletOrder(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
  inProcess.dropsWebhooks = true;
  inProcess.paypal.approve(made.orderId);
  inProcess.paypal.faults.next(/capture$/, { kind: 'cut', moment: 'after' });
  await captureWalletOrder(inProcess.ports, user, made.orderId).catch(() => undefined);
  const payment = inProcess.paypal.receipts[0]?.paymentId ?? '';
  atPayPal.refund(inProcess.paypal, payment, 1200);
  inProcess.buyer.waitMinutes(3);
  await reconcile(inProcess.ports);
  expect(await shown(made.storeOrderId)).toBe('paid, 1200 of 5400');
});

describe('an order that waits for payment', () => {
  test('is paid on at the page that is open, and at another one when that has ended', async () => {
    const first = await createCheckout(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
    const again = inProcess.requestFor({ [coat]: 1 }, { orderId: first.orderId, shownTotal: 5400 });
    expect((await createCheckout(inProcess.ports, again)).url).toBe(first.url);
    // The price has changed since: the order keeps its own.
    await sell({ backend }, { COAT: 60 });
    inProcess.buyer.waitMinutes(61);
    const next = await createCheckout(inProcess.ports, again);
    expect(next.orderId).toBe(first.orderId);
    expect(next.url).not.toBe(first.url);
    inProcess.stripe.pay(next.sessionId);
    expect(await shown(first.orderId)).toBe('paid, 0 of 5400');
  });

  test('is paid on with the PayPal order that is open', async () => {
    const first = await createWalletOrder(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
    const again = inProcess.requestFor(
      { [coat]: 1 },
      { orderId: first.storeOrderId, shownTotal: 5400 },
    );
    expect(await createWalletOrder(inProcess.ports, again)).toEqual(first);
  });

  test('is cancelled: its card page ends first, and can no longer be paid', async () => {
    const { sessionId, orderId } = await createCheckout(
      inProcess.ports,
      inProcess.requestFor({ [coat]: 1 }),
    );
    expect(await cancelOrder(inProcess.ports, user, orderId)).toMatchObject({ state: 'cancelled' });
    expect(inProcess.stripe.find(sessionId).status).toBe('expired');
    expect(inProcess.stripe.pay(sessionId)).toBe(false);
    expect(await inProcess.buyer.cart()).toEqual({ [coat]: 1 });
  });

  test('stays paid when the money came while the shopper cancelled', async () => {
    const { sessionId, orderId } = await createCheckout(
      inProcess.ports,
      inProcess.requestFor({ [coat]: 1 }),
    );
    inProcess.dropsWebhooks = true;
    inProcess.stripe.pay(sessionId);
    await expectRejected(cancelOrder(inProcess.ports, user, orderId), 'order-paid');
    expect(await shown(orderId)).toBe('paid, 0 of 5400');
  });

  test('is as it was when the provider cannot be asked', async () => {
    const { orderId } = await createCheckout(inProcess.ports, inProcess.requestFor({ [coat]: 1 }));
    inProcess.stripe.faults.next(/expire$/, { kind: 'reject', status: 503 });
    await expect(cancelOrder(inProcess.ports, user, orderId)).rejects.toThrow('Stripe');
    expect(await shown(orderId)).toBe('pending, 0 of 0');
  });
});
