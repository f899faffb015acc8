/** What anybody may send to the functions to pay less, or with what belongs to somebody else. */
import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOME } from '../supabase/desk.ts';
import { clientOf } from '../supabase/shop.ts';
import { tokenFor } from '../supabase/shoppers.ts';
import type { AttackedShop } from './attack-shop.ts';
import { openAttackedShop, TOTAL } from './attack-shop.ts';

let at: AttackedShop;

beforeAll(async () => {
  at = await openAttackedShop();
});
afterAll(() => at.shop.close());
beforeEach(() => at.restock());

const CREATE = ['create-checkout-session', 'create-paypal-order'] as const;
const bodyFor = (name: (typeof CREATE)[number], more: object = {}) =>
  name === 'create-checkout-session' ? at.card(more) : at.wallet(more);

/** Expects that nothing was written anywhere, and nothing asked of a provider, by what is done. */
async function inVain(work: () => Promise<unknown>): Promise<void> {
  const count = () => [at.stripe.sessions.length, at.paypal.orders.length];
  const [before, counted] = [await at.written(), count()];
  await work();
  expect(count()).toEqual(counted);
  expect(await at.written(), 'something was written').toBe(before);
}

describe('the price', () => {
  test('comes from the shop, whatever the page says that things cost', async () => {
    const { COAT: product_id } = at.products;
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
    const more = { total: 1, amount: 1, total_minor: 1, currency: 'JPY', discount: 100 };
    const card = await at.post('create-checkout-session', at.card({ items: cheap, ...more }));
    expect(card.status).toBe(200);
    const session = at.stripe.sessions.find(({ id }) => id === card.body['sessionId']);
    expect(session?.params.line_items).toMatchObject([
      { quantity: 2, price_data: { currency: 'usd', unit_amount: 12_950 } },
    ]);
    const wallet = await at.post('create-paypal-order', at.wallet({ cartItems: cheap, ...more }));
    const order = at.paypal.orders.find(({ id }) => id === wallet.body['orderId']);
    expect(order?.request.purchase_units[0].amount).toMatchObject({
      currency_code: 'USD',
      value: '259.00',
    });
    for (const { total } of await at.orders()) expect(total).toBe(TOTAL);
  });

  test.each(CREATE)('that the page showed is not charged when it is another (%s)', async (name) => {
    await inVain(async () => {
      for (const shownTotal of [0, 1, TOTAL - 1, TOTAL + 1]) {
        const { status, body } = await at.post(name, bodyFor(name, { shownTotal }));
        expect([status, body['code']]).toEqual([409, 'total-differs']);
      }
    });
  });

  test('of an order stays what it was placed for, though its id is sent with other things', async () => {
    const orderId = randomUUID();
    await at.post('create-checkout-session', at.card({ orderId }));
    const before = await at.orders();
    const socks = [{ product_id: at.products['SOCK'], quantity: 1 }];
    for (const name of CREATE) {
      const other = bodyFor(name, { orderId, items: socks, cartItems: socks });
      const { status, body } = await at.post(name, other);
      expect([status, body['code']]).toEqual([409, 'order-differs']);
    }
    expect(await at.orders()).toEqual(before);
  });
});

describe('a quantity', () => {
  const wrong = [0, -1, -0.5, 0.5, 1.5, 100, 1e9, 1e300, '1', '1e9', [1], {}, true, null];
  test.each(wrong.map((quantity) => [JSON.stringify(quantity), quantity]))(
    'of %s buys nothing',
    async (_, quantity) => {
      const lines = [{ product_id: at.products['COAT'], quantity }];
      await inVain(async () => {
        for (const name of CREATE) {
          const { status, body } = await at.post(
            name,
            bodyFor(name, { items: lines, cartItems: lines }),
          );
          expect([status, body['code']]).toEqual([400, 'items']);
        }
      });
    },
  );

  test('cannot be made small or large by naming a product twice', async () => {
    const { COAT: product_id } = at.products;
    const twice = (a: number, b: number) => [
      { product_id, quantity: a },
      { product_id, quantity: b },
    ];
    await inVain(async () => {
      for (const items of [twice(60, 60), twice(5, -3), twice(-1, 1)]) {
        const { status } = await at.post('create-checkout-session', at.card({ items }));
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }
    });
  });

  test('is looked at by the database once more, for whoever gets past the function', async () => {
    const server = clientOf(at.shop, at.shop.backend.secretKey);
    const { COAT: product_id } = at.products;
    await inVain(async () => {
      // The last two add up to what may be bought.
      for (const quantities of [[0], [-1], [1.5], [1e9], ['1'], [[1]], [null], [5, -3], [0, 1]]) {
        const { error } = await server.rpc('place_order', {
          p_user: at.ada.id,
          p_order: randomUUID(),
          p_items: quantities.map((quantity) => ({ product_id, quantity })),
          p_address: HOME,
          p_email: 'ada@weft.test',
          p_shown_total_minor: null,
          p_mode: 'sandbox',
          p_now: new Date().toISOString(),
        });
        expect(error?.code, JSON.stringify(quantities)).toMatch(/^(P0001|22\w{3})$/);
      }
    });
  });
});

