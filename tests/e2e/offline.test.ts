import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  complaintsOf,
  DESKTOP,
  launchProfile,
  newProfileFolder,
  waitForWorker,
} from '../browser/browser.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { fewOf } from '../share.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

let shop: TestShop;
let line: Line;
let browser: Browser;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  browser = await cleanBrowser();
});
beforeEach(async () => {
  await shop.backend.query('truncate public.products');
  line = await openLine(shop.url);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await line.close();
});

async function visit(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(line.url + path);
  return page;
}

const shows = (page: Page, count: number) =>
  page.getByText(`${count.toLocaleString('en-US')} products`).waitFor();

/** Everything the device holds, by stock code and price, read as the app reads it. */
function heldOn(page: Page): Promise<[string, number][]> {
  return page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const all = <T>(store: string) =>
      new Promise<T[]>((resolve) => {
        const request = db.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result as T[]);
      });
    const products = new Map<number, [string, number]>();
    for (const chunk of await all<{ rows: string; ids: number[]; removed: number[] }>('chunks')) {
      for (const id of chunk.removed) products.delete(id);
      for (const row of chunk.ids.length > 0 ? chunk.rows.split('\n') : []) {
        const fields = JSON.parse(row) as [number, string, ...unknown[]];
        products.set(fields[0], [fields[1], fields[8] as number]);
      }
    }
    db.close();
    return [...products.values()].sort(([a], [b]) => (a < b ? -1 : 1));
  });
}

async function sold(): Promise<[string, number][]> {
  const rows = await shop.backend.query(
    `select "SKC" as skc, "Retail Price"::float8 as price from public.products order by "SKC"`,
  );
  return rows.map((row) => [row['skc'], row['price']] as [string, number]);
}

test(
  'after one visit the whole shop opens in a restarted browser with the server gone',
  { tags: 'worker' },
  async () => {
    await stock(shop.backend, numbered(300));
    const profile = newProfileFolder();
    const first = await launchProfile(profile);
    const page = await visit(first);
    await shows(page, 300);
    await waitForWorker(page);
    await first.close();

    line.down();
    const second = await launchProfile(profile);
    const again = await second.newPage();
    const complaints = complaintsOf(again);
    await again.goto(`${line.url}/cart`);
    expect(await again.getByRole('heading', { level: 1 }).textContent()).toBe('Shopping Cart');
    await again.goto(line.url);
    await shows(again, 300);
    await again.getByRole('link', { name: 'Women', exact: true }).click();
    await shows(again, 150);
    await again.locator('#catalogue-search').fill('tee 00028');
    await shows(again, 6);
    expect(await again.getByRole('article').count()).toBe(6);
    for (const path of ['/login', '/admin/import', '/orders', '/?category=Men&q=tee']) {
      await again.goto(line.url + path);
      await again.getByRole('heading', { level: 1 }).waitFor();
    }
    await again.goto(`${line.url}/nowhere`);
    expect(await again.getByRole('heading').textContent()).toBe('Page not found');
    expect(complaints).toEqual([]);
    await second.close();
  },
);

/** Products that compress badly, so that a load has enough bytes to be cut in. */
const unlike = (count: number) =>
  numbered(count).map((row) => ({ ...row, 'Fabric Composition': randomUUID() }));

test.each(fewOf(1, [2501, 10_000]))(
  '%i products arrive whole, none twice, though the line was cut three times; then changes follow',
  async (count) => {
    await stock(shop.backend, unlike(count));
    const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
    // The page itself comes whole; only then is the line for products laid, and cut.
    await context.route('**/rest/v1/**', (route) => route.abort());
    const page = await visit(context);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    const cutAt = Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * count * 4));
    console.log(`cut after ${cutAt.join(', then ')} bytes`);
    let cut = line.cutAfter(cutAt[0] ?? 1);
    await context.unroute('**/rest/v1/**');
    for (const bytes of [...cutAt.slice(1), null]) {
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      await cut;
      if (bytes !== null) cut = line.cutAfter(bytes);
    }
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await shows(page, count);
    await page.waitForFunction(async () => {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('weft');
        request.onsuccess = () => resolve(request.result);
      });
      const state = await new Promise<{ load: unknown }>((resolve) => {
        const request = db.transaction('meta').objectStore('meta').get('catalogue');
        request.onsuccess = () => resolve(request.result as { load: unknown });
      });
      db.close();
      return state.load === null;
    });
    expect(await heldOn(page)).toEqual(await sold());

    await context.setOffline(true);
    await stock(shop.backend, [{ SKC: 'S-000000', Size: '0', 'Retail Price': 77.7 }]);
    await shop.backend.query(`delete from public.products where "SKC" = 'S-000001'`);
    await context.setOffline(false);
    await shows(page, count - 1);
    const first = page.getByRole('article', { name: 'Tee, size 0', exact: true });
    expect(await first.textContent()).toContain('$77.70');
    expect(await page.getByRole('article', { name: 'Tee, size 1', exact: true }).count()).toBe(0);
    expect(await heldOn(page)).toEqual(await sold());
  },
);

