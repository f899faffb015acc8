/** Rare situations of the catalogue: scrolling, focus, pictures, search, damaged data. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { cachedPictures, putRows, storedRows } from '../browser/device-store.ts';
import { hold } from '../browser/hold.ts';
import { listen } from '../browser/listen.ts';
import { waitForReact } from '../browser/observe.ts';
import { layoutShift } from '../browser/shown.ts';
import { numbered, type StockRow } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  pageErrors,
  context,
  line,
  page,
  restock,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach();

/** The card of a product that `numbered` makes. */
const tee = (i: number) => page.getByRole('article', { name: `Tee, size ${i}`, exact: true });
const scrollY = () => page.evaluate(() => Math.round(window.scrollY));
const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const search = () => page.locator('#header-search');
/** The scripts of the first screen: `paint`, which draws products, and `first`, which is React. */
const FIRST_SCRIPTS = /\/assets\/(paint|first)-.*\.js$/;

/** A picture of 4 by 5 pixels. */
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="5"/>';

/** Stocks the shop with these products, opens the catalogue and waits until it shows them all. */
async function openCatalogueOf(products: readonly StockRow[]): Promise<void> {
  await restock(products);
  await ada.openCatalogue(products.length);
}

test(
  'a newly opened page starts at its top, and the skip link scrolls it no further down',
  { tags: 'long' },
  async () => {
    await openCatalogueOf(numbered(3000));
    await page.mouse.wheel(0, 1500);
    await expect.poll(scrollY).toBeGreaterThan(1000);
    await page.getByRole('link', { name: 'Women', exact: true }).click();
    await expect.poll(scrollY).toBe(0);
    await page.mouse.wheel(0, 1500);
    await expect.poll(scrollY).toBeGreaterThan(1000);
    await page.locator('a[href="#main"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(200);
    expect(await scrollY()).toBeLessThan(1600); // the wheel has scrolled to 1500
  },
);

test('the catalogue keeps its scroll position after a reload', { tags: 'long' }, async () => {
  await openCatalogueOf(numbered(5000));
  await page.mouse.wheel(0, 60_000);
  await page.waitForFunction(() => window.scrollY > 30_000 && sessionStorage.length > 0);
  const position = await scrollY();
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await page.waitForFunction((y) => Math.round(window.scrollY) === y, position);
});

test(
  'with 10,000 products a page has fewer than 1,500 elements, and Tab reaches the cards in order',
  { tags: 'long' },
  async () => {
    await restock(numbered(10_000));
    await changeDevice({ viewport: { width: 1920, height: 1200 } });
    await ada.openCatalogue(10_000);
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (const share of [0, 0.1, 0.37, 0.62, 0.99, 1]) {
      await page.evaluate((y) => window.scrollTo(0, y), share * height);
      await page.waitForFunction(() => {
        const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
        return middle?.closest('article, footer') !== null;
      });
      expect(await nodes()).toBeLessThan(1500);
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Favourite: Tee, size 0', exact: true }).focus();
    for (let i = 1; i < 100; i++) {
      await page.keyboard.press('Tab');
      const words = ['Favourite:', 'View', 'Add to Cart:'][i % 3];
      expect(await focusedLabel()).toBe(`${words} Tee, size ${Math.floor(i / 3)}`);
    }
  },
);

test('the focus stays on its card when the card is scrolled away, and Tab continues from there', async () => {
  await openCatalogueOf(numbered(2000));
  await page.getByRole('button', { name: 'Favourite: Tee, size 3', exact: true }).focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await expect.poll(scrollY).toBeGreaterThan(2000);
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('View Tee, size 3');
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('Add to Cart: Tee, size 3');
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('Favourite: Tee, size 4');
});

test('a phone that is turned keeps the product at its top', { tags: 'long' }, async () => {
  await restock(numbered(2000));
  await page.setViewportSize(PHONE);
  await ada.openCatalogue(2000);
  await page.evaluate(() => window.scrollTo(0, 40_000));
  /** The position in the catalogue, from 1, of the product at the top. */
  const positionAtTop = () =>
    page.evaluate(() => {
      const cell = document.elementFromPoint(20, 120)?.closest('[aria-posinset]');
      return Number(cell?.getAttribute('aria-posinset'));
    });
  await expect.poll(positionAtTop).toBeGreaterThan(100);
  const position = await positionAtTop();
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForFunction(() => document.querySelector('[data-row]')?.childElementCount === 4);
  // Two rows of four
  await expect.poll(async () => Math.abs((await positionAtTop()) - position)).toBeLessThan(8);
});

test('the stored first screen is shown before the scripts, and a search typed into it takes effect', async () => {
  await changeDevice({ serviceWorkers: 'block' });
  await openCatalogueOf(numbered(300));
  await tee(0)
    .getByRole('button', { name: /Add to Cart/ })
    .click();
  await page.goto('about:blank');
  const release = await hold(context, FIRST_SCRIPTS);
  await page.goto(line.url, { waitUntil: 'commit' });
  await tee(0).waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['']);
  await search().pressSequentially('size');
  release();
  await expect.poll(() => page.evaluate(() => location.search)).toBe('?q=size');
  expect(await search().inputValue()).toBe('size');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('header-search');
});

test('a first screen that was stored with another stylesheet is not shown', async () => {
  await changeDevice({ serviceWorkers: 'block' });
  await openCatalogueOf(numbered(300));
  await page.goto('about:blank');
  await ada.goto('/404.html'); // of the shop's origin, and runs no script that would store a screen
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('first-screen') ?? '') as object;
    localStorage.setItem('first-screen', JSON.stringify({ ...stored, style: '/assets/old.css' }));
  });
  await context.route(FIRST_SCRIPTS, (route) => route.abort());
  await ada.goto('/');
  expect(await page.getByRole('article').count()).toBe(0);
});

