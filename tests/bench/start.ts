import type { BrowserContext, Page } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE, waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { buildSite } from '../build-once.ts';
import { openTestShop, temporaryFolder, type TestShop } from '../supabase/shop.ts';
import { BARE_PATH, BARE_PRODUCTS, installBarePage } from './bare-page.ts';
import { bundle } from './bench-page.ts';
import { watchFirstPaint } from './first-paint-in-page.ts';
import { generateRows } from './products.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const PRODUCTS = 10_000;
const MORE_PRODUCTS = 100_000;
const ROUNDS = 21;
const ROUNDS_WITH_MORE = 5;
/** How much slower a cheap phone is than a developer's machine. */
const CPU_SLOWDOWN = 4;
/** Times the duration of the bare page. */
const LIMIT = 1.25;

/** The times of one navigation, in milliseconds from its start. */
interface Start {
  /** Cards in the document when the first one was on screen. */
  readonly cards: number;
  readonly firstProductMs: number;
  /** 0 for a page without React. */
  readonly interactiveMs: number;
}

/**
 * Measures a second visit without the server, from the start of the navigation to the first product
 * painted, against a bare page. Each navigation opens a new page in the same browser, so both service
 * workers are already running.
 */
export async function measureStart(): Promise<Figure[]> {
  // A new build, because the bare page is written into its folder.
  await using folder = await temporaryFolder();
  await buildSite(folder.path);
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: PHONE });
    await context.addInitScript(watchFirstPaint);
    const shop = await openTestShop({ siteFolder: folder.path });
    try {
      await importRows(shop.backend, generateProducts(PRODUCTS));
      await visit(context, shop, folder.path);
    } finally {
      await shop.close();
    }
    return await measureOffline(context, shop.url);
  } finally {
    await browser.close();
  }
}

/** Visits the shop and the bare page once, each until everything is stored on the device. */
async function visit(context: BrowserContext, shop: TestShop, site: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(shop.url);
  const count = PRODUCTS.toLocaleString('en-US');
  await page.getByText(`${count} products`, { exact: true }).waitFor({ timeout: 60_000 });
  await waitUntilLoaded(page);
  await waitForWorker(page);
  await page.waitForLoadState('networkidle');
  const answer = await fetch(`${shop.url}/rest/v1/products?order=SKC,id&limit=${BARE_PRODUCTS}`, {
    headers: { apikey: shop.backend.publishableKey },
  });
  const products = (await answer.json()) as Record<string, unknown>[]; // PostgREST's rows
  // The navigation to the bare page makes the shop store its first screen for the next visit.
  await installBarePage(page, site, shop.url, products);
  await page.close();
}

async function measureOffline(context: BrowserContext, url: string): Promise<Figure[]> {
  const { cards } = await start(context, { url, isReact: true });
  const pages = [
    { url, isReact: true, starts: [] as Start[] },
    { url: url + BARE_PATH, isReact: false, starts: [] as Start[] },
    { url: `${url}${BARE_PATH}?cards=${cards}`, isReact: false, starts: [] as Start[] },
  ] as const;
  for (let round = -1; round < ROUNDS; round++) {
    for (let turn = 0; turn < pages.length; turn++) {
      // The pages take turns in going first, because one may warm caches for the next.
      const page = pages[(turn + round + 1) % pages.length]!; // the index is below the length
      const measured = await start(context, page);
      if (round >= 0) page.starts.push(measured);
    }
  }
  const [shop, bare, bareOfAsMany] = [pages[0].starts, pages[1].starts, pages[2].starts];
  await loadMore(context, url);
  const more: Start[] = [];
  for (let round = -2; round < ROUNDS_WITH_MORE; round++) {
    const ofShop = await start(context, { url, isReact: true });
    if (round >= 0) more.push(ofShop);
  }
  const firstOf = (starts: readonly Start[]) => starts.map(({ firstProductMs }) => firstProductMs);
  const interactiveOf = (starts: readonly Start[]) =>
    starts.map(({ interactiveMs }) => interactiveMs);
  console.log(
    `${PRODUCTS} products, server gone, CPU ${CPU_SLOWDOWN} times slower, ` +
      `median of ${ROUNDS} navigations (${ROUNDS_WITH_MORE} with ${MORE_PRODUCTS} products)`,
  );
  return [
    figure('first product, shop', median(firstOf(shop)), 'ms'),
    figure('first product, bare page', median(firstOf(bare)), 'ms'),
    figure('first product, bare page of as many', median(firstOf(bareOfAsMany)), 'ms'),
    figure('shop to bare page', ratioOf(firstOf(shop), firstOf(bare)), 'times', LIMIT),
    figure('shop to bare page of as many', ratioOf(firstOf(shop), firstOf(bareOfAsMany)), 'times'),
    figure('cards in the shop', cards, 'cards'),
    figure('interactive, shop', median(interactiveOf(shop)), 'ms'),
    figure(`first product, ${MORE_PRODUCTS} products`, median(firstOf(more)), 'ms'),
    figure(`interactive, ${MORE_PRODUCTS} products`, median(interactiveOf(more)), 'ms'),
  ];
}

/** Navigates once in a new page. @param isReact whether React makes the page interactive */
async function start(
  context: BrowserContext,
  { url, isReact }: { readonly url: string; readonly isReact: boolean },
): Promise<Start> {
  const page = await context.newPage();
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url);
    return await page.evaluate(async (isReact) => {
      const { firstProductMs, interactiveMs } = window.firstPaint;
      const timeout = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`no product on ${location.pathname}`)), 20_000);
      });
      const firstMs = await Promise.race([firstProductMs, timeout]);
      return {
        cards: document.querySelectorAll('[role="listitem"]').length,
        firstProductMs: firstMs,
        interactiveMs: isReact ? await Promise.race([interactiveMs, timeout]) : 0,
      };
    }, isReact);
  } finally {
    // The page stores its first screen when it is left, as when a shopper leaves it.
    await page.goto('about:blank');
    await page.close();
  }
}

/** Stores a larger catalogue on the device, with the code of the first load. */
async function loadMore(context: BrowserContext, url: string): Promise<void> {
  const code = await bundle(new URL('./catalogue-store-in-page.ts', import.meta.url));
  const page = await context.newPage();
  await page.goto(url + BARE_PATH);
  await page.evaluate(
    async ({ code, rows }) => {
      const script = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      const module: typeof import('./catalogue-store-in-page.ts') = await import(script);
      await module.writeCatalogue(rows);
    },
    { code, rows: generateRows(MORE_PRODUCTS) },
  );
  await page.close();
}

/** Waits until the first load of the catalogue has ended. */
async function waitUntilLoaded(page: Page): Promise<void> {
  for (;;) {
    const meta = await storedRows<{ key: string; version?: unknown }>(page, 'meta');
    if (meta.some(({ key, version }) => key === 'catalogue' && version)) return;
    await page.waitForTimeout(100);
  }
}
