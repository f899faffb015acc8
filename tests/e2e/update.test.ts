import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { complaintsOf, DESKTOP, waitForWorker } from '../browser/browser.ts';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { openPayingShop, type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser } from './fixture.ts';

let folder: string;
let home: PayingShop;
let browser: Browser;
let context: BrowserContext;

const site = () => join(folder, 'site');
const next = () => join(folder, 'next');
const third = () => join(folder, 'third');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-versions-'));
  await buildSite(next(), { VITE_STORE_NAME: 'Warp' });
  await buildSite(third(), { VITE_STORE_NAME: 'Selvage' });
  deploy(SITE_FOLDER);
  home = await openPayingShop(site());
  browser = await cleanBrowser();
});
afterAll(async () => {
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await restock(home);
  deploy(SITE_FOLDER);
  context = await browser.newContext({ viewport: DESKTOP });
});
afterEach(() => context.close());

/** Puts a version in the place of the one before, of which nothing is left. */
function deploy(version: string): void {
  rmSync(site(), { recursive: true, force: true });
  cpSync(version, site(), { recursive: true });
}

const wordmark = (page: Page) => page.getByRole('banner').getByRole('link').first().textContent();
const prompt = (page: Page) => page.getByRole('status').getByText('A new version is ready.');
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true });

/** What the browser does by itself at a visit or after a day. */
async function fetchNext(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
}

async function openAt(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(home.line.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The heading stands there before the shop itself does.
  if (path === '/') await page.getByText(/^\d+ products?$/).waitFor();
  return { page, complaints };
}

test('a new version runs after consent, in every tab, and nothing that was typed or tapped is lost', async () => {
  const ada = await Shopper.come(home, context);
  await ada.logIn();
  await waitForWorker(ada.page);
  await ada.add('Linen shirt, size M');
  await expect.poll(() => ada.cart()).toEqual({ A: 1 });

  await ada.goto('/checkout');
  await ada.page.getByLabel('Full name').fill('Ada Weaver');
  await ada.page.getByLabel('City').fill('Chica');
  const shopTab = await openAt('/');
  const letter = await openAt('/forgot-password');
  const email = letter.page.getByLabel('Email');
  await email.fill('ada@weft');
  await email.blur();
  await context.route('**/rest/v1/rpc/push*', (route) => route.abort());
  await shopTab.page.getByRole('button', { name: 'Add to Cart: Sock' }).click();
  await shopTab.page.getByText('Cart, 2').waitFor();
  expect(await ada.cart()).toEqual({ A: 1 });

  deploy(next());
  await fetchNext(shopTab.page);
  await prompt(shopTab.page).waitFor();
  expect(await axeFindings(shopTab.page)).toEqual([]);
  expect(await wordmark(shopTab.page), 'nothing happens before consent').toBe('Weft');
  await update(shopTab.page).click();
  await expect.poll(() => wordmark(shopTab.page)).toBe('Warp');
  await shopTab.page.getByText('Cart, 2').waitFor();

  // Where somebody types, the old version goes on, whole, although the host has none of it.
  await ada.page.getByLabel('City').pressSequentially('go');
  expect(await wordmark(ada.page)).toBe('Weft');
  expect(await wordmark(letter.page)).toBe('Weft');
  expect(await email.inputValue()).toBe('ada@weft');
  const old = await letter.page.evaluate(async () => {
    const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
    return Promise.all(
      scripts.map(async ({ src }) => [(await fetch(src, { cache: 'no-store' })).status, src]),
    );
  });
  expect(old.length).toBeGreaterThan(0);
  for (const [status, src] of old) expect(status, String(src)).toBe(200);
  await letter.page
    .getByRole('button', { name: 'Send' })
    .or(letter.page.getByRole('main').getByRole('button'))
    .first()
    .click();

  await ada.page.getByLabel('City').blur();
  await expect.poll(() => wordmark(ada.page)).toBe('Warp');
  expect(await ada.page.getByLabel('Full name').inputValue()).toBe('Ada Weaver');
  expect(await ada.page.getByLabel('City').inputValue()).toBe('Chicago');
  await email.fill('');
  await email.blur();
  await expect.poll(() => wordmark(letter.page)).toBe('Warp');

  await context.unroute('**/rest/v1/rpc/push*');
  await shopTab.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => ada.cart()).toEqual({ A: 1, B: 1 });
  for (const each of [ada, shopTab, letter]) expect(each.complaints).toEqual([]);
});

