/** The shop's journeys, each in every engine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPayingShop, type PayingShop } from '../browser/paying-shop.ts';
import { PASSWORD, SUCCESS } from '../browser/shopper.ts';
import { stock } from '../supabase/stock.ts';
import { ROUTES } from '../../src/domain/routes.ts';
import type { EngineBrowser } from './engine.ts';
import { CHROMIUM, FIREFOX } from './puppeteer.ts';
import { Visitor } from './visitor.ts';
import { WEBKIT } from './webkit.ts';

const GARMENTS = [
  { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
  { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
  { SKC: 'C', 'Category 1': 'Scarf' },
];

let paying: PayingShop;
beforeAll(async () => {
  paying = await openPayingShop();
  await stock(paying.shop.backend, GARMENTS);
});
afterAll(() => paying.close());

describe.each([CHROMIUM, FIREFOX, WEBKIT])('in $name', (engine) => {
  let profile: string;
  let browser: EngineBrowser;
  let visitor: Visitor;
  let email: string;
  let people = 0;

  beforeEach(async () => {
    paying.line.up();
    people += 1;
    email = await newAccount(`ada-${people}`);
    profile = mkdtempSync(join(tmpdir(), 'weft-engine-'));
    browser = await engine.open(profile);
    visitor = await newVisitor();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await visitor.report());
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  });

  const newVisitor = async () => new Visitor(await browser.newTab(), paying.line.url);

  async function newAccount(name: string): Promise<string> {
    const address = `${name}.${engine.name}@weft.test`;
    await paying.shop.backend.addAccount({ email: address, password: PASSWORD });
    return address;
  }

  /** Closes the browser and opens it again; another tab where the engine keeps no profile. */
  async function restart(): Promise<void> {
    if (engine.keepsProfiles) {
      await browser.close();
      browser = await engine.open(profile);
    }
    visitor = await newVisitor();
  }

  /** The server's cart of a shopper: quantities by stock code. */
  async function serverCart(address = email): Promise<Record<string, number>> {
    const rows = await paying.shop.backend.query(
      `select p."SKC" as skc, c.quantity from public.cart_items c
       join public.products p on p.id = c.product_id
       join auth.users u on u.id = c.user_id where u.email = $1`,
      [address],
    );
    return Object.fromEntries(rows.map((row) => [row['skc'], row['quantity']]));
  }

  test('a visitor browses, searches and filters, and axe finds nothing', async () => {
    await visitor.openCatalogue(3);
    expect(await visitor.axeFindings()).toEqual([]);
    await visitor.type('Search products', 'sock', 'searchbox');
    await visitor.waitForProducts(1);
    await visitor.goto('/?category=Scarf');
    await visitor.waitForProducts(1);
    expect(await visitor.text()).not.toContain('$48.50');
    await visitor.click('link', 'All');
    await visitor.waitForProducts(3);
    for (const route of ['/login', '/register', '/cart', '/orders']) {
      await visitor.goto(route);
      await visitor.find('heading', /./);
      expect(await visitor.axeFindings(), route).toEqual([]);
    }
  });

  test('every route opens at a cold start without the server', async () => {
    await visitor.openCatalogue(3);
    await visitor.waitForWorker();
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
    paying.line.down();
    for (const route of ROUTES) {
      await restart();
      await visitor.goto(route);
      await visitor.find('heading', HEADINGS[route]);
      if (route === '/') await visitor.waitForProducts(3);
      if (route === '/cart') await visitor.waitFor('Sock');
    }
  });

  test('what is tapped without the server reaches it once, after a restart too', async () => {
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    await visitor.waitForWorker();
    paying.line.down();
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(1);
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(2);
    await visitor.click('button', 'Favourite: Scarf');
    await restart();
    await visitor.goto('/cart');
    await visitor.click('button', 'One more');
    await visitor.waitForCartCount(3);
    expect(await serverCart()).toEqual({});
    paying.line.up();
    await visitor.tab.evaluate(`window.dispatchEvent(new Event('online'))`);
    await expect.poll(() => serverCart()).toEqual({ B: 3 });
    await visitor.goto('/');
    await visitor.waitForCartCount(3);
    expect(await serverCart()).toEqual({ B: 3 });
  });

  test('two tabs show the same cart', async () => {
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    const other = await newVisitor();
    await other.openCatalogue(3);
    await visitor.click('button', 'Add to Cart: Sock');
    await other.waitForCartCount(1);
    await other.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(2);
    await expect.poll(() => serverCart()).toEqual({ B: 2 });
  });

  test('the next shopper on the phone sees nothing of the last, and each cart comes back', async () => {
    const ben = await newAccount(`ben-${people}`);
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
    await visitor.logOut();
    await visitor.waitForCartCount(0);
    await visitor.logIn(ben);
    await visitor.waitForProducts(3);
    await visitor.waitForCartCount(0);
    await visitor.click('button', /^Add to Cart: Linen shirt/);
    await visitor.waitForCartCount(1);
    await expect.poll(() => serverCart(ben)).toEqual({ A: 1 });
    await visitor.logOut();
    await visitor.logIn(email);
    await visitor.waitForCartCount(1);
    expect(await serverCart()).toEqual({ B: 1 });
  });

  async function prepareToPay(): Promise<void> {
    await visitor.logIn(email);
    await visitor.waitForProducts(3);
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(1);
    await visitor.goto('/checkout');
    await visitor.type(/^Full name/, 'Ada Weaver');
    await visitor.type(/^Address/, '1 Mill Lane');
    await visitor.type(/^City/, 'Chicago');
    await visitor.type('State', 'il', 'combobox');
    await visitor.type(/^ZIP/, '60614');
  }

  async function orderStates(): Promise<unknown[]> {
    const rows = await paying.shop.backend.query(
      'select o.state from public.orders o join auth.users u on u.id = o.user_id where u.email = $1',
      [email],
    );
    return rows.map(({ state }) => state);
  }

  test('a shopper pays by card', async () => {
    await prepareToPay();
    await visitor.click('button', /^Pay \$/);
    await visitor.click('button', 'Pay');
    await visitor.find('heading', SUCCESS);
    expect(await orderStates()).toEqual(['paid']);
    await visitor.waitForCartCount(0);
  });

  test('a shopper pays with PayPal', async () => {
    await prepareToPay();
    await visitor.click('radio', 'Pay with PayPal');
    await visitor.click('button', /^Pay \$.* with PayPal$/);
    await visitor.click('button', 'Pay');
    await visitor.find('heading', SUCCESS);
    expect(await orderStates()).toEqual(['paid']);
  });

  test('staff import 50,000 rows', async () => {
    const count = 50_000;
    const file = join(profile, 'products.csv');
    const lines = Array.from({ length: count }, (_, i) => `${engine.name}-${i},M,Tee,10.00`);
    writeFileSync(file, ['SKC,Size,Category 1,Retail Price', ...lines].join('\n'));
    await visitor.logIn(email, '/admin/import');
    await visitor.find('heading', 'Last import');
    const input = await visitor.tab.element(
      `[...document.querySelectorAll('input[type=file]')].at(-1)`,
    );
    await input?.chooseFile(file);
    await visitor.find('heading', 'What this file would do');
    await visitor.click('button', 'Start Import');
    await expect
      .poll(() => visitor.text(), { timeout: 120_000 })
      .toContain(`Import successful! Processed ${count} records.`);
    await paying.shop.backend.query(`delete from public.products where "SKC" like $1`, [
      `${engine.name}-%`,
    ]);
  });
});

/** A heading of each route for a shopper who is logged in and has no network. */
const HEADINGS: Readonly<Record<(typeof ROUTES)[number], RegExp>> = {
  '/': /^New Arrivals$/,
  '/product/*': /^Not in the shop$/,
  '/login': /./,
  '/register': /./,
  '/forgot-password': /./,
  '/reset-password': /./,
  '/cart': /^Shopping Cart$/,
  '/checkout': /./,
  '/checkout/success': /./,
  '/orders': /./,
  '/admin/import': /./,
};
