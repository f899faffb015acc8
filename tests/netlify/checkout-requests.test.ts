/** The functions as anybody may call them: over HTTP, with whatever they like in the request. */
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { signatureHeaders } from '../../netlify/local/stripe/signature.ts';
import type { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import { HOME } from '../supabase/desk.ts';
import type { TestShop } from '../supabase/shop.ts';
import { openTestShop } from '../supabase/shop.ts';
import type { Shopper } from '../supabase/shoppers.ts';
import { addShopper, sell, tokenFor } from '../supabase/shoppers.ts';

let shop: TestShop;
let ada: Shopper;
let eve: Shopper;
let coat: number;
let stripe: LocalStripe;
let paypal: LocalPayPal;

beforeAll(async () => {
  shop = await openTestShop({ payments: true });
  if (!shop.payments?.stripe || !shop.payments.paypal) throw new Error('no emulators');
  ({ stripe, paypal } = shop.payments);
  [ada, eve] = [await addShopper(shop, 'ada'), await addShopper(shop, 'eve')];
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.backend.query('truncate public.products, public.orders cascade');
  ({ COAT: coat = 0 } = await sell(shop, { COAT: 129.5 }));
});

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(name: string, init: RequestInit): Promise<Answered> {
  const answer = await fetch(`${shop.url}/.netlify/functions/${name}`, init);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function post(
  name: string,
  body: unknown,
  token: string | null = ada.token,
  type = 'application/json',
) {
  return call(name, {
    method: 'POST',
    headers: {
      'content-type': type,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const cardRequest = (more: object = {}) => ({
  items: [
    { id: 7, user_id: ada.id, product_id: coat, quantity: 2, products: { 'Retail Price': 0.01 } },
  ],
  shippingAddress: HOME,
  userId: ada.id,
  ...more,
});
const walletRequest = () => ({
  ...cardRequest(),
  cartItems: cardRequest().items,
  items: undefined,
});
const status = async (query: string, who = ada) =>
  call(`order-status?${query}`, { headers: { authorization: `Bearer ${who.token}` } });
const orders = () => shop.backend.query('select id, state, total_minor, review from public.orders');
const events = () => shop.backend.query('select from public.payment_events');
const AWAY = ['create-checkout-session', 'create-paypal-order', 'capture-paypal-order'] as const;

test('the specification’s own request is enough, and prices in it are not believed', async () => {
  const { status: code, body } = await post('create-checkout-session', cardRequest());
  expect([code, Object.keys(body).toSorted()]).toEqual([200, ['orderId', 'sessionId', 'url']]);
  expect(await orders()).toMatchObject([
    { id: body['orderId'], state: 'pending', total_minor: 25_900 },
  ]);
  const session = String(body['sessionId']);
  expect(await status(`session_id=${session}`)).toEqual({
    status: 200,
    body: { status: 'unpaid', orderId: body['orderId'], totalMinor: 25_900, mode: 'sandbox' },
  });
  stripe.pay(session);
  await stripe.webhooks.idle();
  expect((await status(`order=${String(body['orderId'])}`)).body['status']).toBe('paid');
});

test('PayPal’s two requests, too', async () => {
  const { body } = await post('create-paypal-order', walletRequest());
  const orderId = String(body['orderId']);
  paypal.approve(orderId);
  const captured = await post('capture-paypal-order', { orderId });
  expect(captured).toEqual({
    status: 200,
    body: { status: 'COMPLETED', storeOrderId: body['storeOrderId'] },
  });
  expect(await orders()).toMatchObject([{ state: 'paid', total_minor: 25_900 }]);
  await paypal.webhooks.idle();
  expect(paypal.webhooks.waiting).toEqual([]);
});

describe('who is asking', () => {
  const unsigned = () =>
    [
      { alg: 'none', typ: 'JWT' },
      { sub: ada.id, role: 'authenticated', exp: 9_999_999_999 },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.';
  const tokens: [what: string, token: () => string | null][] = [
    ['no token', () => null],
    ['an expired token', () => tokenFor(shop, ada.id, -60)],
    ['a token without a signature', unsigned],
    ['a token with a changed signature', () => `${ada.token.slice(0, -6)}abcdef`],
    ['a token of an account that does not exist', () => tokenFor(shop, randomUUID(), 600)],
    ['the publishable key', () => shop.backend.publishableKey],
    ['the secret key', () => shop.backend.secretKey],
  ];
  test.each(tokens)('%s is not answered', async (_, token) => {
    for (const name of AWAY) {
      const { status: code, body } = await post(
        name,
        { ...cardRequest(), ...walletRequest(), orderId: randomUUID() },
        token(),
      );
      expect([name, code, body['code']]).toEqual([name, 401, 'sign-in']);
    }
    const given = token();
    const headers: Record<string, string> =
      given === null ? {} : { authorization: `Bearer ${given}` };
    expect((await call(`order-status?order=${randomUUID()}`, { headers })).status).toBe(401);
    expect(await orders()).toEqual([]);
  });

  test('an order for somebody else is refused', async () => {
    for (const name of ['create-checkout-session', 'create-paypal-order']) {
      const body = { ...cardRequest(), cartItems: cardRequest().items };
      expect(await post(name, body, eve.token)).toMatchObject({
        status: 403,
        body: { code: 'other-user' },
      });
      expect(await post(name, { ...body, userId: 7 })).toMatchObject({
        status: 400,
        body: { code: 'user' },
      });
    }
    expect(await orders()).toEqual([]);
  });

  test('another shopper’s order is not found: not its state, its id or its money', async () => {
    const card = (await post('create-checkout-session', cardRequest())).body;
    const wallet = (await post('create-paypal-order', walletRequest())).body;
    paypal.approve(String(wallet['orderId']));
    const notFound = { status: 404, body: { code: 'order-unknown' } };
    expect(await status(`session_id=${String(card['sessionId'])}`, eve)).toMatchObject(notFound);
    expect(await status(`order=${String(card['orderId'])}`, eve)).toMatchObject(notFound);
    expect(await status(`order=${randomUUID()}`)).toMatchObject(notFound);
    expect(await status('session_id=cs_none')).toMatchObject(notFound);
    expect(
      await post('capture-paypal-order', { orderId: wallet['orderId'] }, eve.token),
    ).toMatchObject(notFound);
    expect(await post('capture-paypal-order', { orderId: 'NONE' })).toMatchObject(notFound);
    const taken = { ...cardRequest(), userId: eve.id, orderId: card['orderId'] };
    expect(await post('create-checkout-session', taken, eve.token)).toMatchObject(notFound);
    expect(paypal.receipts).toHaveLength(1);
    expect(await orders()).toMatchObject([{ state: 'pending' }]);
  });
});

describe('what is asked', () => {
  const quantities = [0, -1, 1.5, 100, 1e9, '1', [1], null, true, {}];
  const items: [what: string, items: unknown][] = [
    ...quantities.map((quantity): [string, unknown] => [
      `quantity ${JSON.stringify(quantity)}`,
      [{ product_id: 1, quantity }],
    ]),
    ['no list', 'coat'],
    ['an empty list', []],
    ['too many lines', Array.from({ length: 101 }, (_, i) => ({ product_id: i + 1, quantity: 1 }))],
    ['a product by its name', [{ product_id: 'COAT', quantity: 1 }]],
    ['a product below nothing', [{ product_id: -1, quantity: 1 }]],
    ['a product beyond numbers', [{ product_id: 1e300, quantity: 1 }]],
    ['no product', [null]],
  ];
  test.each(items)('%s is refused in words', async (_, wrong) => {
    const { status: code, body } = await post(
      'create-checkout-session',
      cardRequest({ items: wrong }),
    );
    expect([code, body['code'], typeof body['error']]).toEqual([400, 'items', 'string']);
    expect(await orders()).toEqual([]);
  });

  test('an address that does not fit its country is refused, field by field', async () => {
    const shippingAddress = { ...HOME, state: 'Narnia', postal_code: '1', city: '' };
    const { status: code, body } = await post(
      'create-checkout-session',
      cardRequest({ shippingAddress }),
    );
    expect([code, body['code'], Object.keys(body['fields'] as object).toSorted()]).toEqual([
      400,
      'address',
      ['city', 'postal_code', 'state'],
    ]);
  });

  test('ids and totals that are none are refused; a product that is gone is named', async () => {
    const refusals = [
      [{ orderId: 'mine' }, 400, 'order-id'],
      [{ orderId: 7 }, 400, 'order-id'],
      [{ shownTotal: '1' }, 400, 'shown-total'],
      [{ shownTotal: 1.5 }, 400, 'shown-total'],
      [{ shownTotal: 1 }, 409, 'total-differs'],
      [{ items: [{ product_id: coat + 1, quantity: 1 }] }, 409, 'product-unavailable'],
    ] as const;
    for (const [more, code, reason] of refusals) {
      expect(await post('create-checkout-session', cardRequest(more))).toMatchObject({
        status: code,
        body: { code: reason },
      });
    }
    for (const orderId of [7, '', 'x'.repeat(101), '\0', '../x', null]) {
      expect((await post('capture-paypal-order', { orderId })).status).toBe(400);
    }
    for (const query of ['', 'order=1&session_id=cs_1'])
      expect((await status(query)).status).toBe(400);
    for (const query of ['order=1', 'session_id=../x'])
      expect((await status(query)).status).toBe(404);
  });

  test('only JSON objects in a POST are read', async () => {
    const text = JSON.stringify(cardRequest());
    for (const name of AWAY) {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]) {
        expect((await post(name, text, ada.token, type)).status).toBe(415);
      }
      for (const body of ['[]', 'null', '7', '{', '', '"text"'])
        expect((await post(name, body)).status).toBe(400);
      expect((await call(name, { method: 'GET' })).status).toBe(405);
    }
    expect((await post('order-status', {})).status).toBe(405);
    expect((await call('reconcile', { method: 'GET' })).status).toBe(405);
    expect(await orders()).toEqual([]);
  });

  test('the way back does not follow the Host of the request, nor a next in it', async () => {
    const sessionId = await new Promise<string>((done, failed) => {
      const sent = httpRequest(
        `${shop.url}/.netlify/functions/create-checkout-session?next=https://evil.example`,
        {
          method: 'POST',
          headers: {
            // The host on this machine answers to no other names than its own.
            host: 'localhost:666',
            'x-forwarded-host': 'evil.example',
            origin: 'https://evil.example',
            'content-type': 'application/json',
            authorization: `Bearer ${ada.token}`,
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (part: Buffer) => (text += part.toString()));
          answer.on('end', () =>
            done(String((JSON.parse(text) as Record<string, unknown>)['sessionId'])),
          );
        },
      );
      sent.on('error', failed);
      sent.end(
        JSON.stringify(
          cardRequest({ next: 'https://evil.example', successUrl: 'https://evil.example' }),
        ),
      );
    });
    const session = stripe.sessions.find(({ id }) => id === sessionId);
    expect(session?.params.success_url).toBe(
      `${shop.url}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    );
    expect(session?.params.cancel_url).toBe(`${shop.url}/checkout`);
  });
});

describe('at the same time', () => {
  test('fifty identical posts give one order and one page', async () => {
    const body = cardRequest({ orderId: randomUUID() });
    const all = await Promise.all(
      Array.from({ length: 50 }, () => post('create-checkout-session', body)),
    );
    expect(new Set(all.map((one) => one.status))).toEqual(new Set([200]));
    expect(new Set(all.map((one) => one.body['url'])).size).toBe(1);
    expect(await orders()).toHaveLength(1);
  });

  test('twenty captures take the money once', async () => {
    const before = paypal.receipts.length;
    const { body } = await post('create-paypal-order', walletRequest());
    paypal.approve(String(body['orderId']));
    const capture = () => post('capture-paypal-order', { orderId: body['orderId'] });
    const all = await Promise.all(Array.from({ length: 20 }, capture));
    expect(all.map((one) => one.body['status'])).toEqual(
      Array.from({ length: 20 }, () => 'COMPLETED'),
    );
    expect(paypal.receipts.length - before).toBe(1);
    expect(await orders()).toMatchObject([{ state: 'paid', review: null }]);
  });
});

describe('a webhook', () => {
  /** News of a payment that Stripe has not sent yet. */
  async function waitingEvent() {
    const { body } = await post('create-checkout-session', cardRequest());
    stripe.webhooks.close();
    stripe.pay(String(body['sessionId']));
    const event = stripe.webhooks.events.at(-1);
    if (event === undefined) throw new Error('no event');
    return event;
  }
  const send = (
    provider: 'stripe' | 'paypal',
    body: string,
    headers: Record<string, string> = {},
  ) =>
    call(`${provider}-webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test('that is not signed, or with another secret, or was changed, or is old, changes nothing', async () => {
    const event = await waitingEvent();
    const sign = ({ secret = stripe.webhookSecret, ageMs = 0 }) =>
      signatureHeaders(event.body, secret, Date.now() - ageMs);
    const forged: [body: string, headers: Readonly<Record<string, string>>][] = [
      [event.body, {}],
      [event.body, sign({ secret: 'whsec_another' })],
      [event.body.replace('25900', '1'), sign({})],
      [event.body, sign({ ageMs: 301_000 })],
      [event.body, { 'stripe-signature': 't=1,v1=x' }],
      ['{}', sign({})],
    ];
    for (const [body, headers] of forged) {
      expect(await send('stripe', body, headers)).toMatchObject({
        status: 400,
        body: { code: 'signature' },
      });
    }
    expect([await orders(), await events()]).toMatchObject([[{ state: 'pending' }], []]);
    expect(await send('stripe', event.body, sign({ ageMs: 290_000 }))).toMatchObject({
      status: 200,
    });
    expect(await orders()).toMatchObject([{ state: 'paid' }]);
    expect((await send('stripe', event.body, sign({}))).status).toBe(200);
    expect(await events()).toHaveLength(1);
  });

  test('that is genuine but says another amount, currency or mode pays nothing', async () => {
    for (const [from, to] of [
      ['"amount_total": 25900', '"amount_total": 25899'],
      ['"currency": "usd"', '"currency": "eur"'],
      ['"livemode": false', '"livemode": true'],
    ] as const) {
      await shop.backend.query('truncate public.orders cascade');
      const event = await waitingEvent();
      const body = event.body.replaceAll(from, to);
      expect(body).not.toBe(event.body);
      const headers = signatureHeaders(body, stripe.webhookSecret, Date.now());
      const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      expect((await send('stripe', body, headers)).status).toBe(200);
      expect(quiet).toHaveBeenCalledWith(expect.stringContaining('needs_review'));
      quiet.mockRestore();
      expect(await orders()).toMatchObject([{ state: 'needs_review' }]);
    }
  });

  test('of PayPal that PayPal does not vouch for, or that is no JSON, changes nothing', async () => {
    const event = { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'X' } };
    const headers = {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://evil.example/cert',
      'paypal-transmission-id': 'id-1',
      'paypal-transmission-sig': 'sig',
      'paypal-transmission-time': new Date().toISOString(),
    };
    for (const body of [JSON.stringify(event), '{', '', '{},"webhook_id":"mine"', '[]', 'null']) {
      expect(await send('paypal', body, headers)).toMatchObject({
        status: 400,
        body: { code: 'signature' },
      });
      expect(await send('paypal', body)).toMatchObject({ status: 400 });
    }
    expect(await events()).toEqual([]);
  });
});

describe('a shop that is not set up', () => {
  test('answers 503 and tells its people what is missing, and never plays the provider', async () => {
    const bare = await openTestShop();
    const heard = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const bea = await addShopper(bare, 'bea');
      const { COAT = 0 } = await sell(bare, { COAT: 129.5 });
      const lines = [{ product_id: COAT, quantity: 1 }];
      const body = { items: lines, cartItems: lines, shippingAddress: HOME, userId: bea.id };
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bea.token}` },
        body: JSON.stringify(body),
      };
      const asked: [name: string, missing: string][] = [
        ['create-checkout-session', 'STRIPE_SECRET_KEY'],
        ['create-paypal-order', 'PAYPAL_ENVIRONMENT'],
        ['stripe-webhook', 'STRIPE_WEBHOOK_SECRET'],
        ['paypal-webhook', 'PAYPAL_WEBHOOK_ID'],
      ];
      for (const [name, missing] of asked) {
        const answer = await fetch(`${bare.url}/.netlify/functions/${name}`, init);
        expect([name, answer.status]).toEqual([name, 503]);
        expect(heard).toHaveBeenLastCalledWith(expect.stringContaining(`${missing} is not set`));
        expect(await answer.text()).not.toContain(missing);
      }
      expect(await bare.backend.query('select from public.orders')).toEqual([]);
      expect(
        (await fetch(`${bare.url}/.netlify/functions/reconcile`, { method: 'POST' })).status,
      ).toBe(200);
    } finally {
      heard.mockRestore();
      await bare.close();
    }
  });
});

test('the reconcile may be called by anybody, and tells only counts', async () => {
  await post('create-checkout-session', cardRequest());
  expect(await call('reconcile', { method: 'POST' })).toEqual({
    status: 200,
    body: { asked: 0, failed: 0, expired: 0, neglected: 0 },
  });
});
