/** Messages by which an attacker would make an unpaid order look paid. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HookEvent } from '../../netlify/local/provider/deliveries.ts';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import { expectAnswer, openShopOverHttpForFile, TOTAL } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();
const { expectNothingDone } = shop;
// Tests send the webhooks themselves.
for (const { webhooks } of [shop.stripe, shop.paypal]) webhooks.sendTo(undefined);
afterEach(() => void vi.restoreAllMocks());

/** How old a signature of Stripe's may be. */
const TOLERANCE_MS = 300_000;
const DAY_MS = 86_400_000;

type Headers = Readonly<Record<string, string>>;

const send = (provider: 'stripe' | 'paypal', body: string, headers: Headers) =>
  shop.call(`${provider}-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const orderStates = async () => (await shop.orders()).map(({ state }) => state);
const sign = (body: string, { secret = shop.stripe.webhookSecret, ageMs = 0 } = {}) =>
  signatureHeaders(body, secret, Date.now() - ageMs);

/** Records the shop's requests to PayPal: the emulator takes a fault, if there is one, before each answer. */
const spyOnPayPal = () => vi.spyOn(shop.paypal.faults, 'take');

/** The webhook of a card payment, which the shop has not received yet. */
async function cardWebhook(changes: object = {}): Promise<string> {
  const { body } = await shop.createCheckoutSession(changes);
  shop.stripe.pay(String(body['sessionId']));
  const event = shop.stripe.webhooks.events.at(-1);
  if (event?.type !== 'checkout.session.completed') throw new Error('no event');
  return event.body;
}

/** The webhook of a PayPal payment, with the headers that PayPal sends. */
async function payPalWebhook(): Promise<{ body: string; headers: Headers }> {
  const orderId = await shop.approvedPayPalOrder();
  shop.paypal.approve(orderId, 'pending');
  await shop.post('capture-paypal-order', { orderId });
  shop.paypal.settle(orderId);
  const event = shop.paypal.webhooks.events.at(-1);
  if (event?.type !== 'PAYMENT.CAPTURE.COMPLETED') throw new Error('no event');
  return { body: event.body, headers: headersOfPayPal(event) };
}

/** The headers with which PayPal sends an event. */
function headersOfPayPal(event: HookEvent): Headers {
  const { headers } = shop.paypal.webhooks.requestFor(event.id, shop.url);
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('paypal-')));
}

describe('a message about a card payment', () => {
  test('that Stripe has not signed, or that was changed, or is old, pays nothing', async () => {
    const body = await cardWebhook();
    const cheaper = body.replaceAll(String(TOTAL), '1');
    const forgeries: [body: string, headers: Headers][] = [
      [body, {}],
      [body, { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=` }],
      [body, sign(body, { secret: 'whsec_other' })],
      [body, sign(body, { secret: '' })],
      [cheaper, sign(body)],
      [body, sign(body, { ageMs: TOLERANCE_MS + 1000 })],
    ];
    await expectNothingDone(async () => {
      for (const [forgery, headers] of forgeries) {
        await expectAnswer(send('stripe', forgery, headers), 400, 'signature');
      }
    });
    const notTooOld = sign(body, { ageMs: TOLERANCE_MS - 20_000 });
    expect((await send('stripe', body, notTooOld)).status).toBe(200);
    expect(await orderStates()).toEqual(['paid']);
  });

  test.each([
    ['amount', `"amount_total": ${TOTAL}`, `"amount_total": ${TOTAL - 1}`],
    ['currency', '"currency": "usd"', '"currency": "eur"'],
    ['mode', '"livemode": false', '"livemode": true'],
  ])(
    'with another %s than the order pays nothing, and is kept for a person',
    async (field, from, to) => {
      const body = (await cardWebhook()).replaceAll(from, to);
      expect(body).toContain(to);
      expect((await send('stripe', body, sign(body))).status).toBe(200);
      const [order] = await shop.orders();
      expect(order?.['state']).toBe('needs_review');
      expect(order?.['review']).toContain(field);
    },
  );

  test('that names another order than the one it pays leaves the other one alone', async () => {
    const otherOrder = randomUUID();
    const body = await cardWebhook({ orderId: randomUUID() });
    const [line] = shop.cardRequest()['items'] as readonly object[];
    const items = [{ ...line, quantity: 1 }];
    await shop.createCheckoutSession({ orderId: otherOrder, items });
    const wrong = body.replace(/"order_id": "[\w-]+"/, `"order_id": "${otherOrder}"`);
    await send('stripe', wrong, sign(wrong));
    expect(await orderStates()).toEqual(['paid', 'pending']);
  });

  test('for a page that the shop has not made is kept, and pays no order, not even the one that it names', async () => {
    const body = (await cardWebhook()).replace(/cs_test_\w+/g, 'cs_test_unknown');
    expect((await send('stripe', body, sign(body))).status).toBe(200);
    expect(await orderStates()).toEqual(['pending']);
    const recorded = await shop.backend.query(
      'select result, amount_minor::int as amount from public.payment_events',
    );
    expect(recorded).toEqual([{ result: 'unknown', amount: TOTAL }]);
  });
});

