/** The checkout functions over HTTP. What an attacker may send them is in attack.test.ts. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HOME } from '../supabase/buyer.ts';
import { openTestShop } from '../supabase/shop.ts';
import { addShopper, sell } from '../supabase/shoppers.ts';
import { post } from './function-calls.ts';
import { expectAnswer, openShopOverHttpForFile, TOTAL } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();
const orderStatus = (query: string) => shop.get(`order-status?${query}`);

test('a request whose lines are rows of the cart pays an order, and prices in them are ignored', async () => {
  const { ada, products } = shop;
  const line = { id: 7, user_id: ada.id, product_id: products['COAT'], quantity: 2 };
  const items = [{ ...line, products: { 'Retail Price': 0.01 } }];
  const request = { items, shippingAddress: HOME, userId: ada.id };
  const { status, body } = await shop.post('create-checkout-session', request);
  expect([status, Object.keys(body).toSorted()]).toEqual([200, ['orderId', 'sessionId', 'url']]);
  const { orderId, sessionId } = body as Record<string, string>;
  expect(await shop.orders()).toMatchObject([{ id: orderId, state: 'pending', total: TOTAL }]);
  expect(await orderStatus(`session_id=${sessionId}`)).toEqual({
    status: 200,
    body: {
      status: 'unpaid',
      orderId,
      provider: null,
      isCurrent: true,
    },
  });
  shop.stripe.pay(sessionId ?? '');
  await shop.stripe.webhooks.idle();
  expect((await orderStatus(`order=${orderId}`)).body['status']).toBe('paid');
});

describe('a request to pay that the shop cannot fulfil', () => {
  test('with an address that does not fit its country is rejected, and each wrong field is named', async () => {
    const shippingAddress = { ...HOME, state: 'Narnia', postal_code: '1', city: '' };
    const { status, body } = await shop.createCheckoutSession({ shippingAddress });
    expect([status, body['code']]).toEqual([400, 'address']);
    const fields = Object.keys(body['fields'] as object);
    expect(fields.toSorted()).toEqual(['city', 'postal_code', 'state']);
  });

  test.each([
    ['no lines', { items: [] }, 400, 'items'],
    ['a wish to pay again that is text', { again: 'true' }, 400, undefined],
    ['half a cent', { shownTotal: 1.5 }, 400, undefined],
    [
      'a product that is gone',
      { items: [{ product_id: 1e9, quantity: 1 }] },
      409,
      'product-unavailable',
    ],
  ])('with %s is rejected, and the reason is named', async (_what, changes, status, code) => {
    await expectAnswer(shop.createCheckoutSession(changes), status, code);
  });
});

test('a shop without keys answers 503, logs what is missing, and places no order; its reconcile still runs', async () => {
  const withoutKeys = await openTestShop();
  onTestFinished(() => withoutKeys.close());
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  const bea = await addShopper(withoutKeys, 'bea');
  const { COAT } = await sell(withoutKeys, { COAT: 129.5 });
  const lines = [{ product_id: COAT, quantity: 1 }];
  const body = { items: lines, cartItems: lines, shippingAddress: HOME, userId: bea.id };
  const calls: [name: string, missing: string][] = [
    ['create-checkout-session', 'STRIPE_SECRET_KEY'],
    ['create-paypal-order', 'PAYPAL_ENVIRONMENT'],
    ['stripe-webhook', 'STRIPE_WEBHOOK_SECRET'],
    ['paypal-webhook', 'PAYPAL_WEBHOOK_ID'],
  ];
  for (const [name, missing] of calls) {
    const answer = await post(withoutKeys, name, bea.token, body);
    expect([name, answer.status]).toEqual([name, 503]);
    expect(logged).toHaveBeenLastCalledWith(expect.stringContaining(`${missing} is not set`));
    expect(JSON.stringify(answer.body)).not.toContain(missing);
  }
  expect(await withoutKeys.backend.query('select from public.orders')).toEqual([]);
  expect((await post(withoutKeys, 'reconcile', null, '')).status).toBe(200);
});

test('anybody may call the reconcile, and it answers with a count only', async () => {
  await shop.createCheckoutSession();
  expect(await shop.call('reconcile', { method: 'POST' })).toEqual({
    status: 200,
    body: { neglected: 0 },
  });
});
