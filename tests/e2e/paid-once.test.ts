/** A cart that is open on two devices is paid once, unless the shopper chooses to pay again. */
import { beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { type Shopper } from '../browser/shopper.ts';
import {
  ada,
  GARMENTS,
  newDevice,
  payingShop,
  serviceWorkerFor,
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

/** The question before a second payment, and the note about the first one. */
const question = ({ page }: Shopper) =>
  page.getByRole('status').filter({ hasText: /still being confirmed\..*Pay again\?/ });
const paymentNote = ({ page }: Shopper) =>
  page.getByRole('main').getByText(`${CONFIRMING_SENTENCE} Please don’t pay again`);

test('a second device is asked before it pays the same once more, and may keep to the first payment', async () => {
  await ada.prepareToPay('Sock');
  await adaOnPhone.logIn();
  await adaOnPhone.waitForCartCount(1);
  await adaOnPhone.openCheckout();
  await ada.payLater();
  await adaOnPhone.payButton.click();
  await question(adaOnPhone).waitFor();
  expect(await axeFindings(adaOnPhone.page)).toEqual([]);
  await adaOnPhone.page.getByRole('link', { name: 'Keep the first payment' }).click();
  await adaOnPhone.heading('Your Payment Is Being Confirmed').waitFor();
  await ada.expectOrders(['confirming', SOCK_MINOR], ['pending', SOCK_MINOR]);
  await adaOnPhone.goto('/checkout');
  await adaOnPhone.payButton.click();
  await adaOnPhone.page.getByRole('button', { name: 'Pay again' }).click();
  await adaOnPhone.completePayment();
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
