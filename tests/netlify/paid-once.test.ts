/** Two devices of one shopper that pay for the same things, over the payment emulators. */
import { beforeEach, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { readOrderRequest } from '../../netlify/lib/order-request.ts';
import type { RequestedOrder } from '../../netlify/lib/payments.ts';
import { createWalletOrder, captureWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import { HOME, expectRejected } from '../supabase/buyer.ts';
import { InProcessShop, openBackendSelling } from './in-process-shop.ts';

const { backend, user, products } = await openBackendSelling({ COAT: 129.5, SOCK: 5 });
const { COAT: coat, SOCK: sock } = products;
let shop: InProcessShop;
beforeEach(async () => {
  shop = new InProcessShop(backend, user);
  await shop.buyer.putInCart({ [coat]: 1, [sock]: 2 });
});

/** A request to pay a coat and two socks. Each names another order, as if it came from another device. */
const request = (changes: Partial<RequestedOrder> = {}) =>
  shop.requestFor({ [coat]: 1, [sock]: 2 }, { orderId: crypto.randomUUID(), ...changes });
const byCard = (changes?: Partial<RequestedOrder>) => createCheckout(shop.ports, request(changes));
const withPayPal = (changes?: Partial<RequestedOrder>) =>
  createWalletOrder(shop.ports, request(changes));
const sessionOf = (id: string) => shop.stripe.checkouts.find((session) => session.id === id);

test.each([
  ['card', byCard],
  ['PayPal', withPayPal],
])(
  'while a payment by a first device is pending, a second device is asked before it pays for the same by %s',
  async (_way, pay) => {
    const { sessionId, orderId } = await byCard();
    shop.stripe.pay(sessionId, 'pending');
    await shop.idle();
    expect(await expectRejected(pay(), 'being-paid')).toMatchObject({ order: orderId });
    await pay({ again: true });
  },
);

test('a second device is asked, too, when the webhook of the first payment was lost', async () => {
  shop.dropsWebhooks = true;
  const { sessionId, orderId } = await byCard();
  shop.stripe.pay(sessionId, 'pending');
  expect(await expectRejected(byCard(), 'being-paid')).toMatchObject({ order: orderId });
});

test('a second device is asked, too, when the first payment has just succeeded', async () => {
  shop.dropsWebhooks = true;
  const { sessionId, orderId } = await byCard();
  shop.stripe.pay(sessionId);
  expect(await expectRejected(withPayPal(), 'being-paid')).toMatchObject({
    order: orderId,
    state: 'paid',
  });
});

test('a second device is asked, too, while a payment by PayPal is pending', async () => {
  const { orderId, storeOrderId } = await withPayPal();
  shop.paypal.approve(orderId, 'pending');
  await captureWalletOrder(shop.ports, user, orderId);
  expect(await expectRejected(byCard(), 'being-paid')).toMatchObject({ order: storeOrderId });
});

test('of several devices that are about to pay the same, only the last one has a payment page', async () => {
  const first = await byCard();
  const second = await byCard();
  expect(sessionOf(first.sessionId)?.status).toBe('expired');
  expect(sessionOf(second.sessionId)?.status).toBe('open');
  const payPal = await withPayPal();
  expect(sessionOf(second.sessionId)?.status).toBe('expired');
  await byCard();
  shop.paypal.approve(payPal.orderId);
  await expectRejected(captureWalletOrder(shop.ports, user, payPal.orderId), 'payment-elsewhere');
});

test('the field by which a page pays again must be true or false', () => {
  const caller = { id: user, email: 'ada@weft.test', role: null };
  const items = [{ product_id: coat, quantity: 1 }];
  const read = (changes: object) =>
    readOrderRequest({ userId: user, shippingAddress: HOME, ...changes }, items, caller);
  expect(read({}).again).toBe(false);
  expect(read({ again: true }).again).toBe(true);
  for (const again of ['true', 1, null, {}]) expect(() => read({ again })).toThrow('pay again');
});
