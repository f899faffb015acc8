/** What a shopper sees and can do before React and the database have arrived. */
import { expect, test } from 'vitest';
import { FIRST_PAGE_ROWS } from '../../src/domain/catalogue-chunk.ts';
import { waitForWorker } from '../browser/browser.ts';
import { hold as holdIn } from '../browser/hold.ts';
import { recordRequests, waitForReact } from '../browser/observe.ts';
import { numbered } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  context,
  page,
  REACT_SCRIPT,
  reopenPage,
  restock,
  startLoading,
  visitBeforeEach,
} from './fixture.ts';

/** The script with the database, the sync and the sign-in. */
const SERVICES = /\/assets\/services-.*\.js$/;

// Without a worker, so that the test decides when a script arrives.
visitBeforeEach({ products: numbered(300), serviceWorkers: 'block' });

/** Holds requests back until the returned function is called. */
const hold = (url: RegExp) => holdIn(context, url);

/** The name of a product that `numbered` makes. */
const tee = (i: number) => `Tee, size ${i}`;
/** The heart's state as an attribute: 'true' or 'false'. */
const heartState = (i: number) => ada.heart(tee(i)).getAttribute('aria-pressed');

test('the shopper can use the shop before the database arrives, and no tap is lost', async () => {
  await ada.logIn();
  await ada.waitForProducts(300);
  await ada.heart(tee(1)).click();
  await ada.addButton(tee(0)).click();
  await ada.waitForCartCount(1);
  await ada.waitForCart({ 'S-000000': 1 });

  const release = await hold(SERVICES);
  await ada.openCatalogue(300);
  expect(await ada.cartCount()).toBe(1);
  expect(await heartState(1)).toBe('true');
  await page.getByRole('button', { name: ada.email }).waitFor();
  await page.getByRole('link', { name: 'Men', exact: true }).click();
  await ada.waitForProducts(150);
  await page.locator('#header-search').fill('tee 00028');
  // Of the stock codes with these digits, S-000028 and S-000280 to S-000289, the odd ones are in Men.
  await page.getByText('5 products', { exact: true }).waitFor();
  await ada.addButton(tee(283)).click();
  await ada.heart(tee(283)).click();
  expect(
    await ada.addButton(tee(283)).textContent(),
    'nothing is confirmed before it is stored',
  ).toBe('Add to Cart');
  release();
  await ada.waitForCartCount(2);
  await expect.poll(() => heartState(283)).toBe('true');
  await ada.waitForCart({ 'S-000000': 1, 'S-000283': 1 });
});

test('a tap before the database arrives is kept, though the tab is closed first', async () => {
  await ada.logIn();
  await ada.waitForProducts(300);
  await hold(SERVICES);
  await ada.openCatalogue(300);
  await waitForReact(page);
  await ada.addButton(tee(4)).click();
  await page.getByRole('status').getByText('Your change isn’t saved yet.').waitFor();
  await reopenPage();
  await context.unroute(SERVICES);
  await ada.goto('/');
  await ada.waitForCart({ 'S-000004': 1 });
});

test('a first visit shows its first products before React is there, and the rest before the database', async () => {
  const [releaseReact, releaseServices] = [await hold(REACT_SCRIPT), await hold(SERVICES)];
  await startLoading('/');
  await page.getByRole('article', { name: 'Tee, size 0', exact: true }).waitFor();
  await page.getByText('Loading products...').waitFor();
  releaseReact();
  await ada.waitForProducts(FIRST_PAGE_ROWS);
  await page.locator('#header-search').fill('tee 00004');
  // Of the first 48 products: S-000004 and S-000040 to S-000047.
  await page.getByText('9 products', { exact: true }).waitFor();
  await ada.heart(tee(40)).click();
  await page.getByText('Please log in to manage favorites.').waitFor();
  releaseServices();
  await page.locator('#header-search').fill('');
  await ada.waitForProducts(300);
});

/** Products with and without material and size. Many linen ones look alike, so their names contain the stock code. */
const VARIED = numbered(300).map((row, i) => ({
  ...row,
  Size: i % 3 === 0 ? '' : i % 4 === 0 ? 'M' : String(i),
  Material: i % 4 === 0 ? 'Indigo linen' : null,
}));

test.each([320, 1440])(
  'the cards in the markup equal those that React draws, at %i px',
  async (width) => {
    await restock(VARIED);
    await page.setViewportSize({ width, height: 800 });
    const [releaseReact] = [await hold(REACT_SCRIPT), await hold(SERVICES)];
    await startLoading('/');
    await page.getByRole('article', { name: 'Tee, Indigo linen, S-000000' }).waitFor();
    const before = await page.evaluateHandle(() =>
      [...document.querySelectorAll('[aria-posinset]')].map((cell) => cell.cloneNode(true)),
    );
    releaseReact();
    await ada.waitForProducts(FIRST_PAGE_ROWS);
    const areEqual = await before.evaluate((cells) => {
      const drawn = [...document.querySelectorAll('[aria-posinset]')];
      return cells.map((cell, i) => cell.isEqualNode(drawn[i] ?? null));
    });
    expect(areEqual.length).toBeGreaterThan(2);
    expect(areEqual).not.toContain(false);
  },
);