test('two tabs stay alike, whichever of them hears of the change', async () => {
  await stock(shop.backend, numbered(20));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  const one = await visit(context);
  await shows(one, 20);
  const two = await visit(context, '/?category=Women');
  await shows(two, 10);
  await stock(shop.backend, numbered(22));
  await one.evaluate(() => window.dispatchEvent(new Event('online')));
  await shows(one, 22);
  await shows(two, 11);
});

test('a shop that cannot be reached at all says so, and opens by itself or on request', async () => {
  await stock(shop.backend, numbered(5));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  let attempts = 0;
  await context.route('**/rest/v1/**', async (route) => {
    attempts += 1;
    await route.abort();
  });
  const page = await visit(context);
  const box = page.getByRole('alert').filter({ hasText: 'Error' });
  await box.getByText('An unexpected error occurred while fetching products.').waitFor();
  expect(await box.getByRole('heading').textContent()).toBe('Error');
  // By then the shop's own next attempt is far enough away.
  await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThan(5);
  await context.unroute('**/rest/v1/**');
  await box.getByRole('button', { name: 'Try again' }).click();
  await shows(page, 5);
  expect(await box.count()).toBe(0);
});

test('a refusal of the backend is shown in its own words', async () => {
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  await context.route('**/rest/v1/**', (route) =>
    route.fulfill({ status: 500, json: { code: '53100', message: 'could not extend file' } }),
  );
  const page = await visit(context);
  await page.getByText('Failed to load products: could not extend file').waitFor();
});

test('while nothing has come yet the page says Loading products..., and no empty shop is shown', async () => {
  await stock(shop.backend, numbered(5));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route(/rest.v1.(products|rpc.catalogue_page)/, async (route) => {
    await asked;
    await route.continue();
  });
  const page = await visit(context);
  await page.getByText('Loading products...').waitFor();
  expect(await page.getByText('No products found').count()).toBe(0);
  answer();
  await shows(page, 5);
  expect(await page.getByText('Loading products...').count()).toBe(0);
});

const KEPT_NOTHING = 'This browser is not keeping the shop on this device';

test('with IndexedDB blocked the shop works from memory and says so', async () => {
  await stock(shop.backend, numbered(1200));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
  });
  const page = await visit(context);
  await shows(page, 1200);
  await page.getByText(KEPT_NOTHING).waitFor();
  await page.locator('#header-search').fill('tee s-001199');
  await page.getByText('1 product', { exact: true }).waitFor();
});

test('with the disk full the products are shown from memory, and the page says so', async () => {
  await stock(shop.backend, numbered(3000));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: line.url, quotaSize: 50_000 });
  await page.goto(line.url);
  await shows(page, 3000);
  await page.getByText('This browser is not keeping the products on this device').waitFor();
});

test('with the database deleted under an open page, what is shown stays and the rest comes back', async () => {
  await stock(shop.backend, numbered(50));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  const page = await visit(context);
  await shows(page, 50);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: line.url,
    storageTypes: 'indexeddb',
  });
  expect(await page.getByText('50 products').count()).toBe(1);
  await stock(shop.backend, numbered(51));
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await shows(page, 51);
});

