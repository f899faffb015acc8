import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DESKTOP, waitForWorker } from '../browser/browser.ts';
import { type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

const TAG = 'weft-outbox';

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
  context = await browser.newContext({ viewport: DESKTOP });
  ada = await Shopper.come(home, context);
  await ada.logIn();
  await waitForWorker(ada.page);
});
afterEach(async () => {
  home.line.up();
  await context.close();
});

/** Speaks for the platform, from a page that is not the shop's. */
async function platform(): Promise<{ devtools: CDPSession; registrationId: string }> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, scopeURL } of registrations) {
        if (scopeURL.startsWith(home.line.url)) resolve(registrationId);
      }
    });
  });
  await devtools.send('ServiceWorker.enable');
  return { devtools, registrationId: await found };
}

async function dispatchSync(): Promise<void> {
  const { devtools, registrationId } = await platform();
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: home.line.url,
    registrationId,
    tag: TAG,
    lastChance: false,
  });
}

test('a tap made without a line asks the platform to send it later', async () => {
  // The platform may use a tag up at once, so what counts is that it was asked.
  await ada.page.addInitScript(() => {
    const { prototype } = (globalThis as unknown as { SyncManager: { prototype: SyncManager } })
      .SyncManager;
    const register = prototype.register;
    prototype.register = function (this: SyncManager, tag: string) {
      document.documentElement.dataset['asked'] = tag;
      return register.call(this, tag);
    };
    interface SyncManager {
      register(tag: string): Promise<void>;
    }
  });
  await ada.page.reload();
  await waitForWorker(ada.page);
  const asked = () => ada.page.evaluate(() => document.documentElement.dataset['asked']);
  expect(await asked()).toBeUndefined();
  home.line.down();
  await ada.page.getByRole('button', { name: 'Add to Cart: Sock' }).click();
  await expect.poll(() => ada.count()).toBe(1);
  await expect.poll(asked).toBe(TAG);
});

test('a tap made in a tunnel arrives once though the shop was closed, and the next visit knows it', async () => {
  home.line.down();
  await ada.page.getByRole('button', { name: 'Add to Cart: Sock' }).click();
  await expect.poll(() => ada.count()).toBe(1);
  await ada.page.close();
  home.line.up();
  expect(await ada.cart()).toEqual({});
  await dispatchSync();
  await expect.poll(() => ada.cart()).toEqual({ B: 1 });
  await dispatchSync();

  const again = await ada.also(context);
  await again.goto('/cart');
  await again.page.getByRole('main').getByText('Saved').waitFor();
  expect(await again.count()).toBe(1);
  expect(await ada.cart()).toEqual({ B: 1 });
  expect(again.complaints).toEqual([]);
});

test('an open page is asked first', async () => {
  await context.route('**/rest/v1/rpc/push*', (route) => route.abort());
  await ada.page.getByRole('button', { name: 'Add to Cart: Sock' }).click();
  await expect.poll(() => ada.count()).toBe(1);
  // Long enough for the page's own attempts to be far apart.
  await ada.page.waitForTimeout(3000);
  let asked = 0;
  await context.unroute('**/rest/v1/rpc/push*');
  ada.page.on('request', (request) => {
    if (request.url().includes('rpc/push')) asked += 1;
  });
  await dispatchSync();
  await expect.poll(() => ada.cart()).toEqual({ B: 1 });
  expect(asked).toBeGreaterThan(0);
});

test('with a worn-out token nothing is sent and nothing is renewed', async () => {
  home.line.down();
  await ada.page.getByRole('button', { name: 'Add to Cart: Sock' }).click();
  await expect.poll(() => ada.count()).toBe(1);
  // A page without the shop, which would renew it.
  await ada.goto('/404.html');
  const worn = await session(ada.page, { expires_at: 1 });
  await ada.page.close();
  home.line.up();
  await dispatchSync();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await ada.cart()).toEqual({});
  const page = await context.newPage();
  await page.goto(`${home.line.url}/404.html`);
  expect(await session(page, {})).toEqual(worn);
});

/** Changes the stored session, and answers it. */
function session(page: Page, change: object): Promise<unknown> {
  return page.evaluate(async (fields) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction('session', 'readwrite').objectStore('session');
    const changed = await new Promise<object>((resolve) => {
      const request = store.get('weft-session');
      request.onsuccess = () => {
        const row = request.result as { key: string; value: string };
        const next = { ...(JSON.parse(row.value) as object), ...fields };
        store.put({ ...row, value: JSON.stringify(next) });
        store.transaction.oncomplete = () => resolve(next);
      };
    });
    db.close();
    return changed;
  }, change);
}