describe('a message about a PayPal payment', () => {
  test('that PayPal does not vouch for pays nothing', async () => {
    const { body, headers } = await payPalWebhook();
    const without = (name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
    const forgeries: [body: string, headers: Headers][] = [
      [body, {}],
      ...Object.keys(headers).map((name): [string, Headers] => [body, without(name)]),
      [body, { ...headers, 'paypal-transmission-sig': 'forged-sig' }],
      [body, { ...headers, 'paypal-cert-url': 'https://evil.example/cert.pem' }],
      [body, { ...headers, 'paypal-transmission-time': '2020-01-01T00:00:00Z' }],
      [body.replace((TOTAL / 100).toFixed(2), '1.00'), headers],
    ];
    for (const text of ['{}', '{', '[]', 'null', '', '{},"webhook_id":"mine"']) {
      forgeries.push([text, headers]);
    }
    await expectNothingDone(async () => {
      for (const [forgery, forged] of forgeries) {
        await expectAnswer(send('paypal', forgery, forged), 400, 'signature');
      }
    });
    expect((await send('paypal', body, headers)).status).toBe(200);
    expect(await orderStates()).toEqual(['paid']);
  });

  describe('that PayPal cannot have sent is rejected without asking PayPal', () => {
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    test.each<[fault: string, headers: Headers]>([
      ['with a host that only ends alike', { 'paypal-cert-url': 'https://evilpaypal.com/c.pem' }],
      ['with a certificate whose address is not a URL', { 'paypal-cert-url': 'api.paypal.com' }],
      ['with a certificate over http', { 'paypal-cert-url': 'http://api.paypal.com/v1/c' }],
      ['with a time long ago', { 'paypal-transmission-time': inMs(-5 * DAY_MS) }],
      ['with a time ahead', { 'paypal-transmission-time': inMs(DAY_MS) }],
      ['with a time that cannot be read', { 'paypal-transmission-time': 'today' }],
    ])('%s', async (_, forged) => {
      const { body, headers } = await payPalWebhook();
      const paypalRequests = spyOnPayPal();
      await expectNothingDone(() =>
        expectAnswer(send('paypal', body, { ...headers, ...forged }), 400, 'signature'),
      );
      expect(paypalRequests).not.toHaveBeenCalled();
    });
  });

  test.each(['id', 'update_time', 'amount'])(
    'whose %s is not a text is rejected',
    async (field) => {
      const { body, headers } = await payPalWebhook();
      const message = JSON.parse(body) as { resource: Record<string, unknown> };
      // `String` throws for this object.
      const odd = { toString: 1, valueOf: 1 };
      message.resource[field] = field === 'amount' ? { value: odd, currency_code: odd } : odd;
      const { status } = await send('paypal', JSON.stringify(message), headers);
      expect(status).toBe(400);
    },
  );

  test('of a kind that orders do not need is accepted without asking PayPal', async () => {
    const { body, headers } = await payPalWebhook();
    const paypalRequests = spyOnPayPal();
    await expectNothingDone(async () => {
      for (const type of ['CUSTOMER.ACCOUNT-LIMITATION.ADDED', 'constructor', '']) {
        const ofType = body.replace('PAYMENT.CAPTURE.COMPLETED', type);
        expect((await send('paypal', ofType, headers)).status).toBe(200);
      }
    });
    expect(paypalRequests).not.toHaveBeenCalled();
  });

  test('that PayPal sends again after three days is not too old: the shop asks PayPal about it', async () => {
    const { body, headers } = await payPalWebhook();
    const paypalRequests = spyOnPayPal();
    const time = new Date(Date.now() - 3 * DAY_MS).toISOString();
    await send('paypal', body, { ...headers, 'paypal-transmission-time': time });
    // The emulator rejects the changed time. What matters here is that the shop has asked PayPal.
    expect(paypalRequests).toHaveBeenCalledWith('POST /v1/notifications/verify-webhook-signature');
  });

  test('of another amount than the order, though PayPal vouches for it, is kept for a person', async () => {
    const { body } = await payPalWebhook();
    const { resource } = JSON.parse(body) as { resource: { amount: object } };
    const amount = { ...resource.amount, value: '1.00' };
    shop.paypal.emit('PAYMENT.CAPTURE.COMPLETED', 'capture', { ...resource, amount });
    const event = shop.paypal.webhooks.events.at(-1);
    if (event === undefined) throw new Error('no event');
    await send('paypal', event.body, headersOfPayPal(event));
    expect(await orderStates()).toEqual(['needs_review']);
  });
});
