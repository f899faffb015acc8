/** PayPal under the checkout's content security policy, and in the installed app on iOS. */
import { expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import {
  ada,
  context,
  GARMENTS,
  pageErrors,
  payingShop,
  SHIRT,
  SHIRT_MINOR,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: PHONE });

test(
  'the checkout’s policy lets PayPal’s script add its styles and call PayPal’s host',
  { tags: 'long' },
  async () => {
    await ada.prepareToPayWithPayPal();
    const orderRequest = ada.page.waitForRequest((request) =>
      request.url().startsWith(`${payingShop.paypal.baseUrl}/sdk/orders/`),
    );
    await ada.payButton.click();
    await orderRequest;
    await expect.poll(() => ada.paymentButton('Pay').isEnabled()).toBe(true);
    const border = await ada.page
      .getByRole('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).borderTopWidth);
    expect(border, 'the style that the script of the emulator adds').toBe('2px');
    await ada.completePayment();
  },
);

test(
  'a policy without PayPal’s styles or its host stops PayPal, and the page says so',
  { tags: 'long' },
  async () => {
    const backend = `http://127.0.0.1:${new URL(payingShop.line.url).port}`;
    // Instead of inline styles the policy has `report-sample`, which allows nothing, and instead of all ports of
    // this machine the port of the backend alone.
    await changePolicy([
      ['unsafe-inline', 'report-sample'],
      ['http://127.0.0.1:*', backend],
    ]);
    await ada.prepareToPayWithPayPal();
    await ada.payButton.click();
    await ada.waitForNotice('PayPal payment failed. Please try again.');
    // Takes the errors out of the list, because a test fails at its end if the list has any.
    const blocked = pageErrors.splice(0).join('\n');
    expect(blocked).toMatch(/inline style .*style-src/);
    expect(blocked).toMatch(new RegExp(`${payingShop.paypal.baseUrl}.*connect-src`));
  },
);

/** Serves the checkout with these texts replaced in its policy, which is in a header and in the page. */
async function changePolicy(changes: readonly (readonly [string, string])[]): Promise<void> {
  const withChanges = (text: string) =>
    changes.reduce((next, [from, to]) => next.replaceAll(from, to), text);
  // Chromium treats a response that the test fulfils as coming from a public address, and such a page needs
  // this permission to reach 127.0.0.1.
  await context.grantPermissions(['local-network-access']);
  await context.route(
    ({ pathname }) => pathname === '/checkout',
    async (route) => {
      const answer = await route.fetch();
      const headers = answer.headers();
      const policy = withChanges(headers['content-security-policy'] ?? '');
      await route.fulfill({
        response: answer,
        headers: { ...headers, 'content-security-policy': policy },
        body: withChanges(await answer.text()),
      });
    },
  );
}

/** Presses Pay and waits for PayPal's page. */
async function goToPayPal(): Promise<void> {
  await ada.payButton.click();
  await ada.page.waitForURL(`${payingShop.paypal.baseUrl}/checkoutnow?**`);
}

/** Goes to PayPal's page as the installed app, which Safari tells a page by `navigator.standalone`. */
async function goToPayPalFromInstalledApp(): Promise<void> {
  await context.addInitScript(() => Object.assign(Navigator.prototype, { standalone: true }));
  await ada.prepareToPayWithPayPal();
  await goToPayPal();
}

test('in the installed app on iOS the checkout leads to PayPal’s page, and the shopper returns and has paid', async () => {
  await goToPayPalFromInstalledApp();
  expect(await ada.page.getByRole('heading').textContent()).toBe('Pay $48.50 with PayPal');
  await ada.completePayment();
  expect(ada.page.url()).toContain('/checkout/success?order=');
  await ada.expectOrders(['paid', SHIRT_MINOR]);
  expect(await ada.cart()).toEqual({});
});

test(
  'in the installed app on iOS an order is paid from Your Orders, with an empty cart',
  { tags: 'long' },
  async () => {
    await goToPayPalFromInstalledApp();
    await ada.goto('/cart');
    await ada.page.getByRole('button', { name: /^Remove/ }).click();
    await ada.waitForCart({});
    await ada.goto('/orders');
    await ada.page.getByRole('link', { name: 'Pay for this order' }).click();
    await ada.choosePayPal();
    await goToPayPal();
    await ada.completePayment();
    await ada.expectOrders(['paid', SHIRT_MINOR]);
  },
);

test(
  'in the installed app on iOS a shopper who left PayPal, or was declined, pays the same order afterwards',
  { tags: 'long' },
  async () => {
    await goToPayPalFromInstalledApp();
    await ada.paymentButton('Cancel').click();
    await ada.waitForNotice('Payment was not completed.');
    await ada.page.getByText('You left PayPal without paying.').waitFor();
    expect(await ada.cart()).toEqual({ [SHIRT]: 1 });
    await goToPayPal();
    await ada.paymentButton('Pay with a card that is declined').click();
    await ada.page.getByText('Press the button again and choose another way to pay.').waitFor();
    await goToPayPal();
    await ada.completePayment();
    await ada.expectOrders(['paid', SHIRT_MINOR]);
  },
);
