import type { Browser, BrowserContext } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../browser/browser.ts';
import { type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const SUCCESS = 'Payment Successful! Thank you for your order.';

let home: PayingShop;
let browser: Browser;
let context: BrowserContext;
let ada: Shopper;

beforeAll(async () => {
  home = await cleanShop();
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  await restock(home);
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  ada = await Shopper.come(home, context);
});
afterEach(async () => {
  expect(ada.complaints).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
});

test('an order is paid by card, is gone from the cart, and stands in Your Orders', async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M');
  await ada.add('Sock');
  await ada.add('Sock');
  await ada.goto('/checkout');
  await ada.heading('Checkout').waitFor();
  expect(await ada.page.title()).toBe('Checkout · Weft');
  await ada.page.getByText('Test payments: no money moves').waitFor();
  const summary = ada.page.getByRole('region', { name: 'Order summary' });
  expect(await summary.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Linen shirt\s+Size\s+M\s+1 × \$48.50\s+\$48.50$/),
    expect.stringMatching(/^Sock\s+2 × \$9.00\s+\$18.00$/),
  ]);
  expect(await summary.getByText('Total').innerText()).toMatch(/^Total\s+\$66.50$/);
  await ada.fillAddress();
  expect(await ada.payButton.textContent()).toBe('Pay $66.50 by card');
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 6650]]);
  expect(await ada.cart()).toEqual({});
  await expect.poll(() => ada.count()).toBe(0);

  await ada.page.getByRole('banner').getByRole('button').click();
  await ada.page.getByRole('link', { name: 'Orders', exact: true }).click();
  await ada.heading('Your Orders').waitFor();
  const order = ada.page.getByRole('listitem', { name: /^Order of / });
  await order.getByText('Paid', { exact: true }).waitFor();
  const words = (await order.innerText()).replace(/\s+/g, ' ');
  expect(words).toContain('Linen shirt Size M 1 × $48.50 $48.50');
  expect(words).toContain('Sock 2 × $9.00 $18.00 Total $66.50');
  expect(words).toContain('Ada Weaver 1 Mill Lane Chicago, IL 60614 United States');
  await ada.page.getByText('Test payments: no money moves').waitFor();
});

test('an order is paid with PayPal, whose script comes only when it is chosen', async () => {
  const scripts: string[] = [];
  ada.page.on('request', (request) => {
    if (/paypal/i.test(request.url())) scripts.push(request.url());
  });
  await ada.readyToPay();
  expect(scripts).toEqual([]);
  await ada.choosePayPal();
  expect(scripts.length).toBeGreaterThan(0);
  expect(await ada.payButton.textContent()).toBe('Pay $48.50 with PayPal');
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(ada.page.url()).toContain('/checkout/success?order=');
  expect(await ada.orders()).toEqual([['paid', 4850]]);
  expect(await ada.cart()).toEqual({});
  await ada.page.getByRole('link', { name: 'Continue Shopping' }).click();
  await ada.heading('New Arrivals').waitFor();
});

test('a card that is declined and a payment that is cancelled leave the cart as it was', async () => {
  await ada.readyToPay();
  await ada.payButton.click();
  await ada.provider('Pay with a card that is declined').click();
  await ada.page.getByText('Your card was declined.').waitFor();
  await ada.page.getByRole('link', { name: 'Cancel and go back' }).click();
  await ada.notice('Payment was not completed.').waitFor();
  await ada.page.getByText('You came back without paying.').waitFor();
  expect(await ada.page.getByLabel('Full name').inputValue()).toBe('Ada Weaver');
  expect(await ada.cart()).toEqual({ A: 1 });
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  await ada.page.goBack();
  await ada.page.getByText('You came back without paying.').waitFor();
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});

test('a payment that takes days is being confirmed, and the page hears of its end by itself', async () => {
  await ada.readyToPay();
  await ada.payButton.click();
  await ada.provider('Pay later (the bank takes days)').click();
  await ada.heading('Your Payment Is Being Confirmed').waitFor();
  await ada.page.getByText('Please do not pay again').waitFor();
  expect(await ada.cart()).toEqual({ A: 1 });
  expect(await ada.orders()).toEqual([['confirming', 4850]]);
  const session = new URL(ada.page.url()).searchParams.get('session_id') ?? '';

  const other = await ada.also(context);
  await other.goto('/checkout');
  await other.fillAddress();
  await other.payButton.click();
  await other.page.getByText('is still being confirmed. Pay again?').waitFor();
  await other.page.getByRole('link', { name: 'Keep to the first payment' }).click();
  await other.heading('Your Payment Is Being Confirmed').waitFor();
  expect(await ada.orders()).toEqual([['confirming', 4850]]);

  home.stripe.settle(session);
  await ada.heading(SUCCESS).waitFor();
  await other.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
  await expect.poll(() => ada.cart()).toEqual({});
  expect(other.complaints).toEqual([]);
});

