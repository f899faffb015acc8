/**
 * One shop and one browser for all files of browser tests that a worker runs, because each takes
 * seconds to open. A file asks for a cleaned one before its tests; a test has its own context and
 * its own shopper. They end with the worker.
 */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { share } from '../share.ts';
import { launchBrowser } from '../browser/browser.ts';
import { openPayingShop, type PayingShop } from '../checkout/shopper.ts';

let home: Promise<PayingShop> | undefined;
let browser: Promise<Browser> | undefined;

/** The shop of this worker, with payments, as if it had just been opened: nothing in it. */
export async function cleanShop(): Promise<PayingShop> {
  home ??= openPayingShop();
  const { shop, line } = await home;
  line.up();
  line.leadTo(shop.url);
  await shop.backend.query('truncate public.products restart identity');
  await shop.backend.query('delete from auth.users');
  await shop.backend.query(EMPTY_THE_REST);
  return home;
}

/** The browser of this worker, without the contexts that a failed test may have left. */
export async function cleanBrowser(): Promise<Browser> {
  browser ??= launchBrowser();
  const opened = await browser;
  await Promise.all(opened.contexts().map((context) => context.close()));
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
  return isNeeded ? {} : { serviceWorkers: 'block' };
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
