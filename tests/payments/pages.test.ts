/** The pages of the payment emulators, in a browser the size of a phone. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../netlify/local/provider/server.ts';
import { bundle } from '../bench/bench-page.ts';
import { axeFindings } from '../browser/axe.ts';
import { collectPageErrors, launchBrowser, PHONE } from '../browser/browser.ts';
import { openPayPalEmulator, orderBody, send, token } from './paypal-client.ts';
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

/** A server that stands for the shop: it serves one script, and an empty page at any other path. */
async function openShop(checkoutScript = '') {
  const server = await listenOnLoopback();
  server.serve(async ({ url }) =>
    new URL(url).pathname === '/checkout.js'
      ? new Response(checkoutScript, { headers: { 'content-type': 'text/javascript' } })
      : new Response('<!doctype html><html lang="en"><title>The shop</title><body></body></html>', {
          headers: { 'content-type': 'text/html' },
        }),
  );
  return server;
}

async function closeAll(...opened: readonly { close(): Promise<unknown> }[]): Promise<void> {
  await Promise.all(opened.map((resource) => resource.close()));
}

// The bundle reads `process.env` to choose a build of React.
const variables = `const process = { env: { NODE_ENV: 'development' } };\n`;
const script = variables + (await bundle(new URL('paypal-in-page.tsx', import.meta.url)));

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
    expect(await page.getByRole('banner').textContent()).toBe('Test payments: no money moves');
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

  test('takes the payment once and leads back to the shop with the payment’s id', async () => {
    const { shop, page, id, session } = await openPayment();
    await button(page, 'Pay').dblclick();
    await page.waitForURL(`${shop.url}/checkout/success?session_id=${id}`);
    expect(session()).toMatchObject({ status: 'complete', payment: { status: 'succeeded' } });
    await page.goBack();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('This is paid');
  });

  test('says that a card was declined, and lets the buyer try again', async () => {
    const { shop, page, session } = await openPayment();
    await button(page, 'Pay with a card that is declined').click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('declined');
    expect(session()).toMatchObject({ status: 'open', payment: null });
    await button(page, 'Pay').click();
    await page.waitForURL(`${shop.url}/**`);
    expect(session()).toMatchObject({ status: 'complete' });
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

  test('can be left without paying', async () => {
    const { shop, page, session } = await openPayment();
    await page.getByRole('link', { name: 'Cancel and go back' }).click();
    await page.waitForURL(`${shop.url}/checkout`);
    expect(session()).toMatchObject({ status: 'open' });
  });

  test('takes no money once it has expired', async () => {
    const { subject, page, id, session } = await openPayment();
    await subject.client.checkout.sessions.expire(id);
    await button(page, 'Pay').click();
    await expect.poll(() => page.getByRole('heading').textContent()).toContain('has expired');
    expect(session()).toMatchObject({ status: 'expired', payment: null });
  });
});

