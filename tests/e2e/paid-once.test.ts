/** A cart that is open on two devices is paid once, unless the shopper chooses to pay again. */
import { beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { type Shopper } from '../browser/shopper.ts';
import {
  ada,
  GARMENTS,
  newDevice,
  serviceWorkerFor,
  SOCK_MINOR,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

/** The same shopper with a second device, a phone. */
let adaOnPhone: Shopper;
beforeEach(async ({ task }) => {
  const phone = await newDevice({ viewport: PHONE, ...serviceWorkerFor(task) });
  adaOnPhone = await ada.inNewPage(phone);
});

/** The question before a second payment. */
const question = ({ page }: Shopper) =>
  page.getByRole('status').filter({ hasText: /still being confirmed\..*Pay again\?/ });

test('a second device is asked before it pays the same once more, and may keep to the first payment', async () => {
  await ada.prepareToPay('Sock');
  await adaOnPhone.logIn();
  await adaOnPhone.waitForCartCount(1);
  await adaOnPhone.openCheckout();
  await ada.payLater();
  await adaOnPhone.payButton.click();
  await question(adaOnPhone).waitFor();
  expect(await axeFindings(adaOnPhone.page)).toEqual([]);
  await adaOnPhone.page.getByRole('link', { name: 'Don’t pay again' }).click();
  await adaOnPhone.heading('Your Payment Is Being Confirmed').waitFor();
  await ada.expectOrders(['confirming', SOCK_MINOR], ['pending', SOCK_MINOR]);
  await adaOnPhone.goto('/checkout');
  await adaOnPhone.payButton.click();
  await adaOnPhone.page.getByRole('button', { name: 'Pay again' }).click();
  await adaOnPhone.completePayment();
  await ada.expectOrders(['confirming', SOCK_MINOR], ['paid', SOCK_MINOR]);
});
