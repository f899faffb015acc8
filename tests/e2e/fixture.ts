/**
 * What the browser tests share. Opening a shop or a browser takes seconds, so all files that a worker
 * runs use one of each, which end with the worker. A file calls `visitBeforeEach` once and imports
 * `page`, `ada` and the others by name: each test finds those of its own visit there.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { complaintsOf, DESKTOP, launchBrowser } from '../browser/browser.ts';
import { openPayingShop, type PayingShop } from '../browser/paying-shop.ts';
import type { Line } from '../browser/proxy.ts';
import { Shopper } from '../browser/shopper.ts';
import { share } from '../share.ts';
import type { TestShop } from '../supabase/shop.ts';
import { stock, type StockRow } from '../supabase/stock.ts';

export let home: PayingShop;
export let shop: TestShop;
export let line: Line;
export let browser: Browser;
/** The browser context of this test's visit. */
export let context: BrowserContext;
/** The shopper of this test, who has an account and is not logged in. */
export let ada: Shopper;
/** The shopper's page. */
export let page: Page;
/** What all pages of this test have printed as errors. Empty at its end, or the test fails. */
export let complaints: string[] = [];

/** Three products, of which the scarf has no price. */
export const GARMENTS: readonly StockRow[] = [
  { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
  { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
  { SKC: 'C', 'Category 1': 'Scarf' },
];

interface Visit extends BrowserContextOptions {
  /** What the shop sells at the beginning of each test. */
  readonly products?: readonly StockRow[];
  /** Opens a shop for this file alone; without it the file uses the shop of its worker. */
  readonly open?: () => Promise<PayingShop>;
}

/** Gives each test of this file (or `describe`) an empty shop with these products, and a new visitor. */
export function visitBeforeEach({ products = [], open, ...options }: Visit = {}): void {
  beforeAll(async () => {
    home = await (open ?? cleanShop)();
    ({ shop, line } = home);
    browser = await cleanBrowser();
  });
  beforeEach(async ({ task }) => {
    await restock(products);
    complaints = [];
    context = await newDevice({ ...workerFor(task), ...options });
    ada = await Shopper.register(home, context);
    ({ page } = ada);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((each) => each.close()));
    line.up();
    line.leadTo(shop.url);
    expect(complaints).toEqual([]);
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

/** A browser context beside the first, whose errors count as this test's. */
export async function newDevice(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const device = await browser.newContext({ viewport: DESKTOP, ...workerFor(), ...options });
  complaintsOf(device, complaints);
  return device;
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

/** The shop of this worker as if it had just been opened: nothing in it. */
export async function cleanShop(): Promise<PayingShop> {
  shopOfWorker ??= openPayingShop();
  const opened = await shopOfWorker;
  opened.line.up();
  opened.line.leadTo(opened.shop.url);
  await opened.shop.backend.query('truncate public.products restart identity');
  await opened.shop.backend.query('delete from auth.users');
  await opened.shop.backend.query(EMPTY_THE_REST);
  return opened;
}

/** The browser of this worker, without the contexts that a failed test may have left. */
export async function cleanBrowser(): Promise<Browser> {
  browserOfWorker ??= launchBrowser();
  const opened = await browserOfWorker;
  await Promise.all(opened.contexts().map((each) => each.close()));
  return opened;
}

/**
 * Options for the contexts of a test. Installing the service worker is a third of what opening a page
 * costs, so in `npm test` only tests with the tag `worker` have it; in `npm run test:all` all do.
 */
export function workerFor(
  test: { readonly tags?: readonly string[] | undefined } = {},
): Pick<BrowserContextOptions, 'serviceWorkers'> {
  const isNeeded = share(test.tags?.includes('worker') ?? false, true);
  return { serviceWorkers: isNeeded ? 'allow' : 'block' };
}

/** Orders and their events refuse to be removed, hence the role. What comes with a migration stays. */
const EMPTY_THE_REST = `
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