test('a tap before React arrives is done when React arrives', async () => {
  const releaseReact = await hold(REACT_SCRIPT);
  await startLoading('/');
  await ada.heart(tee(1)).click();
  expect(await page.getByText('Please log in to manage favorites.').count()).toBe(0);
  releaseReact();
  await page.getByText('Please log in to manage favorites.').waitFor();
});

test.each([
  ['/login', 'Sign In to Your Account', 'Log in'],
  ['/register', 'Create Your Account', 'Sign Up'],
  ['/forgot-password', 'Forgot Your Password?', 'Send me a link'],
])(
  '%s has its heading before React, and its form before the database',
  async (path, title, label) => {
    const [releaseReact, releaseServices] = [await hold(REACT_SCRIPT), await hold(SERVICES)];
    await startLoading(`${path}?next=%2Fcart`);
    const heading = page.getByRole('heading', { level: 1, name: title, exact: true });
    await page.getByRole('banner').getByRole('link', { name: 'Weft' }).waitFor();
    const box = await heading.boundingBox();
    expect(await page.getByRole('textbox', { name: 'Email' }).count()).toBe(0);
    releaseReact();
    await page.getByRole('button', { name: label, exact: true }).waitFor();
    expect(await heading.boundingBox()).toEqual(box);
    releaseServices();
  },
);

test('a form that is sent before the database arrives is answered when it arrives', async () => {
  const releaseServices = await hold(SERVICES);
  await ada.goto('/login');
  await ada.typeCredentials();
  await page.getByRole('button', { name: 'Logging in...' }).waitFor();
  releaseServices();
  await page.getByRole('button', { name: ada.email }).waitFor();
  await ada.waitForProducts(300);
});

test('a form that is sent though the database does not arrive keeps what was typed', async () => {
  await context.route(SERVICES, (route) => route.abort());
  await ada.goto('/login');
  await page.getByText('The page didn’t load completely.').waitFor();
  await ada.typeCredentials();
  await page.getByText('We couldn’t reach the shop. Check your connection').waitFor();
  await context.unroute(SERVICES);
  await ada.announceOnline();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: ada.email }).waitFor();
});

/** React's script, and the one that draws the first products (`src/first-visit/first-paint.ts`). */
const PAINT_AND_REACT = /\/assets\/(paint|first)-/;

test.each([
  { missing: 'React', scripts: REACT_SCRIPT, hasProducts: true },
  { missing: 'React and the first products', scripts: PAINT_AND_REACT, hasProducts: false },
])('the page says that $missing did not arrive', async ({ scripts, hasProducts }) => {
  await context.route(scripts, (route) => route.abort());
  await startLoading('/');
  await page.getByText('The page didn’t load completely.').waitFor();
  expect((await page.getByRole('article').count()) > 0).toBe(hasProducts);
  await context.unroute(scripts);
  await page.getByRole('link', { name: 'Try again' }).click();
  await ada.waitForProducts(300);
});

/** Requests for pages of products: the early request of the markup, and the requests of the services. */
const PRODUCT_PAGES = /\/catalogue\/page/;

test('a first visit whose early request fails loads its products all the same', async () => {
  let requests = 0;
  await context.route(PRODUCT_PAGES, async (route) => {
    requests += 1;
    if (requests === 1) await route.fulfill({ status: 200, body: '<html>Sign in to the hotel' });
    else await route.continue();
  });
  await ada.openCatalogue(300);
  expect(requests).toBeGreaterThan(2);
});

test('a later visit requests no page of products', async () => {
  await changeDevice({ serviceWorkers: 'allow' });
  await ada.openCatalogue(300);
  await waitForWorker(page);
  const requests = recordRequests(page, PRODUCT_PAGES);
  const headRequest = page.waitForRequest(/\/catalogue\/head/);
  await page.reload();
  await headRequest;
  await ada.waitForProducts(300);
  expect(requests).toEqual([]);
});

test('the shop says that the database did not arrive, and saves the tap at another attempt', async () => {
  await ada.logIn();
  await ada.waitForProducts(300);
  await context.route(SERVICES, (route) => route.abort());
  await ada.openCatalogue(300);
  await page.getByText('The page didn’t load completely.').waitFor();
  await ada.addButton(tee(7)).click();
  await context.unroute(SERVICES);
  await ada.announceOnline();
  await ada.waitForCart({ 'S-000007': 1 });
});
