/** Rare situations of the checkout and the orders: lost answers, changed prices, other shoppers, faults. */
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { endSession, storedRows } from '../browser/device-store.ts';
import { hold } from '../browser/hold.ts';
import { openPayingShop } from '../browser/paying-shop.ts';
import { Shopper, SUCCESS } from '../browser/shopper.ts';
import { isFocused } from '../browser/shown.ts';
import { buildSite } from '../build-once.ts';
import { fewOf } from '../full-run.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';
import {
  ada,
  browser,
  context,
  GARMENTS,
  page,
  payingShop,
  serviceWorkerFor,
  SHIRT,
  SHIRT_MINOR,
  shop,
  SOCK,
  SOCK_MINOR,
  visitBeforeEach,
} from './fixture.ts';

/** The notices of a payment that failed. */
const CARD_FAILED = 'Something went wrong. Please try again.';
const PAYPAL_FAILED = 'PayPal payment failed. Please try again.';

visitBeforeEach({ products: GARMENTS });

/** Answers calls of one of the shop's functions instead of the server. */
async function intercept(name: string, answer: (route: Route) => Promise<void>): Promise<void> {
  await context.route(`**/.netlify/functions/${name}`, answer);
}

/** Waits until the page shows this text as a status. */
const expectStatus = (text: string) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).first().waitFor();

/** Presses Pay, and expects this notice and this status. */
async function payAndFail(notice: string, status: string): Promise<void> {
  await ada.payButton.click();
  await ada.waitForNotice(notice);
  await expectStatus(status);
}

test(
  'the checkout opens offline, says why paying waits, keeps what is typed, and then takes the payment',
  { tags: 'worker' },
  async () => {
    await ada.logIn();
    await ada.add('Sock');
    // An unsaved change would be another reason why the shopper cannot pay.
    await ada.goto('/cart');
    await page.getByText('Saved', { exact: true }).waitFor();
    await ada.goto('/checkout');
    await waitForWorker(page);
    await ada.goOffline();
    await page.reload();
    await expectStatus('You’re offline, so you can’t pay yet.');
    await ada.fillAddress();
    await payAndFail(CARD_FAILED, 'Failed to create checkout session. Check your connection');
    await page.reload();
    expect(await page.getByLabel('ZIP code').inputValue()).toBe('60614');
    // Paying waits until the server has the changes that were made offline.
    await ada.goto('/');
    await ada.add('Scarf');
    await ada.goto('/cart');
    await page.getByRole('button', { name: 'Remove: Scarf' }).click();
    await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
    await ada.payButton.waitFor();
    await ada.goOnline();
    await ada.pay();
    await ada.expectOrders(['paid', SOCK_MINOR]);

    await page.getByRole('link', { name: 'Your Orders' }).click();
    await page.getByText('Paid', { exact: true }).waitFor();
    await ada.goOffline();
    await page.reload();
    await page.getByText('Paid', { exact: true }).waitFor();
    await page.locator('summary').click();
    await page.getByText('1 Mill Lane').waitFor();
    await expectStatus('You’re offline. Your latest orders may be missing.');
  },
);

test('a logout removes the shopper’s orders from the device, and the next shopper never sees them', async () => {
  await ada.prepareToPay('Sock');
  await ada.pay();
  const payment = new URL(page.url()).searchParams.get('session_id') ?? '';
  expect(payment).toMatch(/^cs_/);
  await page.getByRole('link', { name: 'Your Orders' }).click();
  await page.getByText('Paid', { exact: true }).waitFor();
  await ada.logOut();
  // The tab stores a scroll position under a name with the page's path, without the query that holds the payment's id.
  const inTab = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(inTab).not.toContain(payment);
  for (const store of ['orders', 'drafts', 'running']) {
    expect(await storedRows(page, store), store).toEqual([]);
  }
  await ada.goto('/orders');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor();

  const bob = await Shopper.register(payingShop, context);
  await bob.logIn();
  await bob.goto('/orders');
  await bob.page.getByText('You haven’t ordered anything yet.').waitFor();
  await bob.goto('/checkout');
  await bob.heading('Shopping Cart').waitFor();
  expect(bob.page.url()).toMatch(/\/cart$/);
});

test('a shopper is asked before paying a price that has changed, and sees the difference', async () => {
  await ada.prepareToPay('Linen shirt, size M', 'Sock');
  await ada.waitForCart({ [SHIRT]: 1, [SOCK]: 1 });
  // The page learns of the new price only from the answer to its order.
  await context.route('**/catalogue/**', (route) => route.abort());
  const newPriceMinor = 6000;
  await stock(shop.backend, [{ SKC: SHIRT, Size: 'M', 'Retail Price': newPriceMinor / 100 }]);
  await ada.payButton.click();
  await expectStatus(
    'The total has changed from $57.50 to $69.00. Nothing was charged. Press Pay to accept the new total.',
  );
  await page.getByText('Linen shirt, size M: from $48.50 to $60.00.').waitFor();
  await ada.expectOrders();
  expect(await ada.payButton.textContent()).toBe('Pay $69.00 USD by card');
  await ada.payButton.click();
  await page.getByRole('heading', { name: 'Pay $69.00' }).waitFor();
  await ada.expectOrders(['pending', newPriceMinor + SOCK_MINOR]);
});