test('nothing moves when React takes over the stored first screen', async () => {
  await changeDevice({ serviceWorkers: 'block' });
  await openCatalogueOf(numbered(300));
  await page.goto('about:blank');
  await ada.openCatalogue(300);
  await waitForReact(page);
  expect(await layoutShift(page)).toBeLessThan(0.01);
});

test(
  'pictures of hosts with and without CORS are shown, and only those with CORS are stored',
  { tags: ['worker', 'long'] },
  async () => {
    const hosts = [true, false].map((allowsCors) =>
      createServer((_, response) => {
        const cors = allowsCors ? { 'access-control-allow-origin': '*' } : {};
        response.writeHead(200, { 'content-type': 'image/svg+xml', ...cors }).end(SVG);
      }),
    );
    const links = await Promise.all(
      hosts.map(async (host) => `http://127.0.0.1:${await listen(host)}/x.svg`),
    );
    await openCatalogueOf(
      links.map((link, i) => ({ SKC: `H-${i}`, 'Category 1': 'Tee', 'Images link': link })),
    );
    await waitForWorker(page);
    await page.reload();
    const loaded = () =>
      page.evaluate(() => [...document.images].map(({ src, naturalWidth }) => [src, naturalWidth]));
    await expect.poll(loaded).toEqual(links.map((link) => [link, 4]));
    await expect.poll(() => cachedPictures(page)).toEqual([links[0]]);
    for (const host of hosts) host.close();
    pageErrors.length = 0; // the browser reports the host without CORS
  },
);

test('a shopper who opens the cart while typing a search stays in the cart', async () => {
  await openCatalogueOf(numbered(3));
  // More letters than the address takes at once, so some of them wait.
  await search().pressSequentially('x'.repeat(45));
  await page.getByRole('link', { name: 'Cart', exact: true }).click();
  await page.waitForTimeout(1000);
  expect(await page.evaluate(() => location.pathname)).toBe('/cart');
});

test('a live region says how many products were found, or that there are none', async () => {
  await restock(numbered(3));
  await ada.goto('/');
  const outcomes = page.getByRole('main').getByRole('status');
  await expect.poll(() => outcomes.allTextContents()).toEqual(['3 products', '']);
  await search().fill('zebra');
  await expect
    .poll(() => outcomes.allTextContents())
    .toEqual(['', 'No products found for All matching “zebra”.']);
});

/** Products that each have a category of their own. */
const eachInOwnCategory = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ SKC: `C-${i}`, 'Category 1': `Garment ${i}` }));

test('the chosen chip is in view on a phone, and a button shows all chips', async () => {
  await restock(eachInOwnCategory(30));
  await page.setViewportSize(PHONE);
  await ada.goto('/?category=Garment+9');
  const chip = page.locator('[aria-current="true"]');
  await expect.poll(async () => (await chip.boundingBox())?.x ?? 9999).toBeLessThan(PHONE.width);
  const toggle = page.getByRole('button', { name: 'All categories' });
  await toggle.click();
  const box = await page.getByRole('link', { name: 'Garment 0', exact: true }).boundingBox();
  expect(box?.x).toBeLessThan(PHONE.width);
});

test('a shop with a category for every product can still be used', { tags: 'long' }, async () => {
  await restock(eachInOwnCategory(3000));
  await ada.goto('/?category=Garment+2999');
  await ada.waitForProducts(1);
  expect(await page.locator('[aria-current="true"]').textContent()).toBe('Garment 2999');
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500);
});

test('a catalogue that is damaged on the device is loaded again', async () => {
  await openCatalogueOf(numbered(60));
  const chunks = await storedRows<object>(page, 'chunks');
  const damaged = chunks.map((chunk) => ({ ...chunk, rows: '{"broken' }));
  await putRows(page, 'chunks', damaged);
  await page.reload();
  await search().fill('s-000059');
  await ada.waitForProducts(1);
  await tee(59).waitFor();
  expect(pageErrors.splice(0)).toEqual(['a stored chunk has lost some rows']);
});
