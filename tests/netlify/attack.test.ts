/** Requests by which an attacker would pay less, or reach what belongs to another shopper. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HOME } from '../supabase/buyer.ts';
import { clientOf } from '../supabase/shop.ts';
import { tokenFor } from '../supabase/shoppers.ts';
import { COAT_CENTS, expectAnswer, openShopOverHttpForFile, TOTAL } from './shop-over-http.ts';
import { readBodyText } from '../../netlify/lib/http.ts';
import { fetchUnnormalised } from './small-site.ts';

const shop = await openShopOverHttpForFile();
const { expectNothingDone } = shop;

/** The two functions with which a payment begins. */
const CREATE = ['create-checkout-session', 'create-paypal-order'] as const;
const bodyFor = (name: (typeof CREATE)[number], changes: object = {}) =>
  name === 'create-checkout-session' ? shop.cardRequest(changes) : shop.payPalRequest(changes);

describe('the price', () => {
  test('comes from the shop, whatever the page says that things cost, and so does all else of an order', async () => {
    const { COAT: product_id } = shop.products;
    const cheap = [
      {
        product_id,
        quantity: 2,
        unit_minor: 1,
        price: 0.01,
        unit_amount: 1,
        'Retail Price': 0.01,
        products: { 'Retail Price': 0.01 },
      },
    ];
    const totals = { total: 1, amount: 1, total_minor: 1, currency: 'JPY', discount: 100 };
    const others = { state: 'paid', mode: 'live', email: 'eve@weft.test', p_user: shop.eve.id };
    const card = await shop.createCheckoutSession({ items: cheap, ...totals, ...others });
    expect(card.status).toBe(200);
    const session = shop.stripe.checkouts.find(({ id }) => id === card.body['sessionId']);
    expect(session?.params.line_items).toMatchObject([
      { quantity: '2', price_data: { currency: 'usd', unit_amount: String(COAT_CENTS) } },
    ]);
    const paypal = await shop.createPayPalOrder({ cartItems: cheap, ...totals });
    const order = shop.paypal.checkouts.find(({ id }) => id === paypal.body['orderId']);
    expect(order?.request.purchase_units[0]?.amount).toMatchObject({
      currency_code: 'USD',
      value: (TOTAL / 100).toFixed(2),
    });
    const placed = { user_id: shop.ada.id, total: TOTAL, state: 'pending', mode: 'sandbox' };
    for (const order of await shop.orders()) expect(order).toMatchObject(placed);
  });

  test.each(CREATE)('is not charged when the page showed another total (%s)', async (name) => {
    await expectNothingDone(async () => {
      for (const shownTotal of [0, 1, TOTAL - 1, TOTAL + 1]) {
        await expectAnswer(shop.post(name, bodyFor(name, { shownTotal })), 409, 'total-differs');
      }
    });
  });
});

test('a quantity that is no whole number from 1 to 99 buys nothing', async () => {
  await expectNothingDone(async () => {
    for (const quantity of [0, -1, 0.5, 100, '1', [1], null]) {
      const lines = [{ product_id: shop.products['COAT'], quantity }];
      for (const name of CREATE) {
        const body = bodyFor(name, { items: lines, cartItems: lines });
        await expectAnswer(shop.post(name, body), 400, 'items');
      }
    }
  });
});

/** A token that has not expired, of a session that its shopper has logged out of. */
async function endedToken(): Promise<string> {
  const { auth } = clientOf(shop);
  const { data } = await auth.signInWithPassword(shop.ada);
  const token = data.session?.access_token ?? '';
  await auth.signOut({ scope: 'local' });
  return token;
}

/** Eve’s token, in which Ada’s id was written over hers after it was signed. */
function exchangedToken(): string {
  const [head = '', claims = '', signature = ''] = shop.eve.token.split('.');
  const text = Buffer.from(claims, 'base64url').toString().replaceAll(shop.eve.id, shop.ada.id);
  return [head, Buffer.from(text).toString('base64url'), signature].join('.');
}

const tokenOfNobody = () => tokenFor(shop, randomUUID(), 600);
test.each<[string, () => string | null | Promise<string>, number, string]>([
  ['none', () => null, 401, 'sign-in'],
  ['one whose shopper was exchanged after it was signed', exchangedToken, 401, 'sign-in'],
  ['one whose session was ended', endedToken, 401, 'sign-in'],
  ['one longer than any real token', () => `${'a'.repeat(9000)}.b.c`, 401, 'sign-in'],
  ['the secret key', () => shop.backend.secretKey, 401, 'sign-in'],
  ['one of an account that is gone', tokenOfNobody, 410, 'account-gone'],
])('without a good token nothing is done: %s', async (_, tokenOf, status, code) => {
  const orderId = randomUUID();
  const payPalOrder = await shop.approvedPayPalOrder({ orderId });
  const token = await tokenOf();
  await expectNothingDone(async () => {
    const answers = [
      await shop.post('create-checkout-session', shop.cardRequest(), token),
      await shop.post('create-paypal-order', shop.payPalRequest(), token),
      await shop.post('capture-paypal-order', { orderId: payPalOrder }, token),
      await shop.get(`order-status?order=${orderId}`, token),
    ];
    for (const answer of answers) await expectAnswer(answer, status, code);
  });
  expect(shop.paypal.receipts.some(({ sourceId }) => sourceId === payPalOrder)).toBe(false);
});