/** A token as a forger makes it. */
function forged(header: object, claims: object, secret: string | null): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature =
    secret === null ? '' : createHmac('sha256', secret).update(text).digest('base64url');
  return `${text}.${signature}`;
}

/** A token that has not expired, of a session that its shopper has ended everywhere. */
async function endedToken(): Promise<string> {
  const { auth } = clientOf(at.shop);
  const { data } = await auth.signInWithPassword({
    email: at.ada.email,
    password: at.ada.password,
  });
  const token = data.session?.access_token ?? '';
  await auth.signOut({ scope: 'local' });
  return token;
}

describe('without a good token', () => {
  const claims = () => ({
    sub: at.ada.id,
    role: 'authenticated',
    aud: 'authenticated',
    exp: Math.floor(Date.now() / 1000) + 3600,
  });
  const hs256 = { alg: 'HS256', typ: 'JWT' };
  const tokens: [what: string, token: () => string | null | Promise<string>][] = [
    ['none at all', () => null],
    ['one that has expired', () => tokenFor(at.shop, at.ada.id, -60)],
    ['one without a signature', () => forged({ alg: 'none', typ: 'JWT' }, claims(), null)],
    [
      'one of another issuer',
      () => forged(hs256, { ...claims(), iss: 'https://other.example/auth/v1' }, 'other-secret'),
    ],
    [
      'one signed with a key that everybody has',
      () => forged(hs256, claims(), at.shop.backend.publishableKey),
    ],
    [
      'one whose shopper was exchanged after it was signed',
      () => {
        const [head = '', , signature = ''] = at.eve.token.split('.');
        const body = Buffer.from(JSON.stringify(claims())).toString('base64url');
        return `${head}.${body}.${signature}`;
      },
    ],
    ['one of an account that is gone', () => tokenFor(at.shop, randomUUID(), 600)],
    ['one whose session was ended', endedToken],
    ['one longer than any', () => `${'a'.repeat(9000)}.b.c`],
    ['the publishable key', () => at.shop.backend.publishableKey],
    ['the secret key', () => at.shop.backend.secretKey],
  ];
  test.each(tokens)('%s: nothing is done', async (_, tokenOf) => {
    const orderId = randomUUID();
    const { body: mine } = await at.post('create-paypal-order', at.wallet({ orderId }));
    at.paypal.approve(String(mine['orderId']));
    const token = await tokenOf();
    await inVain(async () => {
      const answers = [
        await at.post('create-checkout-session', at.card(), token),
        await at.post('create-paypal-order', at.wallet(), token),
        await at.post('capture-paypal-order', { orderId: mine['orderId'] }, token),
        await at.call(`order-status?order=${orderId}`, {
          headers: token === null ? {} : { authorization: `Bearer ${token}` },
        }),
      ];
      for (const { status, body } of answers) {
        expect([status, body['code']]).toEqual([401, 'sign-in']);
      }
    });
    expect(at.paypal.receipts.some(({ sourceId }) => sourceId === mine['orderId'])).toBe(false);
  });
});

