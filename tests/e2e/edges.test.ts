import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DESKTOP, PHONE, waitForWorker } from '../browser/browser.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { fewOf } from '../share.ts';
import { cleanBrowser, workerFor } from './fixture.ts';

let shop: TestShop;
let line: Line;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: string;

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'weft-site-'));
  cpSync(SITE_FOLDER, site, { recursive: true });
  shop = await openTestShop({ siteFolder: site });
  browser = await cleanBrowser();
});
afterAll(async () => {
  await shop.close();
});
beforeEach(async ({ task }) => {
  await shop.backend.query('truncate public.products');
  line = await openLine(shop.url);
  context = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await line.close();
});

const shows = (count: number) =>
  page.getByText(`${count.toLocaleString('en-US')} products`).waitFor();
const tee = (i: number) => page.getByRole('article', { name: `Tee, size ${i}`, exact: true });
const scrollY = () => page.evaluate(() => Math.round(window.scrollY));
const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const search = () => page.locator('#header-search');
/** The scripts of the first screen: the small one, and all that draws. */
const HELD_ENTRY = /\/assets\/(paint|first)-.*\.js$/;

/** Without a worker, so that the test decides when the script arrives. */
async function withoutWorker(): Promise<void> {
  await context.close();
  context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block' });
  page = await context.newPage();
}

test('a shop whose script does not arrive says so and offers another attempt', async () => {
  await withoutWorker();
  await stock(shop.backend, numbered(3));
  await context.route(HELD_ENTRY, (route) => route.abort());
  await page.goto(line.url);
  await page.getByText('The shop did not arrive whole.').waitFor();
  await context.unroute(HELD_ENTRY);
  await page.getByRole('link', { name: 'Try again' }).click();
  await shows(3);
});

/** Bytes of the first visit after which the line goes. */
const CUTS = fewOf(3, [60_000, 165_000, 500, 150_000, 172_000, 180_000]);

test(
  'the line cut at any moment of the very first visit leaves a way on',
  { tags: 'worker' },
  async ({ task }) => {
    await stock(shop.backend, numbered(200));
    for (const bytes of CUTS) {
      const visitor = await browser.newContext({ viewport: DESKTOP, ...workerFor(task) });
      const first = await visitor.newPage();
      void line.cutAfter(bytes);
      await first.goto(line.url).catch(() => undefined);
      const isThere = first.getByText('200 products');
      const isBroken = first.getByText('The shop did not arrive whole.');
      await isThere
        .or(isBroken)
        .first()
        .waitFor({ timeout: 8000 })
        .catch(() => first.goto(line.url));
      if (await isBroken.isVisible()) await first.reload();
      await isThere.waitFor();
      await visitor.close();
    }
  },
);