describe('with what belongs to another shopper', () => {
  test.each(CREATE)('a userId: the order is rejected (%s)', async (name) => {
    await expectNothingDone(async () => {
      await expectAnswer(shop.post(name, bodyFor(name), shop.eve.token), 403, 'other-user');
      for (const userId of [undefined, 7, [shop.ada.id]]) {
        await expectAnswer(shop.post(name, { ...bodyFor(name), userId }), 400);
      }
    });
  });

  test.each(CREATE)('an order: it is not found, and not paid (%s)', async (name) => {
    const orderId = randomUUID();
    await shop.createCheckoutSession({ orderId });
    await expectNothingDone(async () => {
      const request = { ...bodyFor(name, { orderId }), userId: shop.eve.id };
      await expectAnswer(shop.post(name, request, shop.eve.token), 404, 'order-unknown');
    });
  });

  test('a PayPal order: its money is not taken', async () => {
    const orderId = await shop.approvedPayPalOrder();
    await expectNothingDone(async () => {
      const foreign = await shop.post('capture-paypal-order', { orderId }, shop.eve.token);
      const unknown = await shop.post('capture-paypal-order', { orderId: 'NONE' }, shop.eve.token);
      // The answers are equal, so that a shopper cannot find out which orders there are.
      expect(foreign).toEqual(unknown);
      await expectAnswer(foreign, 404, 'order-unknown');
    });
    expect(shop.paypal.receipts.some(({ sourceId }) => sourceId === orderId)).toBe(false);
  });

  test('an order or a payment page: its state is not told', async () => {
    const { body } = await shop.createCheckoutSession();
    const ask = (query: string) => shop.get(`order-status?${query}`, shop.eve.token);
    const unknown = await ask(`order=${randomUUID()}`);
    await expectAnswer(unknown, 404, 'order-unknown');
    await expectNothingDone(async () => {
      expect(await ask(`order=${String(body['orderId'])}`)).toEqual(unknown);
      expect(await ask(`session_id=${String(body['sessionId'])}`)).toEqual(unknown);
      expect(await ask('session_id=cs_none')).toEqual(unknown);
    });
  });
});

test('the way back is the shop’s own, whatever Host and next say', async () => {
  const evil = 'evil.example';
  const headers = {
    // The local server rejects foreign names, so this one differs only in its port.
    host: 'localhost:666',
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'http',
    'x-original-url': `https://${evil}/`,
    forwarded: `host=${evil}`,
    origin: `https://${evil}`,
    referer: `https://${evil}/`,
    'content-type': 'application/json',
    authorization: `Bearer ${shop.ada.token}`,
  };
  const next = `https://${evil}`;
  const fields = { next, successUrl: next, success_url: next, cancelUrl: next, return_url: next };
  const send = async (name: string, request: object) => {
    const path = `/.netlify/functions/${name}?next=${next}`;
    const content = JSON.stringify({ ...request, ...fields });
    const { body } = await fetchUnnormalised(shop, path, {
      method: 'POST',
      headers,
      body: content,
    });
    return JSON.parse(body.toString()) as Record<string, unknown>;
  };
  const { sessionId, url } = await send('create-checkout-session', shop.cardRequest());
  const session = shop.stripe.checkouts.find(({ id }) => id === sessionId);
  expect(`${String(url)} ${JSON.stringify(session?.params)}`).not.toContain(':666');
  expect(String(url)).not.toContain(evil);
  expect(JSON.stringify(session?.params)).not.toContain(evil);
  expect(session?.params.success_url).toContain(`${shop.url}/checkout/success`);
  expect(session?.params.cancel_url).toBe(`${shop.url}/checkout`);
  const { orderId } = await send('create-paypal-order', shop.payPalRequest());
  const order = shop.paypal.checkouts.find(({ id }) => id === orderId);
  expect(JSON.stringify(order?.request)).toContain(`${shop.url}/checkout`);
  expect(JSON.stringify(order?.request)).not.toContain(evil);
  expect(JSON.stringify(order?.request)).not.toContain(':666');
});

