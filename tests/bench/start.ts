import type { BrowserContext, Page } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE, waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { buildSite } from '../build-once.ts';
import { openTestShop, temporaryFolder } from '../supabase/shop.ts';
import { BARE_PATH, installBarePage } from './bare-page.ts';
import { CPU_SLOWDOWN, slowDownCpu, waitForProducts } from './shop-page.ts';
import { watchFirstPaint } from './first-paint-in-page.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

const PRODUCTS = 10_000;
const ROUNDS = 21;
/** At most so many times the duration of the bare page. */
const LIMIT = 1.15;

/** The times of one navigation, in milliseconds from its start. */
interface Start {
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
  await using browser = await launchBrowser();
  const context = await browser.newContext({ viewport: PHONE });
  await context.addInitScript(watchFirstPaint);
  const url = await visitOnce(context);
  return await measureOffline(context, url);
}

/**
 * Visits the shop and the bare page once, each until everything is stored on the device. Then closes the
 * shop, and returns its address.
 */
async function visitOnce(context: BrowserContext): Promise<string> {
  // The bare page is written into the folder of this build.
  await using folder = await temporaryFolder();
  await buildSite(folder.path);
  await using shop = await openTestShop({ siteFolder: folder.path });
  await importRows(shop.backend, generateProducts(PRODUCTS));
  await using page = await context.newPage();
  await page.goto(shop.url);
  await waitForProducts(page, PRODUCTS);
  await waitUntilLoaded(page);
  await waitForWorker(page);
  await page.waitForLoadState('networkidle');
  // The navigation to the bare page makes the shop store its first screen for the next visit.
  await installBarePage(page, folder.path, shop.url);
  return shop.url;
}

async function measureOffline(context: BrowserContext, url: string): Promise<Figure[]> {
  const startShop = () => navigate(context, { url, isReact: true });
  const startBarePage = () => navigate(context, { url: url + BARE_PATH, isReact: false });
  const { shop, bare } = await inTurns(
    { rounds: ROUNDS, warmUps: 1 },
    { shop: startShop, bare: startBarePage },
  );
  const firstOf = (starts: readonly Start[]) => starts.map(({ firstProductMs }) => firstProductMs);
  console.log(
    `${PRODUCTS} products, server gone, CPU ${CPU_SLOWDOWN} times slower, ` +
      `median of ${ROUNDS} navigations`,
  );
  return [
    figure('first product, shop', median(firstOf(shop)), 'ms'),
    figure('first product, bare page', median(firstOf(bare)), 'ms'),
    figure('shop to bare page', ratioOf(firstOf(shop), firstOf(bare)), 'times', LIMIT),
    figure('interactive, shop', median(shop.map(({ interactiveMs }) => interactiveMs)), 'ms'),
  ];
}

/** Navigates once in a new page. @param isReact whether React makes the page interactive */
async function navigate(
  context: BrowserContext,
  { url, isReact }: { readonly url: string; readonly isReact: boolean },
): Promise<Start> {
  const page = await context.newPage();
  try {
    await slowDownCpu(page);
    await page.goto(url);
    return await page.evaluate(async (isReact) => {
      const { firstProductMs, interactiveMs } = window.firstPaint;
      const timeout = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`no product on ${location.pathname}`)), 20_000);
      });
      const firstMs = await Promise.race([firstProductMs, timeout]);
      return {
        firstProductMs: firstMs,
        interactiveMs: isReact ? await Promise.race([interactiveMs, timeout]) : 0,
      };
    }, isReact);
  } finally {
    // Leaves the page before closing it: the shop then stores its first screen, as when a shopper leaves.
    await page.goto('about:blank');
    await page.close();
  }
}

/** Waits until the first load of the catalogue has ended. */
async function waitUntilLoaded(page: Page): Promise<void> {
  for (;;) {
    const meta = await storedRows<{ key: string; version?: unknown }>(page, 'meta');
    if (meta.some(({ key, version }) => key === 'catalogue' && version)) return;
    await page.waitForTimeout(100);
  }
}
