/** Paying by card: the shop's own code with the real SQL and an emulator of Stripe. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/payments.ts';
import type { Ports } from '../../netlify/lib/ports.ts';
import { ProviderUnavailable } from '../../netlify/lib/provider.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { openStripe } from '../../netlify/lib/stripe.ts';
import { createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const COAT_CENTS = 12_950;
const SOCK_CENTS = 500;

const prices = { COAT: COAT_CENTS / 100, SOCK: SOCK_CENTS / 100 };
const { backend, user, products } = await openBackendSelling(prices);
const { COAT: coat, SOCK: sock } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, user);
  await shop.buyer.putInCart({ [coat]: 1, [sock]: 3 });
});

const request = () => shop.requestFor({ [coat]: 1, [sock]: 2 });
const checkout = () => createCheckout(shop.ports, request());
const stateOf = (id: string) => shop.buyer.state({ id });
const attemptsOf = (id: string) => shop.buyer.attempts({ id });
/** The route of Stripe at which the faults below strike. */
const CREATE = /^POST \/v1\/checkout\/sessions$/;

/** Ports to a Stripe whose answers come from `fetch`. */
function portsTo(fetch: typeof globalThis.fetch): Ports {
  const settings = { secretKey: shop.stripe.secretKey, mode: 'sandbox', apiUrl: null } as const;
  const stripe = openStripe(settings, { retries: 0, fetch });
  return { ...shop.ports, cards: () => ({ stripe, mode: 'sandbox' }) };
}

/** Lets three hours pass, with a reconcile after each. */
async function runReconcileForHours(): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    shop.buyer.waitMinutes(65);
    await reconcile(shop.ports);
    await shop.idle();
  }
}

describe('paying by card', () => {
  test('the shopper gets to Stripe’s page with the order’s lines, sum and address, and back to the shop', async () => {
    const { sessionId, url, orderId } = await checkout();
    expect(url).toContain(sessionId);
    const { stripe } = shop.ports.cards();
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    expect(session).toMatchObject({
      amount_total: COAT_CENTS + 2 * SOCK_CENTS,
      currency: 'usd',
      metadata: { order_id: orderId },
      customer_email: 'ada@weft.test',
      expires_at: shop.buyer.now.getTime() / 1000 + 3600,
    });
    // The SDK sends a form, in which every value is text.
    const line = (quantity: number, cents: number) => ({
      quantity: String(quantity),
      price_data: { unit_amount: String(cents), product_data: { name: 'Untitled' } },
    });
    const address = {
      line1: '12 St James’s Square',
      state: 'IL',
      postal_code: '60614',
      country: 'US',
    };
    expect(shop.stripe.find(sessionId).params).toMatchObject({
      client_reference_id: orderId,
      success_url: 'http://localhost:4173/checkout/success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:4173/checkout',
      adaptive_pricing: { enabled: 'false' },
      line_items: [line(1, COAT_CENTS), line(2, SOCK_CENTS)],
      payment_intent_data: {
        metadata: { order_id: orderId },
        shipping: { name: 'Ada Byron', address },
      },
    });
  });
});

describe('the same checkout again', () => {
  test('a request waits for another one that is making the page', async () => {
    const released = Promise.withResolvers<void>();
    shop.stripe.faults.next(CREATE, { kind: 'wait', until: released.promise });
    const ports = { ...shop.ports, pause: async () => released.resolve() };
    const [first, second] = await Promise.all([checkout(), createCheckout(ports, request())]);
    expect(second).toEqual(first);
  });
});