test('a request without a token is rejected before its body is read', async () => {
  const names = [...CREATE, 'capture-paypal-order', 'upload-csv', 'undo-import'] as const;
  await expectNothingDone(async () => {
    for (const name of names) {
      for (const body of ['{', '[]', '[['.repeat(1000)]) {
        const { status } = await shop.post(name, body, null);
        expect([name, status]).toEqual([name, 401]);
      }
    }
  });
});

describe('a request that is not the page’s', () => {
  const names = [...CREATE, 'capture-paypal-order'] as const;
  const token = { authorization: `Bearer ${shop.ada.token}` };
  const headers = { ...token, 'content-type': 'application/json' };

  test('is rejected in a content type that pages of other sites may send without a CORS preflight', async () => {
    // For bytes, fetch sends no content type of its own.
    const body = new TextEncoder().encode(JSON.stringify(shop.cardRequest()));
    const types = ['text/plain', 'text/plain; application/json', 'application/jsonp', null];
    await expectNothingDone(async () => {
      for (const type of types) {
        const typed = { ...token, ...(type === null ? {} : { 'content-type': type }) };
        const init = { method: 'POST', headers: typed, body };
        expect((await shop.call('create-checkout-session', init)).status, String(type)).toBe(415);
      }
    });
  });

  test('in another method, or with a body that is no object, is rejected', async () => {
    const deep = '['.repeat(100_000);
    await expectNothingDone(async () => {
      for (const name of names) {
        for (const method of ['GET', 'PUT', 'OPTIONS']) {
          const { status } = await shop.call(name, { method, headers });
          expect([name, method, status]).toEqual([name, method, 405]);
        }
        for (const body of ['[]', 'null', '{', '', deep]) {
          const { status } = await shop.call(name, { method: 'POST', headers, body });
          expect([name, status]).toEqual([name, 400]);
        }
      }
    });
  });

  test('in another encoding than UTF-8 is rejected, and not decoded wrongly', async () => {
    const shippingAddress = { ...HOME, city: 'Montr#al' };
    await expectNothingDone(async () => {
      const body = new TextEncoder().encode(JSON.stringify(shop.cardRequest({ shippingAddress })));
      // An é as Windows-1252 writes it.
      body[body.indexOf('#'.charCodeAt(0))] = 0xe9;
      const answer = await shop.call('create-checkout-session', { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
    });
  });

  test('for an id that is malformed is rejected', async () => {
    const ids = ['', 'mine', 7, [randomUUID()], `${randomUUID()} `];
    await expectNothingDone(async () => {
      for (const orderId of ids) {
        for (const name of CREATE) {
          await expectAnswer(shop.post(name, bodyFor(name, { orderId })), 400);
        }
      }
      for (const orderId of ['', '../x', 'x'.repeat(101), 7, null]) {
        const { status } = await shop.post('capture-paypal-order', { orderId });
        expect([orderId, status]).toEqual([orderId, 400]);
      }
      for (const query of ['', 'order=1', 'session_id=../x']) {
        const { status } = await shop.get(`order-status?${query}`);
        expect([400, 404]).toContain(status);
      }
    });
  });

  test('that is larger than 512 kB, or 6 MB for a part of an import, is rejected', async () => {
    const withKilobytes = (count: number) =>
      JSON.stringify(shop.cardRequest({ padding: 'x'.repeat(count * 1024) }));
    const big = withKilobytes(512);
    await expectNothingDone(async () => {
      for (const name of [...names, 'stripe-webhook', 'paypal-webhook', 'upload-csv']) {
        const body = name === 'upload-csv' ? withKilobytes(6 * 1024) : big;
        const { status } = await shop.call(name, { method: 'POST', headers, body });
        expect([name, status]).toEqual([name, 413]);
      }
    });
    // The function itself has the limit too, for a host without one and a body whose length was not sent.
    const request = new Request('http://localhost/', { method: 'POST', body: big });
    await expect(readBodyText(request)).rejects.toMatchObject({ status: 413 });
  });
});

test('every answer of a function carries nosniff and HSTS but no cookie; only public ones may be cached', async () => {
  const functions = `${shop.url}/.netlify/functions`;
  const sitemap = await fetch(`${functions}/sitemap`);
  const authorization = `Bearer ${shop.ada.token}`;
  const uncached = [
    await fetch(`${functions}/export-account`, { headers: { authorization } }),
    await fetch(`${functions}/order-status?order=${randomUUID()}`),
    await fetch(`${functions}/upload-csv`),
  ];
  const answers = [sitemap, ...uncached];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 405]);
  for (const { headers, url } of answers) {
    expect(headers.get('x-content-type-options'), url).toBe('nosniff');
    expect(headers.get('strict-transport-security'), url).toMatch(/max-age=\d{8}/);
    expect(headers.getSetCookie(), url).toEqual([]);
  }
  for (const { headers, url } of uncached) {
    expect(headers.get('cache-control'), url).toBe('no-store');
  }
});
