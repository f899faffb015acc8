import type { Browser } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { openLine } from '../browser/proxy.ts';
import { openBuiltShop, waitForProducts } from './built-shop.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

const PRODUCTS = 10_000;
const ROUNDS = 5;
/** How long each request of the phone waits before it is forwarded; CORS preflights wait too. */
const REQUEST_DELAY_MS = 150;
/** A first visit with two origins may take this many times as long as with one. */
const LIMIT = 1.1;

/** A first visit until the whole catalogue has arrived: the backend on a second origin, against one. */
export async function measureFirstLoad(): Promise<Figure[]> {
  await using oneOrigin = await openSite({});
  await using twoOrigins = await openSite({ WEFT_SECOND_ORIGIN: 'yes' });
  await using browser = await launchBrowser();
  const seconds = await inTurns(
    { rounds: ROUNDS, warmUps: 1 },
    {
      one: () => firstLoad(browser, oneOrigin.url),
      two: () => firstLoad(browser, twoOrigins.url),
    },
  );
  return [
    figure(`${PRODUCTS} products, one origin`, median(seconds.one), 's'),
    figure('the backend on a second origin', median(seconds.two), 's'),
    figure('second origin against one', ratioOf(seconds.two, seconds.one), 'times', LIMIT),
  ];
}

/** The seconds of a first visit in an empty browser, until all products are counted. */
async function firstLoad(browser: Browser, url: string): Promise<number> {
  await using context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const beganMs = performance.now();
  await page.goto(url);
  await waitForProducts(page, PRODUCTS);
  return (performance.now() - beganMs) / 1000;
}

/**
 * A shop behind a proxy that delays each request by REQUEST_DELAY_MS. The proxy also stands for the second
 * origin: pages of `localhost` then ask the backend at `127.0.0.1`, on the same port.
 *
 * @param settings of the build
 */
async function openSite(settings: Readonly<Record<string, string>>) {
  const shop = await openBuiltShop(settings);
  await importRows(shop.backend, generateProducts(PRODUCTS));
  const line = await openLine(shop.url);
  line.addFaults({ url: /./, delayMs: REQUEST_DELAY_MS });
  return {
    url: line.url,
    async [Symbol.asyncDispose]() {
      await line.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}