test('the checkout names a product that cannot be ordered, and leads to the cart', async () => {
  await ada.prepareToPay('Sock', 'Scarf');
  const reason = page.getByText('Scarf doesn’t have a price yet, so it can’t be ordered.');
  // The reason stands before the address, and also beside the button once Pay was pressed.
  await reason.waitFor();
  await ada.payButton.click();
  await expectStatus('Some items can’t be ordered.');
  await reason.last().waitFor();
  await page.getByRole('link', { name: 'Review cart' }).click();
  await ada.heading('Shopping Cart').waitFor();
});

test('pressing Pay again after a lost answer or a hotel’s login page pays the same order', async () => {
  await ada.prepareToPay();
  let requests = 0;
  await intercept('create-checkout-session', async (route) => {
    requests += 1;
    if (requests === 1) {
      await route.fetch();
      await route.abort();
    } else if (requests === 2) {
      await route.fulfill({ contentType: 'text/html', body: '<h1>Log in to the hotel</h1>' });
    } else {
      await route.continue();
    }
  });
  for (let press = 1; press <= 2; press++) {
    await payAndFail(CARD_FAILED, 'Failed to create checkout session. Check your connection');
    await page.getByRole('button', { name: 'Close this message' }).click();
  }
  await ada.pay();
  await ada.expectOrders(['paid', SHIRT_MINOR]);
});

