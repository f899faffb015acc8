import { expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { recordRequests } from '../browser/observe.ts';
import { wordsOf } from '../browser/shown.ts';
import { ada, GARMENTS, payingShop, SOCK_MINOR, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: PHONE });

const order = () => ada.page.getByRole('listitem', { name: /^Order placed / });
/** Opens the order, whose lines are folded away. */
const openOrder = () => order().locator('summary').click();

/** Orders a sock, leaves the card page without paying, and returns that page's address. */
async function orderWithoutPaying(): Promise<string> {
  await ada.prepareToPay('Sock');
  await ada.goToPayment();
  const paymentPage = ada.page.url();
  await ada.goto('/orders');
  await order().getByText('Waiting for payment').waitFor();
  return paymentPage;
}

test('an order that waits for payment can be paid later on the same card page', async () => {
  const paymentPage = await orderWithoutPaying();
  await openOrder();
  expect(await axeFindings(ada.page)).toEqual([]);
  await order().getByRole('link', { name: 'Pay for this order' }).click();
  await ada.heading('Checkout').waitFor();
  const summary = ada.page.getByRole('region', { name: 'Order summary' });
  expect(await wordsOf(summary)).toContain('Sock 1 × $9.00');
  expect(await summary.getByRole('link').count(), 'nothing leads away from paying').toBe(0);
  await ada.waitForNotice('Payment was not completed.');
  expect(await axeFindings(ada.page)).toEqual([]);
  await ada.payButton.click();
  await ada.paymentButton('Pay').waitFor();
  expect(ada.page.url()).toBe(paymentPage);
  await ada.completePayment();
  await ada.expectOrders(['paid', SOCK_MINOR]);
});

test(
  'after a logout the browser has no copy of the shop’s answers about orders',
  { tags: 'long' },
  async () => {
    const orderRequests = recordRequests(ada.page, /\/rest\/v1\/orders/);
    await orderWithoutPaying();
    await ada.logOut();
    // Reads the browser's copy, whatever its age. Without a copy the request reaches the shop, which refuses it
    // because it has no token.
    const bodies = await ada.page.evaluate(async (urls) => {
      const readCached = async (url: string) => (await fetch(url, { cache: 'force-cache' })).text();
      return Promise.all(urls.map(readCached));
    }, orderRequests);
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.join(), 'the name in the address').not.toContain('Ada');
  },
);

test('a cancelled order moves to a closed list', async () => {
  await orderWithoutPaying();
  await payingShop.shop.backend.query(
    `select cancel_order(id, now()) from orders where state = 'pending'`,
  );
  await ada.goto('/orders');
  await ada.expectOrders(['cancelled', SOCK_MINOR]);
  await ada.page.getByText('1 unpaid order').click();
  await order().getByText('Cancelled').waitFor();
  expect(await axeFindings(ada.page)).toEqual([]);
});

test('a refund and a dispute show on the receipt and on the order', { tags: 'long' }, async () => {
  await ada.prepareToPay('Sock');
  await ada.pay();
  const { stripe } = payingShop;
  const payment = stripe.receipts[0]?.paymentId ?? '';
  stripe.refund(payment, 300);
  stripe.dispute(payment, 600);
  await stripe.webhooks.idle();
  await ada.page.reload();
  await ada.page.getByText('Refunded $3.00 of $9.00').waitFor();
  expect(await ada.page.getByText('We’ll pack your order').count()).toBe(0);
  await ada.goto('/orders');
  await order().getByText('Refunded $3.00 of $9.00').waitFor();
  await order().getByText('Disputed: $6.00 under review').waitFor();
  await order().getByText('Paid', { exact: true }).waitFor();
  expect(await axeFindings(ada.page)).toEqual([]);
});
