import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { complaintsOf, DESKTOP } from '../browser/browser.ts';
import { hold as holdIn } from '../browser/hold.ts';
import { logIn as logInAt } from '../browser/log-in.ts';
import type { TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

const PASSWORD = 'loom-and-thread';
/** Dexie, the sync and the sign-in. */
const SERVICES = /\/assets\/services-.*\.js$/;
/** React and everything that it draws. */
const SHOP = /\/assets\/first-.*\.js$/;

let shop: TestShop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let email: string;
let shoppers = 0;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  browser = await cleanBrowser();
  await stock(shop.backend, numbered(300));
});
beforeEach(async () => {
  // Without a worker, so that the test decides when a script arrives.
  context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block' });
  page = await context.newPage();
  complaints = complaintsOf(page);
  shoppers += 1;
  email = `early-${shoppers}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD });
});
afterEach(async () => {
  expect(complaints).toEqual([]);
  await context.close();
});

const hold = (what: RegExp) => holdIn(context, what);

const logIn = () => logInAt(page, shop.url, email, PASSWORD);

const shows = (count: number) => page.getByText(`${count} products`, { exact: true }).waitFor();
const add = (i: number) =>
  page.getByRole('button', { name: `Add to Cart: Tee, size ${i}`, exact: true });
const heart = (i: number) =>
  page.getByRole('button', { name: `Favourite: Tee, size ${i}`, exact: true });
const cartLabel = () => page.getByRole('banner').getByRole('link', { name: /^Cart/ }).textContent();

async function cartOnServer(): Promise<unknown[]> {
  const rows = await shop.backend.query(
    `select p."SKC" as skc, c.quantity from public.cart_items c
     join public.products p on p.id = c.product_id
     join auth.users u on u.id = c.user_id where u.email = $1 order by 1`,
    [email],
  );
  return rows.map((row) => [row['skc'], row['quantity']]);
}

test('the shop can be used while the database is still on its way, and a tap then is not lost', async () => {
  await logIn();
  await shows(300);
  await heart(1).click();
  await add(0).click();
  await expect.poll(cartLabel).toBe('Cart, 1');
  await expect.poll(cartOnServer).toEqual([['S-000000', 1]]);

  const release = await hold(SERVICES);
  await page.goto(shop.url);
  await shows(300);
  expect(await cartLabel()).toBe('Cart, 1');
  expect(await heart(1).getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: email }).waitFor();
  await page.getByRole('link', { name: 'Men', exact: true }).click();
  await shows(150);
  await page.locator('#header-search').fill('tee 00028');
  await page.getByText('5 products', { exact: true }).waitFor();
  await add(283).click();
  await heart(283).click();
  expect(await add(283).textContent(), 'nothing is confirmed before it is kept').toBe(
    'Add to Cart',
  );
  release();
  await expect.poll(cartLabel).toBe('Cart, 2');
  await expect.poll(() => heart(283).getAttribute('aria-pressed')).toBe('true');
  await expect.poll(cartOnServer).toEqual([
    ['S-000000', 1],
    ['S-000283', 1],
  ]);
});

test('nothing on the screen changes when the database takes over', async () => {
  await logIn();
  await shows(300);
  await add(2).click();
  await expect.poll(cartOnServer).toEqual([['S-000002', 1]]);
  const release = await hold(SERVICES);
  // It is asked for once React has drawn: until then the kept screen stands there.
  const drawn = page.waitForRequest(SERVICES);
  await page.goto(shop.url);
  await drawn;
  await shows(300);
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const root = document.getElementById('root')!;
    new MutationObserver((changes) => {
      for (const { target } of changes) seen.push(target.nodeName);
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const pulled = page.waitForResponse(/\/rpc\/pull$/);
  release();
  await pulled;
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);
});

test('a first visit shows its first products before React is there, and the rest before the database', async () => {
  const [releaseShop, releaseServices] = [await hold(SHOP), await hold(SERVICES)];
  await page.goto(shop.url, { waitUntil: 'commit' });
  await page.getByRole('article', { name: 'Tee, size 0', exact: true }).waitFor();
  await page.getByText('Loading products...').waitFor();
  releaseShop();
  await shows(48);
  await page.locator('#header-search').fill('tee 00004');
  await page.getByText('9 products', { exact: true }).waitFor();
  await heart(40).click();
  await page.getByText('Please log in to manage favorites.').waitFor();
  releaseServices();
  await page.locator('#header-search').fill('');
  await shows(300);
});

test.each([320, 360, 700, 1440])(
  'what stands there before React is what React draws, at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const [releaseShop, releaseServices] = [await hold(SHOP), await hold(SERVICES)];
    await page.goto(shop.url, { waitUntil: 'commit' });
    await page.getByRole('article').first().waitFor();
    const count = await page.evaluate(() => {
      const cells = [...document.querySelectorAll('[aria-posinset]')];
      const stamped = cells.map((cell) => ({
        cell: cell.cloneNode(true),
        place: JSON.stringify(cell.getBoundingClientRect()),
      }));
      Object.assign(globalThis, { stamped });
      return cells.length;
    });
    expect(count).toBeGreaterThan(2);
    releaseShop();
    await shows(48);
    const differing = await page.evaluate(() => {
      const { stamped } = globalThis as unknown as { stamped: { cell: Node; place: string }[] };
      const cells = [...document.querySelectorAll('[aria-posinset]')];
      return stamped.flatMap(({ cell, place }, i) => {
        const drawn = cells[i];
        const isSame = drawn && cell.isEqualNode(drawn);
        const now = JSON.stringify(drawn?.getBoundingClientRect());
        return isSame && place === now ? [] : [drawn?.outerHTML, place, now];
      });
    });
    expect(differing).toEqual([]);
    releaseServices();
  },
);

test('what is tapped before React is there is done when it comes', async () => {
  const releaseShop = await hold(SHOP);
  await page.goto(shop.url, { waitUntil: 'commit' });
  await heart(1).click();
  expect(await page.getByText('Please log in to manage favorites.').count()).toBe(0);
  releaseShop();
  await page.getByText('Please log in to manage favorites.').waitFor();
});

test.each([
  ['/login', 'Sign In to Your Account', 'Login'],
  ['/register', 'Create Your Account', 'Sign Up'],
  ['/forgot-password', 'Forgot Your Password?', 'Send me a link'],
])(
  '%s has its heading before React, and its form before the database',
  async (path, title, label) => {
    const [releaseShop, releaseServices] = [await hold(SHOP), await hold(SERVICES)];
    await page.goto(`${shop.url}${path}?next=%2Fcart`, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 1, name: title, exact: true });
    await page.getByRole('banner').getByRole('link', { name: 'Weft' }).waitFor();
    const place = await heading.boundingBox();
    expect(await page.getByRole('textbox', { name: 'Email' }).count()).toBe(0);
    releaseShop();
    await page.getByRole('button', { name: label, exact: true }).waitFor();
    expect(await heading.boundingBox()).toEqual(place);
    releaseServices();
  },
);

test('a form that is sent before the database is there is answered when it comes', async () => {
  const releaseServices = await hold(SERVICES);
  await page.goto(`${shop.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Logging in...' }).waitFor();
  releaseServices();
  await page.getByRole('button', { name: email }).waitFor();
  await shows(300);
});

test('a form that is sent though the database does not arrive keeps what was typed', async () => {
  await context.route(SERVICES, (route) => route.abort());
  await page.goto(`${shop.url}/login`);
  await page.getByText('The shop did not arrive whole.').waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('The shop did not answer. Check your connection').waitFor();
  await context.unroute(SERVICES);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByRole('button', { name: email }).waitFor();
});

test('when the shop itself does not arrive, the page says so above what it shows', async () => {
  await context.route(SHOP, (route) => route.abort());
  await page.goto(shop.url, { waitUntil: 'commit' });
  await page.getByText('The shop did not arrive whole.').waitFor();
  expect(await page.getByRole('article').count()).toBeGreaterThan(0);
  await context.unroute(SHOP);
  await page.getByRole('link', { name: 'Try again' }).click();
  await shows(300);
});

/** The early request, and those of the services. */
const PAGES = /\/rest\/v1\/(products\?|rpc\/catalogue_page)/;

test('a first visit whose early request fails loads its products all the same', async () => {
  let requests = 0;
  await context.route(PAGES, async (route: Route) => {
    requests += 1;
    if (requests === 1) await route.fulfill({ status: 200, body: '<html>Sign in to the hotel' });
    else await route.continue();
  });
  await page.goto(shop.url);
  await shows(300);
  expect(requests).toBeGreaterThan(2);
});

test('a later visit asks for no page of products', async () => {
  await context.close();
  context = await browser.newContext({ viewport: DESKTOP });
  page = await context.newPage();
  await page.goto(shop.url);
  await shows(300);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  const requests: string[] = [];
  const asked = page.waitForRequest(/\/rpc\/catalogue_changes/);
  page.on('request', (request) => requests.push(request.url()));
  await page.reload();
  await asked;
  await shows(300);
  expect(requests.filter((url) => PAGES.test(url))).toEqual([]);
});

test('when the database does not arrive the shop says so, and another attempt brings the tap home', async () => {
  await logIn();
  await shows(300);
  await context.route(SERVICES, (route) => route.abort());
  await page.goto(shop.url);
  await shows(300);
  await page.getByText('The shop did not arrive whole.').waitFor();
  await add(7).click();
  await context.unroute(SERVICES);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(cartOnServer).toEqual([['S-000007', 1]]);
});
