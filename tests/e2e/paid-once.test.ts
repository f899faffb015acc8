/** A cart that is open on two devices is paid once, unless the shopper chooses to pay again. */
import { beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { type Shopper, SUCCESS } from '../browser/shopper.ts';
import { fewOf } from '../full-run.ts';
import {
  ada,
  GARMENTS,
  newDevice,
  payingShop,
  serviceWorkerFor,
  SHIRT_MINOR,
  SOCK_MINOR,
  visitBeforeEach,
} from './fixture.ts';

const CONFIRMING_SENTENCE = 'Your payment for these items is still being confirmed.';

visitBeforeEach({ products: GARMENTS });

/** The same shopper with a second device, a phone. */
let adaOnPhone: Shopper;
beforeEach(async ({ task }) => {
  const phone = await newDevice({ viewport: PHONE, ...serviceWorkerFor(task) });
  adaOnPhone = await ada.inNewPage(phone);
});

/** The question before a second payment, the note about the first one, and the button to pay again. */
const question = ({ page }: Shopper) =>
  page.getByRole('status').filter({ hasText: /still being confirmed\..*Pay again\?/ });
const paymentNote = ({ page }: Shopper) =>
  page.getByRole('main').getByText(`${CONFIRMING_SENTENCE} Please don’t pay again`);
const payAgain = ({ page }: Shopper) => page.getByRole('button', { name: 'Pay again' });

/** Brings both devices to the checkout with the same cart. */
async function prepareBothToPay(...names: readonly string[]): Promise<void> {
  await adaOnPhone.logIn();
  await adaOnPhone.add(...names);
  await adaOnPhone.openCheckout();
  await expect.poll(() => ada.cart()).not.toEqual({});
  await ada.logIn();
  await ada.waitForCartCount(names.length);
  await ada.openCheckout();
}

test(
  'a second device is told of a payment that is being confirmed, and may keep to it',
  { tags: 'long' },
  async () => {
    await prepareBothToPay('Sock', 'Linen shirt, size M');
    const session = await ada.payLater();
    await adaOnPhone.payButton.click();
    await question(adaOnPhone).waitFor();
    expect(await axeFindings(adaOnPhone.page)).toEqual([]);
    await adaOnPhone.page.getByRole('link', { name: 'Keep the first payment' }).click();
    await adaOnPhone.heading('Your Payment Is Being Confirmed').waitFor();
    const total = SHIRT_MINOR + SOCK_MINOR;
    await ada.expectOrders(['confirming', total], ['pending', total]);
    payingShop.stripe.settle(session);
    for (const shopper of [ada, adaOnPhone]) await shopper.heading(SUCCESS).waitFor();
  },
);

test.each(fewOf(1, ['card', 'PayPal']))(
  'a second device is asked before it pays the same once more by %s',
  async (method) => {
    await prepareBothToPay('Sock');
    await ada.payLater();
    if (method === 'PayPal') await adaOnPhone.choosePayPal();
    await adaOnPhone.payButton.click();
    await question(adaOnPhone).waitFor();
    await ada.expectOrders(['confirming', SOCK_MINOR], ['pending', SOCK_MINOR]);
    await payAgain(adaOnPhone).click();
    await adaOnPhone.completePayment();
    await ada.expectOrders(['confirming', SOCK_MINOR], ['paid', SOCK_MINOR]);
  },
);

test(
  'of two devices on the payment page, only the one that came last can pay',
  { tags: 'long' },
  async () => {
    await prepareBothToPay('Sock');
    await ada.goToPayment();
    await adaOnPhone.goToPayment();
    await ada.paymentButton('Pay later (the bank takes days)').click();
    await ada.page.getByRole('heading', { name: /has expired/ }).waitFor();
    await adaOnPhone.completePayment();
    expect((await ada.orders()).filter(([state]) => state !== 'pending')).toEqual([
      ['paid', SOCK_MINOR],
    ]);
  },
);

test('the device that paid is asked too, and may pay again', { tags: 'long' }, async () => {
  await ada.prepareToPay('Sock');
  await ada.payLater();
  await ada.goto('/checkout');
  await ada.payButton.click();
  await question(ada).waitFor();
  await ada.expectOrders(['confirming', SOCK_MINOR]);
  await payAgain(ada).click();
  await ada.completePayment();
  await ada.expectOrders(['confirming', SOCK_MINOR], ['paid', SOCK_MINOR]);
});

test(
  'cart and checkout of every device say that a payment is being confirmed, until it has arrived',
  { tags: ['worker', 'long'] },
  async () => {
    await ada.prepareToPay('Sock');
    const session = await ada.payLater();
    await adaOnPhone.logIn();
    await adaOnPhone.waitForCartCount(1);
    for (const shopper of [ada, adaOnPhone]) {
      await shopper.goto('/checkout');
      await paymentNote(shopper).waitFor();
      await shopper.goto('/cart');
      await paymentNote(shopper).waitFor();
      expect(await axeFindings(shopper.page)).toEqual([]);
    }
    await waitForWorker(adaOnPhone.page);
    await adaOnPhone.goOffline();
    await adaOnPhone.page.reload();
    await paymentNote(adaOnPhone).waitFor();
    await adaOnPhone.goOnline();

    await adaOnPhone.goto('/');
    await adaOnPhone.add('Linen shirt, size M');
    await adaOnPhone.goto('/cart');
    await adaOnPhone.page.getByText('A payment for another order').waitFor();
    payingShop.stripe.settle(session);
    await expect.poll(() => ada.orders()).toEqual([['paid', SOCK_MINOR]]);
    await adaOnPhone.page.reload();
    await adaOnPhone.page.getByRole('listitem', { name: 'Linen shirt, size M' }).waitFor();
    await expect.poll(() => adaOnPhone.page.getByText('being confirmed').count()).toBe(0);
  },
);
