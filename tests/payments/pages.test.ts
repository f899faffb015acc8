/** The pages of the payment emulators, in a browser the size of a phone. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../netlify/local/provider/server.ts';
import { axeFindings } from '../browser/axe.ts';
import { collectPageErrors, launchBrowser, PHONE } from '../browser/browser.ts';
import { BASKET, openStripeEmulator } from './stripe-client.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

/** Axe's findings at an address. The page's policy is bypassed, because it would block axe. */
async function findingsAt(url: string): Promise<string[]> {
  const page = await browser.newPage({ viewport: PHONE, bypassCSP: true });
  await page.goto(url);
  const findings = await axeFindings(page);
  await page.close();
  return findings;
}

/** A server that stands for the shop: an empty page at any path. */
async function openShop() {
  const server = await listenOnLoopback();
  const html = '<!doctype html><html lang="en"><title>The shop</title><body></body></html>';
  server.serve(async () => new Response(html, { headers: { 'content-type': 'text/html' } }));
  return server;
}

async function closeAll(...opened: readonly { close(): Promise<unknown> }[]): Promise<void> {
  await Promise.all(opened.map((resource) => resource.close()));
}

describe('Stripe’s page', () => {
  async function openPayment() {
    const [subject, shop] = await Promise.all([openStripeEmulator(), openShop()]);
    const { id, url } = await subject.client.checkout.sessions.create({
      ...BASKET,
      success_url: `${shop.url}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${shop.url}/checkout`,
      line_items: [
        ...BASKET.line_items,
        {
          ...BASKET.line_items[0],
          price_data: { ...BASKET.line_items[0]?.price_data, ...HOSTILE },
        },
      ],
    });
    const page = await browser.newPage({ viewport: PHONE });
    await page.goto(url ?? '');
    const { emulator } = subject;
    const session = () => emulator.checkouts.find((other) => other.id === id);
    onTestFinished(() => closeAll(page, subject, shop));
    return { subject, shop, page, id, session };
  }
  const HOSTILE = {
    currency: 'usd',
    unit_amount: 100,
    product_data: { name: '<img src=x onerror=alert(1)>' },
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('shows what is bought, says that it is a test, and is accessible', async () => {
    const { page } = await openPayment();
    const pageErrors = collectPageErrors(page);
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('Pay $55.00');
    expect(await page.getByRole('banner').textContent()).toBe(
      'Test payments only. You won’t be charged.',
    );
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      'What you buy\tPrice',
      '1 × Scarf\t$27.00',
      '2 × Socks, size M\t$27.00',
      '1 × <img src=x onerror=alert(1)>\t$1.00',
      'Total\t$55.00',
    ]);
    for (const element of await page.locator('button, a').all()) {
      const box = await element.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.width);
    expect(pageErrors).toEqual([]);
    expect(await findingsAt(page.url())).toEqual([]);
  });

  test('takes the payment once, however often the button is pressed', async () => {
    const { shop, page, id, session } = await openPayment();
    await button(page, 'Pay').dblclick();
    await page.waitForURL(`${shop.url}/checkout/success?session_id=${id}`);
    expect(session()).toMatchObject({ status: 'complete', payment: { status: 'succeeded' } });
    await page.goBack();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('This is paid');
  });

  test.each([
    ['The money arrives', 'succeeded', 'paid'],
    ['It fails', 'failed', 'failed'],
  ])('takes a payment that is decided later: %s', async (buttonName, status, words) => {
    const { subject, shop, page, session } = await openPayment();
    await button(page, 'Pay later (the bank takes days)').click();
    await page.waitForURL(`${shop.url}/**`);
    expect(session()).toMatchObject({ status: 'complete', payment: { status: 'pending' } });
    expect(await findingsAt(subject.url)).toEqual([]);
    await page.goto(subject.url);
    await button(page, buttonName).click();
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).textContent())
      .toBe(`$55.00, ${words}`);
    expect(session()).toMatchObject({ payment: { status } });
  });
});
