import { expect, test } from 'vitest';
import * as atStripe from '../../netlify/local/stripe/refunds.ts';
import { axeFindings } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { ada, GARMENTS, home, removeProduct, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: PHONE });

const order = () => ada.page.getByRole('listitem', { name: /^Order of / });
const button = (name: string) => ada.page.getByRole('button', { name });

/** Leaves an order behind that waits at the card page. */
async function leaveUnpaid(...names: string[]): Promise<string> {
  await ada.readyToPay(...names);
  await ada.goToPayment();
  const page = ada.page.url();
  await ada.goto('/orders');
  await order().getByText('Waiting for payment').waitFor();
  return page;
}

test('an order that waits for payment is paid on at the same card page', async () => {
  const page = await leaveUnpaid('Sock');
  expect(await axeFindings(ada.page)).toEqual([]);
  await order().getByRole('link', { name: 'Pay this order' }).click();
  await ada.heading('Checkout').waitFor();
  const summary = ada.page.getByRole('region', { name: 'Order summary' });
  expect((await summary.innerText()).replace(/\s+/g, ' ')).toContain('Sock 1 × $9.00');
  expect(await axeFindings(ada.page)).toEqual([]);
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  expect(ada.page.url()).toBe(page);
  await ada.completePayment();
  expect(await ada.orders()).toEqual([['paid', 900]]);
});

test('an order that waits for payment is paid on with PayPal', async () => {
  await leaveUnpaid('Sock');
  await order().getByRole('link', { name: 'Pay this order' }).click();
  await ada.choosePayPal();
  await ada.payButton.click();
  await ada.completePayment();
  expect(await ada.orders()).toEqual([['paid', 900]]);
});

test('an order is cancelled, lies folded, and is ordered again with what is still in the shop', async () => {
  await leaveUnpaid('Sock', 'Linen shirt, size M');
  await button('Cancel this order').click();
  await ada.page.getByText('The order is cancelled. Nothing was charged.').waitFor();
  expect(await ada.orders()).toEqual([['cancelled', 5750]]);
  const folded = ada.page.getByText('1 order was not paid');
  await folded.waitFor();
  expect(await order().isVisible()).toBe(false);
  expect(await axeFindings(ada.page)).toEqual([]);
  await folded.click();
  await order().getByText('Cancelled').waitFor();
  expect(await axeFindings(ada.page)).toEqual([]);

  await removeProduct('B');
  await ada.goto('/cart');
  await ada.page.getByText(/has left the shop/).waitFor();
  await button('Clear Cart').click();
  await expect.poll(() => ada.cart()).toEqual({});
  await ada.goto('/orders');
  await ada.page.getByText('1 order was not paid').click();
  home.line.down();
  await button('Order again').click();
  await ada.page.getByText('No longer in the shop: Sock.').waitFor();
  home.line.up();
  await expect.poll(() => ada.cart()).toEqual({ A: 1 });
});

test('a refund and a dispute show on the order', async () => {
  await ada.readyToPay('Sock');
  await ada.payButton.click();
  await ada.completePayment();
  const { stripe } = home;
  const payment = stripe.receipts[0]?.paymentId ?? '';
  atStripe.refund(stripe, { payment_intent: payment, amount: 300 });
  atStripe.dispute(stripe, payment, 600);
  await stripe.webhooks.idle();
  await ada.goto('/orders');
  await order().getByText('Refunded $3.00 of $9.00').waitFor();
  await order().getByText('Disputed: $6.00 is being looked into').waitFor();
  await order().getByText('Paid', { exact: true }).waitFor();
  expect(await axeFindings(ada.page)).toEqual([]);
});