test('with 10,000 products there are never more than 1,500 nodes, and the tab order is whole', async () => {
  await stock(shop.backend, numbered(10_000));
  const context = await browser.newContext({
    viewport: { width: 1920, height: 1200 },
    ...workerFor(),
  });
  const page = await visit(context);
  await shows(page, 10_000);
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (const share of [0, 0.1, 0.37, 0.62, 0.99, 1]) {
    await page.evaluate((y) => window.scrollTo(0, y), share * height);
    await page.waitForFunction(() => {
      const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      return seen?.closest('article, footer') !== null;
    });
    expect(await nodes()).toBeLessThan(1500);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('article', { name: 'Tee, size 0', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Favourite: Tee, size 0', exact: true }).focus();
  for (let i = 1; i < 200; i++) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const kind = i % 2 === 0 ? 'Favourite' : 'Add to Cart';
    expect(label).toBe(`${kind}: Tee, size ${Math.floor(i / 2)}`);
  }
  const cell = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('article', { name: 'Tee, size 99', exact: true }) });
  expect(await cell.getAttribute('aria-posinset')).toBe('100');
  expect(await cell.getAttribute('aria-setsize')).toBe('10000');
});

test('one comes back to the place one had scrolled to, from another screen and after a reload', async () => {
  await stock(shop.backend, numbered(5000));
  const context = await browser.newContext({ viewport: DESKTOP, ...workerFor() });
  const page = await visit(context);
  await shows(page, 5000);
  const scroll = () => page.evaluate(() => Math.round(window.scrollY));
  await page.mouse.wheel(0, 60_000);
  await page.waitForFunction(() => scrollY > 30_000 && sessionStorage.length > 0);
  const place = await scroll();
  await page.getByRole('link', { name: 'Cart', exact: true }).click();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  expect(await scroll()).toBe(0);
  await page.goBack();
  await page.getByRole('article').first().waitFor();
  expect(await scroll()).toBe(place);
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await page.waitForFunction((y) => Math.round(scrollY) === y, place);
  await page.goto(`${line.url}/login`);
  await page.goBack();
  await page.getByRole('article').first().waitFor();
  await page.waitForFunction((y) => Math.round(scrollY) === y, place);
});

test(
  'a new version waits for the old tabs to close, and takes nothing away from them',
  { tags: ['long', 'worker'] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-site-'));
    await buildSite(folder, { VITE_STORE_NAME: 'Warp' });
    const next = await openTestShop({ siteFolder: folder });
    await stock(shop.backend, numbered(5));
    const context = await browser.newContext({ viewport: DESKTOP });
    const page = await visit(context);
    const complaints = complaintsOf(page);
    await shows(page, 5);
    await waitForWorker(page);
    await page.reload();
    await shows(page, 5);

    line.leadTo(next.url);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    const wordmark = (tab: Page) => tab.getByRole('banner').getByRole('link').first().textContent();
    await page.getByRole('link', { name: 'Cart', exact: true }).click();
    expect(await wordmark(page)).toBe('Weft');
    const lazy = readdirSync(join(SITE_FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
    expect(lazy.length).toBeGreaterThan(1);
    for (const name of lazy) {
      const status = await page.evaluate(
        async (url) => (await fetch(url)).status,
        `/assets/${name}`,
      );
      expect(status, `${name} of the old version is still to be had`).toBe(200);
    }
    await page.reload();
    expect(await wordmark(page), 'a reload beside a waiting version stays whole').toBe('Weft');
    expect(complaints).toEqual([]);

    // The browser takes a moment to see that nobody uses the old version any more.
    await expect
      .poll(
        async () => {
          await page.goto('about:blank');
          await page.goto(line.url);
          return wordmark(page);
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe('Warp');
    await next.close();
  },
);

test(
  'unknown files and addresses are a true 404, and never the shell',
  { tags: 'worker' },
  async () => {
    const context = await browser.newContext({ viewport: DESKTOP });
    const page = await visit(context);
    await waitForWorker(page);
    for (const path of [
      '/ads.txt',
      '/.well-known/ai-catalog.json',
      '/assets/none.js',
      '/nowhere',
    ]) {
      const status = await page.evaluate(async (url) => (await fetch(url)).status, path);
      expect(status, path).toBe(404);
    }
    const answer = await page.goto(`${line.url}/nowhere`);
    expect(answer?.status()).toBe(404);
    expect(await page.getByRole('heading').textContent()).toBe('Page not found');
  },
);