test('an update that was put off leaves the tab alone, and is offered again at the next visit', async () => {
  const { page, complaints } = await openAt('/');
  await waitForWorker(page);
  await page.reload();
  deploy(next());
  await fetchNext(page);
  await prompt(page).waitFor();
  await page.getByRole('button', { name: 'Close this message' }).click();
  expect(await prompt(page).count()).toBe(0);
  await page.getByRole('link', { name: 'Cart', exact: true }).click();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  expect(await wordmark(page)).toBe('Weft');
  await page.reload();
  await prompt(page).waitFor();
  await update(page).click();
  await expect.poll(() => wordmark(page)).toBe('Warp');
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a tab that stays open is offered every new version, also after it has put one off', async () => {
  const { page, complaints } = await openAt('/');
  await waitForWorker(page);
  for (const version of [next(), third(), next()]) {
    deploy(version);
    await fetchNext(page);
    await prompt(page).waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await prompt(page).waitFor({ state: 'detached' });
  }
  deploy(third());
  await fetchNext(page);
  await prompt(page).waitFor();
  expect(await wordmark(page)).toBe('Weft');
  await update(page).click();
  await expect.poll(() => wordmark(page)).toBe('Selvage');
  expect(complaints).toEqual([]);
});

test(
  'an offer that a newer version has overtaken leads to the newer one',
  { tags: 'long' },
  async () => {
    const { page, complaints } = await openAt('/');
    await waitForWorker(page);
    await page.reload();
    await page.getByText(/^\d+ products?$/).waitFor();
    deploy(next());
    await fetchNext(page);
    await prompt(page).waitFor();
    deploy(third());
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const offered = registration.waiting;
      await registration.update();
      while (registration.waiting === offered) await new Promise((done) => setTimeout(done, 50));
    });
    await update(page).click();
    await expect.poll(() => wordmark(page)).toBe('Selvage');
    expect(complaints).toEqual([]);
  },
);

test(
  'what is offered waits behind a notice that matters more, and comes back after it',
  { tags: 'long' },
  async () => {
    const ada = await Shopper.come(home, context);
    const { page } = ada;
    await ada.logIn();
    await waitForWorker(page);
    await ada.add('Sock');
    await ada.goto('/cart');
    await page.getByRole('button', { name: /^Remove/ }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    deploy(next());
    await fetchNext(page);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).waiting !== null);
    await page.waitForTimeout(2000);
    expect(await prompt(page).count()).toBe(0);
    await undo.click();
    await prompt(page).waitFor();
    expect(ada.complaints).toEqual([]);
  },
);

test.each(['a page that has no worker', 'a page whose new version waits'])(
  'a screen whose script has gone with a deploy offers a way on: %s',
  async (which) => {
    const isWaiting = which.endsWith('waits');
    if (!isWaiting) {
      await context.close();
      context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block' });
    }
    const { page } = await openAt('/');
    if (isWaiting) {
      await waitForWorker(page);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    deploy(next());
    if (isWaiting) {
      await fetchNext(page);
      await prompt(page).waitFor();
      // The browser may clear a part of what it keeps.
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.clearBrowserCache');
      await page.evaluate(async () => {
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const key of await cache.keys()) {
            if (key.url.includes('/assets/account-')) await cache.delete(key);
          }
        }
      });
    }
    await page.getByRole('link', { name: 'Login', exact: true }).click();
    await page.getByText('This page did not arrive.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign In to Your Account' }).waitFor();
    expect(await wordmark(page)).toBe('Warp');
  },
);

test('a tab that stays open asks for a new version when it is looked at, at most once an hour', async () => {
  const { page, complaints } = await openAt('/');
  await waitForWorker(page);
  await page.clock.install();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitForWorker(page);
  await page.clock.runFor(1000);
  deploy(next());
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const hasNews = () =>
    page.evaluate(async () => {
      const { installing, waiting } = await navigator.serviceWorker.ready;
      return installing !== null || waiting !== null;
    });
  await look();
  await page.waitForTimeout(500);
  expect(await hasNews()).toBe(false);
  await page.clock.fastForward('01:01:00');
  await look();
  await expect.poll(hasNews).toBe(true);
  expect(complaints).toEqual([]);
});
