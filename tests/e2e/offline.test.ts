/** The shop without a server, over a line that is cut, without storage, and at unknown addresses. */
import { expect, test } from 'vitest';
import { blockStorage } from '../browser/blocked-storage.ts';
import {
  collectPageErrors,
  launchProfile,
  newProfileFolder,
  waitForWorker,
} from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { ada, pageErrors, context, line, page, restock, shop, visitBeforeEach } from './fixture.ts';

visitBeforeEach();

test(
  'after one visit the whole shop opens in a restarted browser without the server',
  { tags: 'worker' },
  async () => {
    await restock(numbered(300));
    const profile = newProfileFolder();
    const firstVisit = await launchProfile(profile);
    const first = await ada.inNewPage(firstVisit);
    await first.openCatalogue(300);
    await waitForWorker(first.page);
    await firstVisit.close();

    line.down();
    const secondVisit = await launchProfile(profile);
    collectPageErrors(secondVisit, pageErrors);
    const second = await ada.inNewPage(secondVisit);
    await second.openCatalogue(300);
    await second.page.locator('#catalogue-search').fill('tee 00028');
    // S-000028, and S-000280 to S-000289
    await second.waitForProducts(11);
    for (const [path, title] of [
      ['/login', 'Sign In to Your Account'],
      ['/cart', 'Shopping Cart'],
      ['/orders', 'Your Orders'],
      ['/nowhere', 'Page not found'],
    ] as const) {
      await second.goto(path);
      await second.heading(title).waitFor();
    }
    await secondVisit.close();
  },
);

test('two tabs show the same products, though only one of them asks for changes', async () => {
  await restock(numbered(20));
  await ada.openCatalogue(20);
  const second = await ada.inNewPage(context);
  await second.goto('/?category=Women');
  await second.waitForProducts(10);
  await stock(shop.backend, numbered(22));
  await ada.announceOnline();
  await ada.waitForProducts(22);
  await second.waitForProducts(11);
});

test('a shop that cannot be reached at all says so, and opens on request', async () => {
  await restock(numbered(5));
  let attempts = 0;
  await context.route('**/catalogue/**', async (route) => {
    attempts += 1;
    await route.abort();
  });
  await ada.goto('/');
  const alert = page.getByRole('alert').filter({ hasText: 'Error' });
  await alert.getByText('An unexpected error occurred while fetching products.').waitFor();
  // By now the page's own attempts are far apart, so it does not recover by itself.
  await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThan(5);
  await context.unroute('**/catalogue/**');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await ada.waitForProducts(5);
});

test('the page shows the backend’s message when it rejects the request for products', async () => {
  await context.route('**/catalogue/**', (route) =>
    route.fulfill({ status: 500, json: { error: 'could not extend file' } }),
  );
  await ada.goto('/');
  await page.getByText('Failed to load products: could not extend file').waitFor();
});

test('the page says Loading products... until the first answer, and shows no empty shop', async () => {
  await restock(numbered(5));
  const release = await hold(context, /\/catalogue\//);
  await ada.goto('/');
  await page.getByText('Loading products...').waitFor();
  expect(await page.getByText('No products found').count()).toBe(0);
  release();
  await ada.waitForProducts(5);
});

test('with all storage blocked the shop works from memory and says so', async () => {
  await restock(numbered(1200));
  await context.addInitScript(blockStorage);
  await ada.openCatalogue(1200);
  await page.getByText('This browser can’t save anything').waitFor();
  await page.locator('#header-search').fill('tee s-001199');
  await ada.waitForProducts(1);
});

test('with the disk full the products are shown from memory, and the page says so', async () => {
  await restock(numbered(3000));
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: line.url, quotaSize: 50_000 });
  await ada.openCatalogue(3000);
  await page.getByText('This device’s storage is full').waitFor();
});

test('a page whose database is deleted keeps what it shows and loads the products again', async () => {
  await restock(numbered(50));
  await ada.openCatalogue(50);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: line.url,
    storageTypes: 'indexeddb',
  });
  expect(await page.getByText('50 products', { exact: true }).count()).toBe(1);
  await stock(shop.backend, numbered(51));
  await ada.announceOnline();
  await ada.waitForProducts(51);
});

test(
  'unknown files and addresses answer 404, not with the shop’s page',
  { tags: 'worker' },
  async () => {
    await ada.goto('/');
    await waitForWorker(page);
    for (const path of ['/ads.txt', '/assets/none.js', '/nowhere']) {
      const status = await page.evaluate(async (url) => (await fetch(url)).status, path);
      expect(status, path).toBe(404);
    }
  },
);
