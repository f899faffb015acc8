import type { Browser, BrowserContext } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { DESKTOP, PHONE, waitForWorker } from '../browser/browser.ts';
import { type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

const SUCCESS = 'Payment Successful! Thank you for your order.';
const CONFIRMED_LATER = 'A payment for these things is still being confirmed.';

let home: PayingShop;
let browser: Browser;
let laptop: BrowserContext;
let phone: BrowserContext;
let ada: Shopper;
/** The same person with the phone. */
let adaOut: Shopper;

beforeAll(async () => {
  home = await cleanShop();
  browser = await cleanBrowser();
});
beforeEach(async ({ task }) => {
  await restock(home);
  laptop = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  phone = await browser.newContext({ viewport: PHONE, ...workerFor(task) });
  ada = await Shopper.come(home, laptop);
  adaOut = await ada.also(phone);
});
afterEach(async () => {
  home.line.up();
  expect([...ada.complaints, ...adaOut.complaints]).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
});

/** Pays the cart in a way that takes days. */
async function payLater(shopper: Shopper): Promise<void> {
  await shopper.payButton.click();
  await shopper.provider('Pay later (the bank takes days)').click();
  await shopper.heading('Your Payment Is Being Confirmed').waitFor();
}

const question = ({ page }: Shopper) =>
  page.getByRole('status').filter({ hasText: /still being confirmed\..*Pay again\?/ });
const line = ({ page }: Shopper) =>
  page.getByRole('main').getByText(`${CONFIRMED_LATER} Please do not pay again`);
const payAgain = ({ page }: Shopper) => page.getByRole('button', { name: 'Pay again' });

/** One cart on both devices; the laptop is about to pay it, and the phone is at its checkout. */
async function bothReady(...names: readonly string[]): Promise<void> {
  await adaOut.logIn();
  for (const name of names) await adaOut.add(name);
  await adaOut.goto('/checkout');
  await adaOut.fillAddress();
  await expect.poll(() => ada.cart()).not.toEqual({});
  await ada.logIn();
  await expect.poll(() => ada.count()).toBe(names.length);
  await ada.goto('/checkout');
  await ada.fillAddress();
}

test('a second device is told of a payment that is being confirmed, and may keep to it', async () => {
  await bothReady('Sock', 'Linen shirt, size M');
  await payLater(ada);
  await adaOut.payButton.click();
  await question(adaOut).waitFor();
  expect(await axeFindings(adaOut.page)).toEqual([]);
  await adaOut.page.getByRole('link', { name: 'Keep to the first payment' }).click();
  await adaOut.heading('Your Payment Is Being Confirmed').waitFor();
  expect(await ada.orders()).toEqual([['confirming', 5750]]);
});

test('a second device pays by card once more, when that was said and is wanted', async () => {
  await bothReady('Sock');
  await payLater(ada);
  await adaOut.payButton.click();
  await payAgain(adaOut).click();
  await adaOut.provider('Pay').click();
  await adaOut.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([
    ['confirming', 900],
    ['paid', 900],
  ]);
});

test('a second device is asked as well when it pays with PayPal', { tags: 'long' }, async () => {
  await bothReady('Sock');
  await payLater(ada);
  await adaOut.choosePayPal();
  await adaOut.payButton.click();
  await question(adaOut).waitFor();
  expect(await ada.orders()).toEqual([['confirming', 900]]);
  await payAgain(adaOut).click();
  await adaOut.provider('Pay').click();
  await adaOut.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([
    ['confirming', 900],
    ['paid', 900],
  ]);
});

test('of two devices at the payment page, the one that came last can pay', async () => {
  await bothReady('Sock');
  await ada.payButton.click();
  await ada.provider('Pay').waitFor();
  await adaOut.payButton.click();
  await adaOut.provider('Pay').waitFor();
  await ada.provider('Pay later (the bank takes days)').click();
  await ada.page.getByRole('heading', { name: /has expired/ }).waitFor();
  await adaOut.provider('Pay').click();
  await adaOut.heading(SUCCESS).waitFor();
  expect((await ada.orders()).filter(([state]) => state !== 'pending')).toEqual([['paid', 900]]);
});

test('the device that paid is asked too, and may pay again', async () => {
  await ada.readyToPay('Sock');
  await payLater(ada);
  await ada.goto('/checkout');
  await ada.payButton.click();
  await question(ada).waitFor();
  expect(await ada.orders()).toEqual([['confirming', 900]]);
  await payAgain(ada).click();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([
    ['confirming', 900],
    ['paid', 900],
  ]);
  await adaOut.page.close();
});

test(
  'cart and checkout of every device say that a payment is being confirmed, until it has arrived',
  { tags: 'worker' },
  async () => {
    await ada.readyToPay('Sock');
    await payLater(ada);
    const session = new URL(ada.page.url()).searchParams.get('session_id') ?? '';
    await adaOut.logIn();
    await expect.poll(() => adaOut.count()).toBe(1);
    for (const shopper of [ada, adaOut]) {
      await shopper.goto('/checkout');
      await line(shopper).waitFor();
      await shopper.goto('/cart');
      await line(shopper).waitFor();
      expect(await axeFindings(shopper.page)).toEqual([]);
    }
    await waitForWorker(adaOut.page);
    home.line.down();
    await phone.setOffline(true);
    await adaOut.page.reload();
    await line(adaOut).waitFor();
    home.line.up();
    await phone.setOffline(false);

    await adaOut.goto('/');
    await adaOut.add('Linen shirt, size M');
    await adaOut.goto('/cart');
    await adaOut.page.getByText('A payment for another order of yours').waitFor();
    home.stripe.settle(session);
    await expect.poll(() => ada.orders()).toEqual([['paid', 900]]);
    await adaOut.page.reload();
    await adaOut.page.getByRole('listitem', { name: 'Linen shirt, size M' }).waitFor();
    await expect.poll(() => adaOut.page.getByText('being confirmed').count()).toBe(0);
  },
);
