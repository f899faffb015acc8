/**
 * What the browser tests share. Opening a shop or a browser takes seconds, so all test files in one
 * worker of Vitest use the same shop and browser. A file calls `visitBeforeEach` once and imports
 * `page`, `ada` and other variables; `context`, `ada`, `page` and `pageErrors` are new for each test.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { collectPageErrors, DESKTOP, launchBrowser } from '../browser/browser.ts';
import { collectAnnouncements } from '../browser/observe.ts';
import { openPayingShop, type PayingShop } from '../browser/paying-shop.ts';
import type { Line } from '../browser/proxy.ts';
import { logInAsStaff, Shopper } from '../browser/shopper.ts';
import { quickOrFull } from '../full-run.ts';
import type { TestShop } from '../supabase/shop.ts';
import { stock, type StockRow } from '../supabase/stock.ts';

export let payingShop: PayingShop;
export let shop: TestShop;
export let line: Line;
export let browser: Browser;
/** The browser context of this test's visit. */
export let context: BrowserContext;
/** The shopper of this test, who has an account and is not logged in. */
export let ada: Shopper;
/** The shopper's page. */
export let page: Page;
/** The errors that pages of this test have printed. The test fails unless the list is empty at its end. */
export let pageErrors: string[] = [];

/** Stock codes of `GARMENTS`. The catalogue is sorted by them. */
export const SHIRT = 'A';
export const SOCK = 'B';
export const SCARF = 'C';
/** Prices in cents, as the server stores them with orders. */
export const SHIRT_MINOR = 4850;
export const SOCK_MINOR = 900;

/** Three products; the scarf has no price. */
export const GARMENTS: readonly StockRow[] = [
  { SKC: SHIRT, Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': SHIRT_MINOR / 100 },
  { SKC: SOCK, 'Category 1': 'Sock', 'Retail Price': SOCK_MINOR / 100 },
  { SKC: SCARF, 'Category 1': 'Scarf' },
];

/** The script with React and the components of the first screen. */
export const REACT_SCRIPT = /\/assets\/first-.*\.js$/;

/** Opens a path of the shop and waits for the first bytes of the answer only. */
export const startLoading = (path: string) => page.goto(line.url + path, { waitUntil: 'commit' });

interface Visit extends BrowserContextOptions {
  /** What the shop sells at the beginning of each test. */
  readonly products?: readonly StockRow[];
  /** Opens a shop for this file alone; without it the file uses the shop of its worker. */
  readonly open?: () => Promise<PayingShop>;
}

/** Gives each test of this file (or `describe`) an empty shop with these products, and a new visitor. */
export function visitBeforeEach({ products = [], open, ...options }: Visit = {}): void {
  beforeAll(async () => {
    payingShop = await (open ?? cleanShop)();
    ({ shop, line } = payingShop);
    browser = await cleanBrowser();
  });
  beforeEach(async ({ task }) => {
    await restock(products);
    pageErrors = [];
    context = await newDevice({ ...serviceWorkerFor(task), ...options });
    ada = await Shopper.register(payingShop, context);
    ({ page } = ada);
  });
  afterEach(async () => {
    await closeDevices(browser);
    line.up();
    line.leadTo(shop.url);
    expect(pageErrors).toEqual([]);
  });
}

/** Replaces everything that the shop sells. */
export async function restock(products: readonly StockRow[]): Promise<void> {
  await shop.backend.query('truncate public.products restart identity');
  await stock(shop.backend, products);
}

/** Takes the product with this stock code out of the shop. */
export async function removeProduct(stockCode: string): Promise<void> {
  await shop.backend.query('delete from public.products where "SKC" = $1', [stockCode]);
}

/** Another browser context, whose errors also make the test fail. */
export async function newDevice(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const device = await browser.newContext({ viewport: DESKTOP, ...serviceWorkerFor(), ...options });
  collectPageErrors(device, pageErrors);
  await collectAnnouncements(device);
  return device;
}

/** The page of a person of the staff, who is logged in on a device of their own. */
export async function newStaff(options: BrowserContextOptions = {}): Promise<Page> {
  const staff = await (await newDevice(options)).newPage();
  await logInAsStaff(staff, payingShop);
  return staff;
}

/** The shopper starts over on a device with these options. */
export async function changeDevice(options: BrowserContextOptions): Promise<void> {
  await context.close();
  context = await newDevice(options);
  ada = await ada.inNewPage(context);
  ({ page } = ada);
}

/** The shopper closes the page and opens another one. */
export async function reopenPage(): Promise<void> {
  await page.close();
  ada = await ada.inNewPage(context);
  ({ page } = ada);
}

let shopOfWorker: Promise<PayingShop> | undefined;
let browserOfWorker: Promise<Browser> | undefined;

/** The shop of this worker, emptied of products, accounts and orders. */
async function cleanShop(): Promise<PayingShop> {
  shopOfWorker ??= openPayingShop();
  const opened = await shopOfWorker;
  opened.line.up();
  opened.line.leadTo(opened.shop.url);
  await opened.shop.backend.query('truncate public.products restart identity');
  await opened.shop.backend.query('delete from auth.users');
  await opened.shop.backend.query(EMPTY_OTHER_TABLES);
  return opened;
}

/** The browser of this worker, after closing contexts that a failed test may have left open. */
async function cleanBrowser(): Promise<Browser> {
  browserOfWorker ??= launchBrowser();
  const opened = await browserOfWorker;
  await closeDevices(opened);
  return opened;
}

/** Closes all contexts. Without `unrouteAll` a handler still under way would read the answer of a page that is gone. */
async function closeDevices(opened: Browser): Promise<void> {
  for (const device of opened.contexts()) {
    const routing = [device, ...device.pages()];
    await Promise.all(routing.map((routes) => routes.unrouteAll({ behavior: 'ignoreErrors' })));
    await device.close();
  }
}

/**
 * Options for the contexts of a test. Installing the service worker takes a third of the time in which
 * a page opens, so in `npm test` only tests with the tag `worker` have it; in `npm run test:all` all do.
 */
export function serviceWorkerFor(
  test: { readonly tags?: readonly string[] | undefined } = {},
): Pick<BrowserContextOptions, 'serviceWorkers'> {
  const isNeeded = quickOrFull(test.tags?.includes('worker') ?? false, true);
  return { serviceWorkers: isNeeded ? 'allow' : 'block' };
}

/** The role `replica` skips the triggers that forbid deleting orders. Rows from migrations stay. */
const EMPTY_OTHER_TABLES = `
  do $$
  declare
    name text;
  begin
    set local session_replication_role = replica;
    for name in
      select tablename from pg_tables
      where schemaname = 'public' and tablename !~ '^(products|catalogue_.*|order_states)$'
    loop
      execute format('truncate public.%I cascade', name);
    end loop;
  end $$`;
