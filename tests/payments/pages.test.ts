/** The list of payments that Stripe's emulator shows, where a payment that takes days is decided. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../browser/browser.ts';
import { BASKET, openStripeEmulator } from './stripe-client.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

test.each([
  ['The money arrives', 'succeeded', 'paid'],
  ['It fails', 'failed', 'failed'],
])('a payment that takes days is decided by a button: %s', async (button, status, words) => {
  const { client, emulator, url, close } = await openStripeEmulator();
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    await close();
  });
  const { id } = await client.checkout.sessions.create(BASKET);
  emulator.pay(id, 'pending');
  await page.goto(url);
  await page.getByRole('button', { name: button, exact: true }).click();
  const payment = page.getByRole('heading', { level: 2 });
  await expect.poll(() => payment.textContent()).toBe(`$54.00, ${words}`);
  expect(emulator.checkouts).toMatchObject([{ payment: { status } }]);
});
