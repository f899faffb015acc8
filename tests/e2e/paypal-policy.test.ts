/** PayPal under the checkout's policy, and in the installed app on iOS. */
import { expect, test } from 'vitest';
import { PHONE } from '../browser/browser.ts';
import { SUCCESS } from '../browser/shopper.ts';
import { ada, complaints, context, GARMENTS, home, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS, viewport: PHONE });

test('PayPal’s script adds its styles and calls a host of its own, and nothing is blocked', async () => {
  await ada.readyToPayWithPayPal();
  const isCalled = ada.page.waitForRequest((request) =>
    request.url().startsWith(`${home.paypal.baseUrl}/sdk/orders/`),
  );
  await ada.payButton.click();
  await isCalled;
  await expect.poll(() => ada.provider('Pay').isEnabled()).toBe(true);
  const border = await ada.page
    .getByRole('dialog')
    .evaluate((dialog) => getComputedStyle(dialog).borderTopWidth);
  expect(border).toBe('2px');
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
});

test('a policy without PayPal’s styles or its host stops PayPal, and the page says so', async () => {
  await changePolicy([
    ['unsafe-inline', 'report-sample'],
    ['http://127.0.0.1:*', 'https://elsewhere.example'],
  ]);
  await ada.readyToPayWithPayPal();
  await ada.payButton.click();
  await ada.notice('PayPal payment failed. Please try again.').waitFor();
  const blocked = complaints.splice(0).join('\n');
  expect(blocked).toMatch(/inline style .*style-src/);
  expect(blocked).toMatch(new RegExp(`${home.paypal.baseUrl}.*connect-src`));
});

/** Serves the checkout with a policy in which these texts are replaced, in its header and in itself. */
async function changePolicy(changes: readonly (readonly [string, string])[]): Promise<void> {
  const changed = (text: string) =>
    changes.reduce((next, [from, to]) => next.replaceAll(from, to), text);
  await context.route(
    ({ pathname }) => pathname === '/checkout',
    async (route) => {
      const answer = await route.fetch();
      const headers = answer.headers();
      const policy = changed(headers['content-security-policy'] ?? '');
      await route.fulfill({
        response: answer,
        headers: { ...headers, 'content-security-policy': policy },
        body: changed(await answer.text()),
      });
    },
  );
}

/** What Safari says in an app on the home screen. */
const openedFromHomeScreen = () =>
  context.addInitScript(() => Object.assign(Navigator.prototype, { standalone: true }));

async function goToPayPal(): Promise<void> {
  await ada.payButton.click();
  await ada.page.waitForURL(`${home.paypal.baseUrl}/checkoutnow?**`);
}

test('in the installed app on iOS PayPal takes the place of the checkout, which goes on when it is back', async () => {
  await openedFromHomeScreen();
  await ada.readyToPayWithPayPal();
  await goToPayPal();
  expect(await ada.page.getByRole('heading').textContent()).toBe('Pay $48.50 with PayPal');
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(ada.page.url()).toContain('/checkout/success?order=');
  expect(await ada.orders()).toEqual([['paid', 4850]]);
  expect(await ada.cart()).toEqual({});
});

test('in the installed app on iOS PayPal is left, or declines, and the same order is paid after it', async () => {
  await openedFromHomeScreen();
  await ada.readyToPayWithPayPal();
  await goToPayPal();
  await ada.provider('Cancel').click();
  await ada.notice('Payment was not completed.').waitFor();
  await ada.page.getByText('You left PayPal without paying.').waitFor();
  expect(await ada.cart()).toEqual({ A: 1 });
  await goToPayPal();
  await ada.provider('Pay with a card that is declined').click();
  await ada.page.getByText('Press again to choose another way there.').waitFor();
  await goToPayPal();
  await ada.provider('Pay').click();
  await ada.heading(SUCCESS).waitFor();
  expect(await ada.orders()).toEqual([['paid', 4850]]);
});