describe('with what belongs to somebody else', () => {
  test.each(CREATE)('a userId: the order is refused (%s)', async (name) => {
    await inVain(async () => {
      const { status, body } = await at.post(name, bodyFor(name), at.eve.token);
      expect([status, body['code']]).toEqual([403, 'other-user']);
      for (const userId of [undefined, null, 7, [at.ada.id], { id: at.ada.id }]) {
        const named = await at.post(name, { ...bodyFor(name), userId });
        expect([named.status, named.body['code']]).toEqual([400, 'user']);
      }
    });
  });

  test.each(CREATE)('an order: it is not found, and not paid (%s)', async (name) => {
    const orderId = randomUUID();
    await at.post('create-checkout-session', at.card({ orderId }));
    await inVain(async () => {
      const taken = { ...bodyFor(name, { orderId }), userId: at.eve.id };
      const { status, body } = await at.post(name, taken, at.eve.token);
      expect([status, body['code']]).toEqual([404, 'order-unknown']);
    });
  });

  test('a PayPal order: its money is not taken', async () => {
    const { body } = await at.post('create-paypal-order', at.wallet());
    const orderId = String(body['orderId']);
    at.paypal.approve(orderId);
    await inVain(async () => {
      const foreign = await at.post('capture-paypal-order', { orderId }, at.eve.token);
      const unknown = await at.post('capture-paypal-order', { orderId: 'NONE' }, at.eve.token);
      // Nobody can find out which orders there are.
      expect(foreign).toEqual(unknown);
      expect([foreign.status, foreign.body['code']]).toEqual([404, 'order-unknown']);
    });
    expect(at.paypal.receipts.some(({ sourceId }) => sourceId === orderId)).toBe(false);
  });

  test('an order or a payment page: what became of it is not told', async () => {
    const { body } = await at.post('create-checkout-session', at.card());
    const ask = (query: string) =>
      at.call(`order-status?${query}`, { headers: { authorization: `Bearer ${at.eve.token}` } });
    const unknown = await ask(`order=${randomUUID()}`);
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'order-unknown']);
    await inVain(async () => {
      expect(await ask(`order=${String(body['orderId'])}`)).toEqual(unknown);
      expect(await ask(`session_id=${String(body['sessionId'])}`)).toEqual(unknown);
    });
  });
});

test('the way back is the shop’s own, whatever Host and next say', async () => {
  const evil = 'evil.example';
  const headers = {
    // The host on this machine answers to no other names than its own.
    host: 'localhost:666',
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'http',
    'x-original-url': `https://${evil}/`,
    forwarded: `host=${evil}`,
    origin: `https://${evil}`,
    referer: `https://${evil}/`,
    'content-type': 'application/json',
    authorization: `Bearer ${at.ada.token}`,
  };
  const next = `https://${evil}`;
  const fields = { next, successUrl: next, success_url: next, cancelUrl: next, return_url: next };
  const send = (name: string, body: object) =>
    new Promise<Record<string, unknown>>((done, failed) => {
      const url = `${at.shop.url}/.netlify/functions/${name}?next=${next}`;
      const sent = httpRequest(url, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => (text += part.toString()));
        answer.on('end', () => done(JSON.parse(text) as Record<string, unknown>));
      });
      sent.on('error', failed);
      sent.end(JSON.stringify({ ...body, ...fields }));
    });
  const { sessionId, url } = await send('create-checkout-session', at.card());
  const session = at.stripe.sessions.find(({ id }) => id === sessionId);
  expect(`${String(url)} ${JSON.stringify(session?.params)}`).not.toContain(':666');
  expect(String(url)).not.toContain(evil);
  expect(JSON.stringify(session?.params)).not.toContain(evil);
  expect(session?.params.success_url).toContain(`${at.shop.url}/checkout/success`);
  const { orderId } = await send('create-paypal-order', at.wallet());
  const order = at.paypal.orders.find(({ id }) => id === orderId);
  expect(JSON.stringify(order?.request)).toContain(`${at.shop.url}/checkout`);
  expect(JSON.stringify(order?.request)).not.toContain(evil);
  expect(JSON.stringify(order?.request)).not.toContain(':666');
});

test('without a token is refused before its body is read', async () => {
  const names = [...CREATE, 'capture-paypal-order', 'upload-csv', 'undo-import'] as const;
  await inVain(async () => {
    for (const name of names) {
      for (const body of ['{', '[]', '[['.repeat(1000)]) {
        const { status } = await at.post(name, body, null);
        expect([name, status]).toEqual([name, 401]);
      }
    }
  });
});