test(
  'the shopper can pay after going back to a page in the browser’s memory',
  { tags: 'long' },
  async () => {
    await ada.prepareToPay();
    // With status 204 the browser stays on the checkout, as if the shopper had come back to it.
    await context.route(/\/c\/pay\//, (route) => route.fulfill({ status: 204 }));
    const paymentPageRequest = page.waitForRequest(/\/c\/pay\//);
    await ada.payButton.click();
    await page.getByRole('button', { name: 'Processing...' }).waitFor();
    await paymentPageRequest;
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await ada.payButton.waitFor();
    await context.unroute(/\/c\/pay\//);
    await ada.pay();
    await ada.expectOrders(['paid', SHIRT_MINOR]);
  },
);

test('the checkout says why the shop rejects a payment by card or with PayPal', async () => {
  await ada.prepareToPay();
  await intercept('create-checkout-session', (route) =>
    route.fulfill({
      status: 503,
      json: { error: 'We can’t reach the payment service right now.' },
    }),
  );
  await payAndFail(CARD_FAILED, 'We can’t reach the payment service right now.');
  await ada.choosePayPal();
  await intercept('create-paypal-order', (route) => route.fulfill({ status: 500, json: {} }));
  await payAndFail(PAYPAL_FAILED, 'Failed to create PayPal order');
});

test(
  'after a lost answer of PayPal’s the checkout says that this is not known, and the order’s page finds out',
  { tags: 'long' },
  async () => {
    await ada.prepareToPayWithPayPal();
    await intercept('capture-paypal-order', (route) => route.abort());
    await intercept('order-status?*', (route) => route.abort());
    await ada.payButton.click();
    await ada.paymentButton('Pay').click();
    await ada.waitForNotice('Payment capture failed.');
    await expectStatus('We don’t know yet whether PayPal charged you.');
    // The shop captures what was approved when the page of the order asks for its status.
    await context.unroute('**/.netlify/functions/order-status?*');
    await page.getByRole('link', { name: 'View order' }).click();
    await ada.heading(SUCCESS).waitFor();
    await ada.expectOrders(['paid', SHIRT_MINOR]);
  },
);

test(
  'the checkout says that PayPal’s script did not load, and loads it when asked again',
  { tags: 'long' },
  async () => {
    await ada.prepareToPay();
    await context.route('**/local/paypal/sdk.js', (route) => route.abort());
    await page.getByLabel('Pay with PayPal').check();
    await ada.waitForNotice('Could not load PayPal. Please try again.');
    await context.unroute('**/local/paypal/sdk.js');
    await page.getByRole('button', { name: 'Load PayPal again' }).press('Enter');
    // React has replaced the button that had the focus.
    await expect.poll(() => isFocused(ada.payButton)).toBe(true);
    await ada.pay();
  },
);

test(
  'a visitor who is not logged in is told so, and finds what they typed after logging in',
  { tags: 'long' },
  async () => {
    await ada.goto('/checkout');
    await ada.waitForNotice('You must be logged in to checkout.');
    await ada.heading('Shopping Cart').waitFor();
    // The cart is another document than the checkout, and shows the notice of the checkout again.
    await ada.waitForNotice('You must be logged in to checkout.');
    await ada.prepareToPay();
    await ada.waitForCart({ [SHIRT]: 1 });
    await endSession(page);
    await page.reload();
    await ada.choosePayPal();
    await ada.payButton.click();
    await ada.waitForNotice('You must be logged in.');
    await page.getByRole('button', { name: 'Log in' }).click();
    await ada.typePassword();
    await ada.heading('Checkout').waitFor();
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Weaver');
  },
);

test('the success page clears the cart only if its address names no order, and says where the shopper has no such order', async () => {
  await ada.logIn();
  await ada.add('Sock');
  await ada.goto('/checkout/success');
  await ada.heading(SUCCESS).waitFor();
  await ada.waitForCart({});
  await page.getByRole('button', { name: 'Undo' }).click();
  await ada.waitForCart({ [SOCK]: 1 });
  for (const name of [`order=${crypto.randomUUID()}`, 'session_id=cs_test_somebody_elses']) {
    await ada.goto(`/checkout/success?${name}`);
    await ada.heading('Order Not Found').waitFor();
  }
  expect(await ada.cart()).toEqual({ [SOCK]: 1 });
});

test('the success page says that a payment is missing, failed, closed or checked, or that it cannot ask', async () => {
  await ada.logIn();
  const orderId = crypto.randomUUID();
  let status = '';
  await intercept('order-status?*', (route) => route.fulfill({ json: { status, orderId } }));
  for (const [told, title, words] of [
    ['unpaid', 'Not Paid Yet', 'We haven’t received a payment for this order.'],
    ['failed', 'Payment Failed', 'Your payment didn’t go through. Nothing was charged'],
    ['cancelled', 'Order Closed', 'This order was cancelled. Nothing was charged'],
    ['expired', 'Order Closed', 'No payment arrived in time. Nothing was charged'],
    ['review', 'We’re Looking Into It', 'Please don’t pay again.'],
  ] as const) {
    status = told;
    await ada.goto(`/checkout/success?order=${orderId}`);
    await ada.heading(title).waitFor();
    await expectStatus(words);
  }
  await intercept('order-status?*', (route) => route.abort());
  await page.reload();
  await expectStatus('We can’t check your payment right now.');
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing in the checkout and the orders at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await ada.prepareToPay();
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await ada.goto('/checkout');
    await ada.payButton.waitFor();
    await expectAccessible(page);
    await page.getByLabel('ZIP code').fill('');
    await ada.payButton.click();
    await page.getByText('Enter your ZIP code.').waitFor();
    await ada.choosePayPal();
    await expectAccessible(page);
    await page.getByLabel('ZIP code').fill('60614');
    await ada.payButton.click();
    await ada.paymentButton('Cancel').click();
    await expectStatus('You left PayPal without paying.');
    await expectAccessible(page);
    await ada.goto('/orders');
    await page
      .getByRole('listitem', { name: /^Order placed/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await ada.goto(`/checkout/success?order=${crypto.randomUUID()}`);
    await ada.heading('Order Not Found').waitFor();
    await expectAccessible(page);
  },
);

test(
  'with a key of Stripe the checkout loads its script, and a card is paid where that is blocked',
  { tags: 'long' },
  async () => {
    await using folder = await temporaryFolder();
    await buildSite(folder.path, { VITE_STRIPE_PUBLISHABLE_KEY: 'pk_test_canary' });
    const shopWithKey = await openPayingShop(folder.path);
    try {
      await stock(shopWithKey.shop.backend, GARMENTS);
      const device = await browser.newContext(serviceWorkerFor());
      const scripts: string[] = [];
      await device.route('https://js.stripe.com/**', async (route) => {
        scripts.push(route.request().url());
        await route.abort();
      });
      const bob = await Shopper.register(shopWithKey, device);
      await bob.logIn();
      await bob.add('Sock');
      expect(scripts).toEqual([]);
      await bob.openCheckout();
      await expect.poll(() => scripts).not.toEqual([]);
      await bob.pay();
    } finally {
      await shopWithKey.close();
    }
  },
);

test(
  'the result of a payment is announced in the region that said the payment is checked',
  { tags: 'long' },
  async () => {
    await ada.prepareToPay('Sock');
    await ada.goToPayment();
    const release = await hold(context, /order-status/);
    await ada.paymentButton('Pay').click();
    await page.getByText('Checking your payment').waitFor();
    const region = await page.evaluateHandle(() => document.querySelector('#main [role=status]'));
    release();
    await ada.heading(SUCCESS).waitFor();
    // Screen readers ignore the text of a region that is new.
    expect(await region.evaluate((element) => element?.isConnected)).toBe(true);
  },
);