test('a page that is opened anew starts at its top, and the skip link does not move it', async () => {
  await stock(shop.backend, numbered(3000));
  await page.goto(line.url);
  await shows(3000);
  await page.mouse.wheel(0, 6000);
  await expect.poll(scrollY).toBeGreaterThan(5000);
  await page.waitForFunction(() => sessionStorage.length > 0);
  await page.goto(`${line.url}/?category=Men`);
  await shows(1500);
  expect(await scrollY()).toBe(0);
  await page.mouse.wheel(0, 1500);
  await expect.poll(scrollY).toBeGreaterThan(1000);
  await page.getByRole('link', { name: 'Women', exact: true }).click();
  await expect.poll(scrollY).toBe(0);
  await page.mouse.wheel(0, 1500);
  await expect.poll(scrollY).toBeGreaterThan(1000);
  await page.locator('a[href="#main"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  expect(await scrollY()).toBeLessThan(1600);
});

test('the focus stays with its card when that is scrolled away, and Tab goes on from there', async () => {
  await stock(shop.backend, numbered(2000));
  await page.goto(line.url);
  await shows(2000);
  await page.getByRole('button', { name: 'Favourite: Tee, size 3', exact: true }).focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await expect.poll(scrollY).toBeGreaterThan(2000);
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('Add to Cart: Tee, size 3');
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('Favourite: Tee, size 4');
});

test('a turned phone keeps the product at its top, and the focus', async () => {
  await stock(shop.backend, numbered(2000));
  await page.setViewportSize(PHONE);
  await page.goto(line.url);
  await shows(2000);
  await page.evaluate(() => window.scrollTo(0, 40_000));
  const atTop = () =>
    page.evaluate(() => {
      const cell = document.elementFromPoint(20, 120)?.closest('[aria-posinset]');
      return Number(cell?.getAttribute('aria-posinset'));
    });
  await expect.poll(atTop).toBeGreaterThan(100);
  const before = await atTop();
  await page.getByRole('button', { name: `Favourite: Tee, size ${before}`, exact: true }).focus();
  const label = await focusedLabel();
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForFunction(() => document.querySelector('[data-row]')?.childElementCount === 4);
  await expect.poll(async () => Math.abs((await atTop()) - before)).toBeLessThan(8);
  expect(await focusedLabel()).toBe(label);
});

test('the kept first screen stands before the script, can be scrolled and typed into, and gives way', async () => {
  await withoutWorker();
  await stock(shop.backend, numbered(300));
  await page.goto(line.url);
  await shows(300);
  await tee(0)
    .getByRole('button', { name: /Add to Cart/ })
    .click();
  await page.goto('about:blank');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.unrouteAll();
  await context.route(HELD_ENTRY, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(line.url, { waitUntil: 'commit' });
  await tee(0).waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['']);
  await search().pressSequentially('size');
  release();
  await expect.poll(() => page.evaluate(() => location.search)).toBe('?q=size');
  expect(await search().inputValue()).toBe('size');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('header-search');
});

test('a first screen kept under another stylesheet is not shown', async () => {
  await withoutWorker();
  await stock(shop.backend, numbered(30));
  await page.goto(line.url);
  await shows(30);
  await page.goto('about:blank');
  await page.goto(`${line.url}/404.html`);
  const keepUnder = (style: string | null) =>
    page.evaluate((other) => {
      const kept = JSON.parse(localStorage.getItem('first-screen') ?? '{}') as {
        style: string;
        html: string;
      };
      if (other !== null) {
        // Told from what a first visit is shown by another heading.
        const html = kept.html.replace('New Arrivals', 'Kept Arrivals');
        localStorage.setItem('first-screen', JSON.stringify({ ...kept, html, style: other }));
      }
      return kept.style;
    }, style);
  const own = await keepUnder(null);
  await context.route(HELD_ENTRY, (route) => route.abort());
  for (const [style, count] of [
    ['/assets/old.css', 0],
    [own, 1],
  ] as const) {
    await keepUnder(style);
    await page.goto(line.url);
    const kept = page.getByRole('heading', { name: 'Kept Arrivals' });
    expect(await kept.count(), style).toBe(count);
    await page.goto(`${line.url}/404.html`);
  }
});

test('nothing moves when React takes the kept screen over', async () => {
  await withoutWorker();
  await stock(shop.backend, numbered(300));
  await page.goto(line.url);
  await shows(300);
  await page.goto('about:blank');
  await context.addInitScript(() => {
    const shifts = { total: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.total += (entry as PerformanceEntry & { value: number }).value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(line.url);
  await shows(300);
  await page.waitForFunction(() => {
    const root = document.getElementById('root');
    return root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
  const total = await page.evaluate(
    () => (globalThis as unknown as { shifts: { total: number } }).shifts.total,
  );
  expect(total).toBeLessThan(0.01);
});

test(
  'pictures of the first visit are there offline, new ones replace old ones, and the store is capped',
  { tags: 'worker' },
  async () => {
    await stock(shop.backend, [
      { SKC: 'A', 'Category 1': 'Tee', 'Images link': '/pictures/none.svg?a' },
      ...Array.from({ length: 450 }, (_, i) => ({
        SKC: `P-${i}`,
        'Category 1': 'Sock',
        'Images link': `/pictures/none.svg?n=${i}`,
      })),
    ]);
    await page.goto(line.url);
    await shows(451);
    await waitForWorker(page);
    const kept = () =>
      page.evaluate(async () =>
        (await (await caches.open('pictures')).keys()).map(({ url }) => url),
      );
    await expect.poll(async () => (await kept()).some((url) => url.endsWith('?a'))).toBe(true);

    writeFileSync(
      join(site, 'pictures/fresh.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="5"/>',
    );
    await stock(shop.backend, [{ SKC: 'A', 'Images link': '/pictures/fresh.svg' }]);
    await page.goto('about:blank');
    await page.goto(line.url);
    await page.locator('img[src="/pictures/fresh.svg"]').waitFor();
    for (let y = 0; y < 60_000; y += 700) {
      await page.evaluate((to) => window.scrollTo(0, to), y);
      await page.waitForTimeout(30);
    }
    await expect.poll(async () => (await kept()).length, { timeout: 10_000 }).toBeGreaterThan(100);
    expect((await kept()).length).toBeLessThanOrEqual(401);
    const types = await page.evaluate(async () => {
      const cache = await caches.open('pictures');
      const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
      return [...new Set(answers.map((answer) => answer?.type))];
    });
    expect(types).not.toContain('opaque');
  },
);

test(
  'pictures from hosts with and without CORS are shown, and only the former are kept',
  { tags: 'worker' },
  async () => {
    const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="5"/>';
    const hosts = [true, false].map((allows) =>
      createServer((_, response) => {
        const cors = allows ? { 'access-control-allow-origin': '*' } : {};
        response.writeHead(200, { 'content-type': 'image/svg+xml', ...cors }).end(SVG);
      }),
    );
    const links = await Promise.all(
      hosts.map(async (host) => {
        await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
        return `http://127.0.0.1:${(host.address() as AddressInfo).port}/x.svg`;
      }),
    );
    await stock(
      shop.backend,
      links.map((link, i) => ({ SKC: `H-${i}`, 'Category 1': 'Tee', 'Images link': link })),
    );
    await page.goto(line.url);
    await shows(2);
    await waitForWorker(page);
    await page.reload();
    const loaded = () =>
      page.evaluate(() => [...document.images].map(({ src, naturalWidth }) => [src, naturalWidth]));
    await expect.poll(loaded).toEqual(links.map((link) => [link, 4]));
    const kept = () =>
      page.evaluate(async () =>
        (await (await caches.open('pictures')).keys()).map(({ url }) => url),
      );
    await expect.poll(kept).toEqual([links[0]]);
    for (const host of hosts) host.close();
  },
);

test('someone who types on and leaves for the cart stays in the cart', async () => {
  await stock(shop.backend, numbered(3));
  await page.goto(line.url);
  await shows(3);
  await search().pressSequentially('x'.repeat(45));
  await page.getByRole('link', { name: 'Cart', exact: true }).click();
  await page.waitForTimeout(1000);
  expect(await page.evaluate(() => location.pathname)).toBe('/cart');
});

test('the box and the address agree after a letter that was taken back, and a space is no search', async () => {
  await stock(shop.backend, numbered(3));
  await page.goto(`${line.url}/cart`);
  await page.getByRole('link', { name: 'Weft' }).click();
  await shows(3);
  await search().press('Space');
  expect(await page.evaluate(() => location.search)).toBe('');
  await search().fill('');
  await page.evaluate(() => {
    const box = document.querySelector<HTMLInputElement>('#header-search');
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (const value of ['t', '']) {
      set?.call(box, value);
      box?.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await page.goBack();
  await expect
    .poll(async () => [await search().inputValue(), await page.evaluate(() => location.search)])
    .toEqual(['t', '?q=t']);
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
});

test('what was found, or that nothing was, is said in a live region', async () => {
  await stock(shop.backend, numbered(3));
  await page.goto(line.url);
  const outcomes = page.getByRole('main').getByRole('status');
  await expect.poll(() => outcomes.allTextContents()).toEqual(['3 products', '']);
  await search().fill('zebra');
  await expect
    .poll(() => outcomes.allTextContents())
    .toEqual(['', 'No products found for All matching “zebra”.']);
});

test('the chosen chip is in view on a phone, and all of them can be laid out', async () => {
  await stock(
    shop.backend,
    Array.from({ length: 30 }, (_, i) => ({ SKC: `C-${i}`, 'Category 1': `Garment ${i}` })),
  );
  await page.setViewportSize(PHONE);
  await page.goto(`${line.url}/?category=Garment+9`);
  const chip = page.locator('[aria-current="true"]');
  await expect.poll(async () => (await chip.boundingBox())?.x ?? 9999).toBeLessThan(390);
  const toggle = page.getByRole('button', { name: 'All categories' });
  await toggle.click();
  const box = await page.getByRole('link', { name: 'Garment 0', exact: true }).boundingBox();
  expect(box && box.x < 390).toBe(true);
});

test('a category for every product gives a page that can still be used', async () => {
  await stock(
    shop.backend,
    Array.from({ length: 3000 }, (_, i) => ({ SKC: `C-${i}`, 'Category 1': `Garment ${i}` })),
  );
  await page.goto(`${line.url}/?category=Garment+2999`);
  await page.getByText('1 product', { exact: true }).waitFor();
  expect(await page.locator('[aria-current="true"]').textContent()).toBe('Garment 2999');
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500);
});

test('a catalogue that is damaged on the device is loaded again', async () => {
  await stock(shop.backend, numbered(60));
  await page.goto(line.url);
  await shows(60);
  await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('weft');
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction('chunks', 'readwrite').objectStore('chunks');
    await new Promise<void>((resolve) => {
      const request = store.getAll();
      request.onsuccess = () => {
        for (const chunk of request.result as object[]) store.put({ ...chunk, rows: '{"broken' });
        store.transaction.oncomplete = () => resolve();
      };
    });
    db.close();
  });
  await page.reload();
  await search().fill('s-000059');
  await page.getByText('1 product', { exact: true }).waitFor();
  await tee(59).waitFor();
});
