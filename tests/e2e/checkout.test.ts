import { expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { recordRequests } from '../browser/observe.ts';
import { wordsOf } from '../browser/shown.ts';
import {
  ada,
  context,
  GARMENTS,
  newDevice,
  page,
  payingShop,
  SHIRT,
  SHIRT_MINOR,
  SOCK_MINOR,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

test('a cart is paid by card, is empty afterwards, and the order is in Your Orders', async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M', 'Sock', 'Sock');
  await ada.goto('/checkout');
  await page.getByText('Test payments only. You won’t be charged.').waitFor();
  const summary = page.getByRole('region', { name: 'Order summary' });
  expect(await wordsOf(summary)).toMatch(
    /Linen shirt Size M 1 × \$48.50 \$48.50 Sock 2 × \$9.00 \$18.00 Total \$66.50 USD$/,
  );
  await ada.fillAddress();
  expect(await ada.payButton.textContent()).toBe('Pay $66.50 USD by card');
  await ada.pay();
  await ada.expectOrders(['paid', SHIRT_MINOR + 2 * SOCK_MINOR]);
  expect(await ada.cart()).toEqual({});
  await ada.waitForCartCount(0);

  await page.getByRole('banner').locator('button[aria-expanded]').click();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await ada.heading('Your Orders').waitFor();
  const order = page.getByRole('listitem', { name: /^Order placed / });
  await order.getByText('Paid', { exact: true }).waitFor();
  expect(await wordsOf(order)).toMatch(
    /^\w+ \d+, \d{4} Order number \w{4}-\w{4} Paid \$66\.50 USD$/,
  );
  await order.locator('summary').click();
  const words = await wordsOf(order);
  expect(words).toContain('Sock 2 × $9.00 $18.00 Total $66.50 USD');
  expect(words).toContain('Ship to Ada Weaver 1 Mill Lane Chicago, IL 60614 United States');
});

test('an order is paid with PayPal, whose script loads only when PayPal is chosen', async () => {
  const scripts = recordRequests(page, /paypal/i);
  await ada.prepareToPay();
  expect(scripts).toEqual([]);
  await ada.choosePayPal();
  expect(scripts).not.toEqual([]);
  expect(await ada.payButton.textContent()).toBe('Pay $48.50 USD with PayPal');
  await ada.payButton.click();
  await ada.paymentButton('Pay with a card that is declined').click();
  await ada.waitForNotice('Payment was not completed.');
  await page.getByText('Press the PayPal button again and choose another way to pay.').waitFor();
  await ada.pay();
  expect(page.url()).toContain('/checkout/success?order=');
  await ada.expectOrders(['paid', SHIRT_MINOR]);
  expect(await ada.cart()).toEqual({});
  await page.getByRole('link', { name: 'Continue Shopping' }).click();
  await ada.heading('New Arrivals').waitFor();
});

test('a shopper who closes PayPal’s window while the cart is still being saved can pay again', async () => {
  await ada.prepareToPay();
  await ada.goto('/');
  await ada.waitForCartCount(1);
  const release = await hold(context, /\/rpc\/push$/);
  await ada.add('Sock');
  await ada.goto('/checkout');
  await ada.choosePayPal();
  await ada.payButton.click();
  await ada.paymentButton('Cancel').click();
  const orderResponse = page.waitForResponse(/\/create-paypal-order$/);
  release();
  await orderResponse;
  await page.getByText('You left PayPal without paying.').waitFor();
  await ada.pay();
  await ada.expectOrders(['paid', SHIRT_MINOR + SOCK_MINOR]);
});

test('in the installed app on iOS the checkout leads to PayPal’s page, and the shopper returns and has paid', async () => {
  // Safari sets `standalone` in pages of the installed app.
  await context.addInitScript(() => Object.assign(Navigator.prototype, { standalone: true }));
  const goToPayPal = async () => {
    await ada.payButton.click();
    await page.waitForURL(`${payingShop.paypal.baseUrl}/checkoutnow?**`);
  };
  await ada.prepareToPayWithPayPal();
  await goToPayPal();
  await ada.paymentButton('Cancel').click();
  await ada.waitForNotice('Payment was not completed.');
  await page.getByText('You left PayPal without paying.').waitFor();
  expect(await ada.cart()).toEqual({ [SHIRT]: 1 });
  await goToPayPal();
  await ada.completePayment();
  expect(page.url()).toContain('/checkout/success?order=');
  await ada.expectOrders(['paid', SHIRT_MINOR]);
  expect(await ada.cart()).toEqual({});
});

test('a PayPal payment that stays pending is shown as being confirmed, and the cart is kept', async () => {
  await ada.prepareToPayWithPayPal();
  await ada.payButton.click();
  await ada.paymentButton('Pay, but the payment stays pending').click();
  await ada.heading('Your Payment Is Being Confirmed').waitFor();
  expect(await ada.cart()).toEqual({ [SHIRT]: 1 });
  await ada.expectOrders(['confirming', SHIRT_MINOR]);
});

test('an order is paid once and leaves the cart, though the browser is closed right after Pay', async () => {
  await ada.prepareToPay();
  await ada.payButton.click();
  // The browser is closed after it has requested the success page and before the page arrives.
  const returnRequest = page.waitForRequest(/\/checkout\/success/);
  await ada.paymentButton('Pay').click({ noWaitAfter: true });
  await returnRequest;
  await context.close();
  await expect.poll(() => ada.orders()).toEqual([['paid', SHIRT_MINOR]]);
  const phone = await ada.inNewPage(await newDevice({ viewport: PHONE }));
  await phone.logIn();
  await phone.goto('/cart');
  await phone.page.getByText('Your cart is empty').waitFor();
  await phone.goto('/orders');
  await phone.page.getByText('Paid', { exact: true }).waitFor();
});