describe('Stripe', () => {
  test('answers 500, and would again for the same idempotency key: the shop makes another attempt', async () => {
    shop.stripe.faults.next(CREATE, { kind: 'fail', moment: 'after' });
    const { orderId } = await checkout();
    expect(await attemptsOf(orderId)).toEqual(['stripe failed', 'stripe open']);
    expect(shop.stripe.checkouts, 'with the one whose answer was lost').toHaveLength(2);
  });

  test('rejects a request that a deploy has changed after its first answer was lost: the shop makes another attempt', async () => {
    shop.stripe.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    const deployed = { ...shop.ports, siteUrl: () => 'https://deployed.example' };
    const { orderId } = await createCheckout(deployed, request());
    expect(await attemptsOf(orderId)).toEqual(['stripe failed', 'stripe open']);
  });

  test('rejects a request in words about the shopper, and a log has its codes only', async () => {
    const { orderId } = await checkout();
    const error = {
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      message: 'Invalid name: Ada Byron',
    };
    // With this header an attempt has failed: Stripe repeats the answer for the same idempotency key.
    const headers = { 'idempotent-replayed': 'true', 'request-id': 'req_1' };
    const ports = portsTo(async () => Response.json({ error }, { status: 400, headers }));
    const codes = 'Stripe: invalid_request_error parameter_invalid req_1';
    shop.buyer.waitMinutes(2);
    await reconcile(ports);
    expect(shop.log).toEqual([`order ${orderId}, attempt 1: ${codes}`]);
    await runReconcileForHours(); // the first page ends
    const rejected = createCheckout(ports, shop.requestFor({ [coat]: 2 }));
    await expect(rejected).rejects.toThrow(new ProviderUnavailable(codes));
  });

  test('does not take the shopper’s email: its page asks for another one', async () => {
    const ports = portsTo(async (input, init) => {
      const sent = new Request(input, init);
      const hasEmail = (await sent.clone().text()).includes('customer_email');
      const error = { type: 'invalid_request_error', code: 'email_invalid' };
      return hasEmail ? Response.json({ error }, { status: 400 }) : shop.stripe.handle(sent);
    });
    const { sessionId } = await createCheckout(ports, request());
    const { stripe } = ports.cards();
    expect(await stripe.checkout.sessions.retrieve(sessionId)).toMatchObject({
      customer_email: null,
    });
    expect((await createCheckout(ports, request())).sessionId).toBe(sessionId);
  });

  test('has lost the session: another one is made', async () => {
    const first = await checkout();
    const emptyStripe = new InProcessShop(backend, user, 2); // another seed draws other ids
    const second = await createCheckout(emptyStripe.ports, request());
    expect([second.orderId, second.sessionId === first.sessionId]).toEqual([first.orderId, false]);
  });
});

describe('choosing PayPal instead', () => {
  test('a card page is found and ended, though Stripe’s answer with its address was lost', async () => {
    shop.stripe.faults.next(CREATE, { kind: 'cut', moment: 'after' });
    await expect(checkout()).rejects.toThrow(ProviderUnavailable);
    const payPal = await createWalletOrder(shop.ports, request());
    expect(shop.stripe.checkouts.map((session) => session.status)).toEqual(['expired']);
    expect(await attemptsOf(payPal.storeOrderId)).toEqual(['stripe expired', 'paypal open']);
  });
});

describe('the reconcile', () => {
  test('continues when a provider does not answer about one order, and asks again later', async () => {
    shop.dropsWebhooks = true;
    const first = await checkout();
    shop.stripe.pay(first.sessionId, 'pending');
    const second = await createCheckout(shop.ports, shop.requestFor({ [coat]: 2 }));
    shop.stripe.pay(second.sessionId);
    shop.stripe.faults.next(/^GET/, { kind: 'reject', status: 503 });
    shop.buyer.waitMinutes(3);
    await reconcile(shop.ports);
    expect(await stateOf(second.orderId)).toBe('paid');
    shop.stripe.settle(first.sessionId);
    await runReconcileForHours();
    expect([await stateOf(first.orderId), await stateOf(second.orderId)]).toEqual(['paid', 'paid']);
  });

  test('ends in the time that the host gives it, however slow a provider is', async () => {
    for (let order = 0; order < 12; order += 1) {
      // Another quantity each time, because the same lines would be the same order.
      const page = await createCheckout(shop.ports, shop.requestFor({ [coat]: 1 + order }));
      shop.stripe.pay(page.sessionId, 'pending');
      await shop.idle();
      shop.buyer.waitMinutes(2);
    }
    shop.buyer.now.setUTCDate(shop.buyer.now.getUTCDate() + 1);
    const began = shop.buyer.now.getTime();
    let asked = 0;
    const ports: Ports = {
      ...shop.ports,
      cards: () => {
        asked += 1;
        shop.buyer.waitMinutes(5 / 60); // 5 seconds
        throw new ProviderUnavailable('Stripe: no answer for 5 seconds');
      },
    };
    await reconcile(ports);
    // The run begins no request after 12 seconds: the third begins at 10, and a fourth would begin at 15.
    expect(asked).toBe(3);
    expect(shop.buyer.now.getTime() - began, 'Netlify’s limit').toBeLessThan(30_000);
  });
});