describe('PayPal’s button', () => {
  /**
   * A checkout with PayPal's React package, where `window.paypal` is the emulator.
   *
   * @param creation the shop's creation of an order fails or never ends; when absent, it succeeds
   */
  async function openCheckout(creation?: 'fails' | 'never') {
    const [subject, shop] = await Promise.all([openPayPalEmulator(), openShop(script)]);
    const authorization = `Bearer ${await token(subject)}`;
    const headers = { authorization, 'paypal-request-id': 'order-1' };
    const { body } = await send(subject, 'POST /v2/checkout/orders', orderBody(), headers);
    const id = String(body['id']);
    const page = await browser.newPage({ viewport: PHONE });
    const pageErrors = collectPageErrors(page);
    await page.goto(`${shop.url}/checkout`);
    await page.addScriptTag({ url: `${subject.url}/sdk.js` });
    const inPage = (call: string) =>
      page.evaluate<unknown>(`import('/checkout.js').then((m) => m.${call})`);
    await inPage(`mount(${JSON.stringify(subject.clientId)}, ${JSON.stringify(creation ?? id)})`);
    const stored = () => subject.emulator.checkouts.find((other) => other.id === id);
    const callbacks = () => inPage('callbacksSoFar()');
    const payButton = page.getByRole('button', { name: 'Pay with PayPal' });
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    onTestFinished(() => closeAll(page, subject, shop));
    return { subject, page, id, stored, callbacks, payButton, dialog, press, pageErrors };
  }

  test('opens a window that says that it is a test, and is accessible', async () => {
    const { page, payButton, dialog, pageErrors } = await openCheckout();
    await payButton.click();
    await expect
      .poll(() => dialog.getByRole('heading').textContent())
      .toBe('Pay $54.00 with PayPal');
    expect(await dialog.innerText()).toContain('Test payments: no money moves');
    expect(await axeFindings(page)).toEqual([]);
    for (const element of await page.getByRole('button').all()) {
      expect((await element.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    expect(pageErrors).toEqual([]);
  });

  test.each([
    ['Pay', 'good'],
    ['Pay with a card that is declined', 'declined'],
    ['Pay, but the payment stays pending', 'pending'],
  ])('%s: the order is approved, and the shop is told', async (name, instrument) => {
    const { id, stored, callbacks, payButton, press } = await openCheckout();
    await payButton.click();
    await press(name);
    await expect.poll(callbacks).toEqual([
      ['approved', { orderId: id, payerId: expect.any(String), fundingSource: 'paypal' }],
      ['complete', 'approved'],
    ]);
    expect(stored()).toMatchObject({ status: 'APPROVED', instrument });
  });

  test.each(['Cancel', 'Escape'])('can be left with %s', async (exit) => {
    const { page, id, stored, callbacks, payButton, dialog, press } = await openCheckout();
    await payButton.click();
    await expect.poll(() => dialog.getByRole('heading').textContent()).toContain('$54.00');
    if (exit === 'Escape') await page.keyboard.press('Escape');
    else await press('Cancel');
    await expect.poll(callbacks).toEqual([
      ['cancelled', { orderId: id }],
      ['complete', 'canceled'],
    ]);
    expect(await dialog.count()).toBe(0);
    expect(stored()).toMatchObject({ status: 'PAYER_ACTION_REQUIRED', instrument: null });
    await payButton.click();
    await press('Pay');
    await expect.poll(() => stored()?.status).toBe('APPROVED');
  });

  test('can be left while the shop is still making the order', async () => {
    const { callbacks, payButton, press } = await openCheckout('never');
    await payButton.click();
    await press('Cancel');
    await expect.poll(callbacks).toEqual([
      ['cancelled', {}],
      ['complete', 'canceled'],
    ]);
  });

  test('passes the shop’s failure to make an order back to the shop, and shows no window', async () => {
    const { callbacks, payButton, dialog } = await openCheckout('fails');
    await payButton.click();
    await expect.poll(callbacks).toEqual([['rejected', 'the shop could not make the order']]);
    expect(await dialog.count()).toBe(0);
  });

  test('reports an error when PayPal cannot be reached', async () => {
    const { subject, page, callbacks, payButton } = await openCheckout();
    await page.route(`${subject.url}/**`, (route) => route.abort());
    await payButton.click();
    await expect.poll(callbacks).toMatchObject([
      ['error', { code: 'ERR_PAYMENT_FLOW' }],
      ['complete', 'error'],
    ]);
  });

  test('lists a pending payment until a person decides about it', async () => {
    const { subject, page, id, stored } = await openCheckout();
    subject.emulator.approve(id, 'pending');
    const authorization = `Bearer ${await token(subject)}`;
    await send(subject, `POST /v2/checkout/orders/${id}/capture`, '{}', { authorization });
    expect(await findingsAt(subject.url)).toEqual([]);
    await page.goto(subject.url);
    await page.getByRole('button', { name: 'The money arrives' }).click();
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).textContent())
      .toBe('$54.00, paid');
    expect(stored()).toMatchObject({ payment: { status: 'succeeded' } });
  });
});
