import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

let home: PayingShop;
let browser: Browser;
let context: BrowserContext;
let ada: Shopper;

beforeAll(async () => {
  home = await cleanShop();
  browser = await cleanBrowser();
});
beforeEach(async () => {
  await restock(home);
  await come({});
});
afterEach(async () => {
  expect(ada.complaints).toEqual([]);
  await Promise.all(browser.contexts().map((each) => each.close()));
});

async function come(options: BrowserContextOptions): Promise<void> {
  context = await browser.newContext({ viewport: PHONE, ...options });
  ada = await Shopper.come(home, context);
}

/** What the page has done with the platform, which emulators in the page write down. */
interface Platform {
  badges?: number[];
  asked?: number;
  shared?: unknown[];
}

const told = (page = ada.page) =>
  page.evaluate(() => (globalThis as unknown as { platform: Platform }).platform);

test('the badge shows how many pieces are in the cart, and goes at a logout', async () => {
  await context.addInitScript(() => {
    const platform: Platform = { badges: [] };
    Object.assign(globalThis, { platform });
    Object.assign(Navigator.prototype, {
      setAppBadge: async (count: number) => void platform.badges?.push(count),
    });
  });
  await ada.logIn();
  await ada.add('Sock');
  await ada.add('Scarf');
  const last = async () => (await told()).badges?.at(-1);
  await expect.poll(last).toBe(2);
  // Without anything unsaved, which a logout would ask about.
  await ada.goto('/cart');
  await ada.page.getByText('Saved', { exact: true }).waitFor();
  await expect.poll(last).toBe(2);
  await ada.page.getByRole('button', { name: /@weft.test|Account/ }).click();
  await ada.page.getByRole('button', { name: 'Logout' }).click();
  await expect.poll(last).toBe(0);
});

const invitation = () => ada.page.getByRole('status').getByText('Keep Weft on this device?');

/** The browser says that the shop can be installed. */
async function installable(): Promise<void> {
  await context.addInitScript(() => {
    const platform: Platform = { asked: 0 };
    Object.assign(globalThis, { platform });
    window.addEventListener('load', () => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      const prompt = async () => void (platform.asked = (platform.asked ?? 0) + 1);
      window.dispatchEvent(Object.assign(event, { prompt }));
    });
  });
}

test('the shop invites to install it after a first sign of interest, and never again once closed', async () => {
  await installable();
  await ada.logIn();
  await ada.page.waitForTimeout(2500);
  expect(await invitation().count(), 'not at a first visit').toBe(0);
  await ada.add('Sock');
  await invitation().waitFor();
  expect(await axeFindings(ada.page)).toEqual([]);
  await ada.page.getByRole('button', { name: 'Close this message' }).click();
  const later = await ada.also(context);
  await later.goto('/');
  await later.add('Scarf');
  await later.page.waitForTimeout(2500);
  expect(await later.page.getByText('Keep Weft').count()).toBe(0);
});

test('who comes back is invited, and the browser’s own question follows', async () => {
  await installable();
  await ada.goto('/');
  await ada.page.getByRole('article').first().waitFor();
  await ada.page.waitForFunction(() => sessionStorage.getItem('visited') !== null);
  await ada.page.close();
  ada = await ada.also(context);
  await ada.goto('/');
  await invitation().waitFor();
  await ada.page.getByRole('button', { name: 'Install', exact: true }).click();
  expect((await told()).asked).toBe(1);
});

test('the installed shop does not invite', async () => {
  await installable();
  await context.addInitScript(() => {
    const { matchMedia } = globalThis;
    // What a window of an installed app answers.
    globalThis.matchMedia = (query) =>
      matchMedia(query.replace('(display-mode: browser)', '(width < 0px)'));
  });
  await ada.logIn();
  await ada.add('Sock');
  await ada.page.waitForTimeout(2500);
  expect(await invitation().count()).toBe(0);
});

test('Safari on a phone is told how: Share, then Add to Home Screen', async () => {
  await context.close();
  await come({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1' });
  await context.addInitScript(() => {
    Object.assign(Navigator.prototype, { standalone: false });
  });
  await ada.logIn();
  await ada.add('Sock');
  await invitation().waitFor();
  expect(await invitation().textContent()).toContain('Tap Share, then “Add to Home Screen”.');
  await ada.page.getByRole('button', { name: 'Got it' }).click();
  expect(await invitation().count()).toBe(0);
});

const offlineLine = () => ada.page.getByText(/^Offline since /);

test(
  'one line says since when there is no network and what waits, and nothing moves for it',
  { tags: 'worker' },
  async () => {
    await ada.logIn();
    await waitForWorker(ada.page);
    const place = () =>
      ada.page.evaluate(() => {
        const card = document.querySelector('article');
        return card && card.getBoundingClientRect().top + window.scrollY;
      });
    const before = await place();
    expect(await offlineLine().count()).toBe(0);
    await context.setOffline(true);
    await expect
      .poll(() => offlineLine().textContent())
      .toMatch(/^Offline since \d{1,2}:\d\d[^.]*\.$/);
    await ada.page
      .getByText('You are offline. What you change is kept')
      .waitFor({ state: 'attached' });
    expect(await axeFindings(ada.page)).toEqual([]);
    await ada.add('Sock');
    await expect.poll(() => offlineLine().textContent()).toMatch(/ 1 change waits to be saved\.$/);
    await ada.add('Scarf');
    await expect.poll(() => offlineLine().textContent()).toMatch(/ 2 changes wait to be saved\.$/);
    expect(await place()).toBe(before);
    await context.setOffline(false);
    await expect.poll(() => offlineLine().count()).toBe(0);
    await expect.poll(() => ada.cart()).toEqual({ B: 1, C: 1 });
  },
);

test('the link to what is shown can be shared, or copied where nothing can be shared', async () => {
  await context.addInitScript(() => {
    const platform: Platform = { shared: [] };
    Object.assign(globalThis, { platform });
    Object.assign(Navigator.prototype, {
      share: async (data: unknown) => void platform.shared?.push(data),
    });
  });
  await ada.goto('/');
  await ada.page.getByRole('article').first().waitFor();
  const share = () => ada.page.getByRole('button', { name: 'Share this view' });
  expect(await share().count()).toBe(0);
  await ada.goto('/?category=Sock');
  await share().click();
  const url = `${home.line.url}/?category=Sock`;
  expect((await told()).shared).toEqual([{ title: expect.stringContaining('Weft'), url }]);

  await context.close();
  await come({ permissions: ['clipboard-read', 'clipboard-write'] });
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'share');
  });
  await ada.goto('/?category=Sock');
  await share().click();
  await ada.page.getByText('Link copied.').waitFor();
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  expect(await axeFindings(ada.page)).toEqual([]);
  const receiver = await ada.also(context);
  await receiver.page.goto(url);
  await expect.poll(() => receiver.page.getByRole('article').count()).toBe(1);
});