test('a payment that fails after days says so, and leads back to the cart, which is kept', async () => {
  await ada.readyToPay();
  await ada.payButton.click();
  await ada.provider('Pay later (the bank takes days)').click();
  await ada.heading('Your Payment Is Being Confirmed').waitFor();
  home.stripe.fail(new URL(ada.page.url()).searchParams.get('session_id') ?? '');
  await ada.heading('The Payment Failed').waitFor();
  await ada.page.getByRole('main').getByRole('link', { name: 'Back to Cart' }).click();
  await ada.page.getByRole('listitem', { name: 'Linen shirt, size M' }).waitFor();
  await ada.page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  await ada.payButton.click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([
    ['failed', 4850],
    ['paid', 4850],
  ]);
});

test('PayPal: cancelled, declined and paid in another way with the same order', async () => {
  await ada.readyToPay();
  await ada.choosePayPal();
  await ada.payButton.click();
  await ada.provider('Cancel').click();
  await ada.notice('Payment was not completed.').waitFor();
  await ada.page.getByText('You left PayPal without paying.').waitFor();
  expect(await ada.cart()).toEqual({ A: 1 });
  await ada.payButton.click();
  await ada.provider('Pay with a card that is declined').click();
  await ada.provider('Pay').waitFor();
  await expect.poll(() => ada.provider('Pay').isEnabled()).toBe(true);
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.page.getByRole('alert').textContent()).toBe('');
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});

test(
  'PayPal: a browser that opens no second window by itself opens it at the next press',
  { tags: 'long' },
  async () => {
    await ada.readyToPay();
    await ada.choosePayPal();
    await ada.payButton.click();
    await ada.page.evaluate(() => {
      const { showModal } = HTMLDialogElement.prototype;
      HTMLDialogElement.prototype.showModal = () => {
        HTMLDialogElement.prototype.showModal = showModal;
        throw new Error('blocked');
      };
    });
    await ada.provider('Pay with a card that is declined').click();
    await ada.notice('Payment was not completed.').waitFor();
    await ada.page.getByText('Press again to choose another way there.').waitFor();
    await ada.payButton.click();
    await ada.provider('Pay').click();
    await ada.heading(SUCCESS).waitFor();
    expect(await ada.orders()).toEqual([['paid', 4850]]);
  },
);

test('PayPal: a payment that stays pending is said to be confirmed, with the cart kept', async () => {
  await ada.readyToPay();
  await ada.choosePayPal();
  await ada.payButton.click();
  await ada.provider('Pay, but the payment stays pending').click();
  await ada.heading('Your Payment Is Being Confirmed').waitFor();
  expect(await ada.cart()).toEqual({ A: 1 });
  expect(await ada.orders()).toEqual([['confirming', 4850]]);
});

test('the browser dies right after Pay: the order is paid once, and what was bought is gone', async () => {
  await ada.readyToPay();
  await ada.payButton.click();
  // The way back is begun, and never gets anywhere.
  const isGoingBack = ada.page.waitForRequest(/\/checkout\/success/);
  await ada.provider('Pay').click({ noWaitAfter: true });
  await isGoingBack;
  await context.close();
  await expect.poll(() => ada.orders()).toEqual([['paid', 4850]]);
  const phone = await ada.also(await browser.newContext({ viewport: PHONE, ...workerFor() }));
  await phone.logIn();
  await phone.goto('/cart');
  await phone.page.getByText('Your cart is empty').waitFor();
  await phone.goto('/orders');
  await phone.page.getByText('Paid', { exact: true }).waitFor();
  expect(phone.complaints).toEqual([]);
});

test('what is added on another phone while one pays stays in the cart', async () => {
  await ada.readyToPay();
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  const phone = await ada.also(await browser.newContext({ viewport: PHONE, ...workerFor() }));
  await phone.logIn();
  await expect.poll(() => phone.count()).toBe(1);
  await phone.add('Sock');
  await phone.add('Linen shirt, size M');
  await expect.poll(() => ada.cart()).toEqual({ A: 2, B: 1 });
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.cart()).toEqual({ A: 1, B: 1 });
  await expect.poll(() => ada.count()).toBe(2);
});

test('pressed twice, in two tabs and by both ways to pay, it is one order', async () => {
  await ada.readyToPay();
  const other = await ada.also(context);
  await other.goto('/checkout');
  await other.page.getByLabel('Full name').waitFor();
  let requests = 0;
  ada.page.on('request', (request) => {
    if (request.url().endsWith('/create-checkout-session')) requests += 1;
  });
  await Promise.all([ada.payButton.dblclick(), other.payButton.dblclick()]);
  await Promise.all([ada.provider('Pay').waitFor(), other.provider('Pay').waitFor()]);
  expect(other.page.url()).toBe(ada.page.url());
  expect(requests).toBe(1);
  expect(await ada.orders()).toEqual([['pending', 4850]]);
  const wallet = await ada.also(context);
  await wallet.goto('/checkout');
  await wallet.choosePayPal();
  await wallet.payButton.dblclick();
  await wallet.provider('Pay').click();
  await wallet.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
  await ada.provider('Pay').click();
  await ada.page.getByText('This payment page has expired').waitFor();
  expect([...other.complaints, ...wallet.complaints]).toEqual([]);
});