describe('a request that is not the page’s', () => {
  const names = [...CREATE, 'capture-paypal-order'] as const;
  const token = () => ({ authorization: `Bearer ${at.ada.token}` });

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    null,
  ])('is refused as %s, which other sites may send unasked', async (type) => {
    await inVain(async () => {
      for (const name of names) {
        const text = JSON.stringify({ ...at.card(), ...at.wallet(), orderId: randomUUID() });
        // Of bytes fetch says no type by itself.
        const body = new TextEncoder().encode(text);
        const headers = { ...token(), ...(type === null ? {} : { 'content-type': type }) };
        expect((await at.call(name, { method: 'POST', headers, body })).status).toBe(415);
      }
    });
  });

  test('in another method, or with a body that is no object, is refused', async () => {
    const headers = { ...token(), 'content-type': 'application/json' };
    const deep = '['.repeat(100_000);
    await inVain(async () => {
      for (const name of names) {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          const { status } = await at.call(name, { method, headers });
          expect([name, method, status]).toEqual([name, method, 405]);
        }
        for (const body of ['[]', 'null', '7', '"text"', '{', '', deep, '{"a":1}x', '\uFEFF{']) {
          const { status } = await at.call(name, { method: 'POST', headers, body });
          expect([name, status]).toEqual([name, 400]);
        }
      }
    });
  });

  test('in other letters than UTF-8 is refused, and not guessed at', async () => {
    const headers = { ...token(), 'content-type': 'application/json' };
    const shippingAddress = { ...HOME, city: 'Montr#al' };
    await inVain(async () => {
      for (const name of CREATE) {
        const body = new TextEncoder().encode(JSON.stringify(bodyFor(name, { shippingAddress })));
        // As Windows writes it.
        body[body.indexOf('#'.charCodeAt(0))] = 0xe9;
        expect((await at.call(name, { method: 'POST', headers, body })).status).toBe(400);
      }
    });
  });

  test('for an id that is none is refused', async () => {
    const ids = ['', '1', 'mine', 7, true, {}, [randomUUID()], `${randomUUID()} `, '../orders'];
    await inVain(async () => {
      for (const orderId of ids) {
        for (const name of CREATE) {
          const { status, body } = await at.post(name, bodyFor(name, { orderId }));
          expect([status, body['code']]).toEqual([400, 'order-id']);
        }
      }
      for (const orderId of ['', ' ', '../x', 'a/b', 'x'.repeat(101), 7, null, {}]) {
        const { status } = await at.post('capture-paypal-order', { orderId });
        expect([orderId, status]).toEqual([orderId, 400]);
      }
      for (const query of ['', 'order=&session_id=', 'order=1', 'session_id=../x', 'order[]=1']) {
        const { status } = await at.call(`order-status?${query}`, { headers: token() });
        expect([400, 404]).toContain(status);
      }
    });
  });

  test('cannot say more of an order than the page can: other fields are not looked at', async () => {
    const more = {
      state: 'paid',
      mode: 'live',
      status: 'paid',
      paid_at: '2020-01-01',
      role: 'service_role',
      email: 'eve@weft.test',
      p_user: at.eve.id,
      constructor: { prototype: { state: 'paid' } },
    };
    const text = JSON.stringify(at.card(more)).replace(/\}$/, ',"__proto__":{"state":"paid"}}');
    const { status } = await at.post('create-checkout-session', text);
    expect(status).toBe(200);
    const [order] = await at.orders();
    expect(order).toMatchObject({ user_id: at.ada.id, state: 'pending', mode: 'sandbox' });
    expect(await at.orders()).toHaveLength(1);
  });

  test('that is larger than 6 MB is refused', async () => {
    const big = JSON.stringify(at.card({ padding: 'x'.repeat(6 * 1024 * 1024) }));
    await inVain(async () => {
      for (const name of [...names, 'stripe-webhook', 'paypal-webhook', 'upload-csv']) {
        const headers = { ...token(), 'content-type': 'application/json' };
        const { status } = await at.call(name, { method: 'POST', headers, body: big });
        expect([name, status]).toEqual([name, 413]);
      }
    });
    // Not every way to a function has a limit of its own, or tells the length beforehand.
    const url = pathToFileURL(join(at.project, 'netlify/lib/http.ts')).href;
    const { readText } = (await import(url)) as typeof import('../../netlify/lib/http.ts');
    const request = new Request('http://localhost/', { method: 'POST', body: big });
    await expect(readText(request)).rejects.toMatchObject({ status: 413 });
  });

  test('for more products than an order has is refused', async () => {
    const { SOCK: product_id } = at.products;
    const items = Array.from({ length: 101 }, () => ({ product_id, quantity: 1 }));
    await inVain(async () => {
      const { status, body } = await at.post('create-checkout-session', at.card({ items }));
      expect([status, body['code']]).toEqual([400, 'items']);
    });
  });
});
