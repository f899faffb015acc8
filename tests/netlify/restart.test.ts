/** The payment emulators forget at a restart: attempts to pay from before it must not block their orders. */
import { expect, test } from 'vitest';
import { endForgottenAttempts } from '../../netlify/local/payments.ts';
import { openShopOverHttpForFile } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();

async function restart(): Promise<void> {
  if (shop.payments === undefined) throw new Error('the shop has no emulators for payments');
  await endForgottenAttempts(shop.backend, shop.payments);
}
const orderStates = async () => (await shop.orders()).map(({ state }) => state);

test('an order whose payment page was open is paid anew after a restart, by card or with PayPal', async () => {
  const orderId = crypto.randomUUID();
  const { body: before } = await shop.createCheckoutSession({ orderId });
  await restart();
  const { body: page } = await shop.createCheckoutSession({ orderId });
  expect(page['sessionId']).not.toBe(before['sessionId']);
  await restart();
  const { body: atPayPal } = await shop.createPayPalOrder({ orderId });
  await restart();
  const { body } = await shop.createPayPalOrder({ orderId });
  expect(body['orderId']).not.toBe(atPayPal['orderId']);
  shop.paypal.approve(String(body['orderId']));
  await shop.post('capture-paypal-order', { orderId: body['orderId'] });
  expect(await orderStates()).toEqual(['paid']);
});

test('an order whose payment was pending has failed after a restart', async () => {
  const pending = await shop.approvedPayPalOrder();
  shop.paypal.approve(pending, 'pending');
  await shop.post('capture-paypal-order', { orderId: pending });
  expect(await orderStates()).toEqual(['confirming']);
  await restart();
  expect(await orderStates()).toEqual(['failed']);
});
