import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { type FrozenTab, openFrozenTab } from '../browser/frozen-tab.ts';
import { logIn } from '../browser/log-in.ts';
import { PASSWORD } from '../browser/shopper.ts';
import { buildSite } from '../build-once.ts';
import { openTestShop, temporaryFolder, type TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { watchFirstPaint } from './first-paint-in-page.ts';
import * as inPage from './frozen-in-page.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

/** `npm run bench -- frozen 1000`: as many as the shop is held to; these take a few minutes. */
const FREEZES = Number(process.argv[3] ?? 200);
const ROUNDS = 15;
/** So many freezes last until what is tapped is answered, whatever it is answered by. */
const EVERY = 5;
const PRODUCTS = 1000;
/** What a tap writes. */
const STORES = ['meta', 'bases', 'outbox'];
const EMAIL = 'frozen@weft.test';

/** A shop beside a tab of it that the system freezes in the middle of a transaction. */
export async function measureFrozen(): Promise<Figure[]> {
  await using folder = await temporaryFolder();
  await buildSite(folder.path);
  const browser = await launchBrowser();
  const shop = await openTestShop({ siteFolder: folder.path });
  try {
    await stock(shop.backend, numbered(PRODUCTS));
    await shop.backend.addAccount({ email: EMAIL, password: PASSWORD });
    return await measure(browser, shop);
  } finally {
    await browser.close();
    await shop.close();
  }
}

async function measure(browser: Browser, shop: TestShop): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await context.newPage();
  await logIn(page, shop.url, EMAIL, PASSWORD);
  await page.getByText('1,000 products', { exact: true }).waitFor();
  await waitForWorker(page);
  await page.waitForLoadState('networkidle');
  const sibling = await openFrozenTab(context, shop.url);

  const kept = await starts(context, shop.url, sibling, true);
  const read = await starts(context, shop.url, sibling, false);

  await page.bringToFront();
  const tapped = await tapBeside(page, sibling);
  const { lost, doubled } = await compare(page, shop, tapped);
  const { answersMs } = tapped;
  console.log(`${ROUNDS} starts each and ${FREEZES} freezes in Chromium, medians`);
  return [
    figure('products, alone', median(kept.alone), 'ms'),
    figure('products, beside a frozen tab', median(kept.beside), 'ms'),
    figure('products: beside to alone', ratioOf(kept.beside, kept.alone), 'times', 1.25),
    figure('products without a kept screen, alone', median(read.alone), 'ms'),
    figure('products without a kept screen, beside', median(read.beside), 'ms'),
    figure(
      'without a kept screen: beside to alone',
      ratioOf(read.beside, read.alone),
      'times',
      1.25,
    ),
    figure('taps', tapped.count, 'taps'),
    figure('a tap beside a frozen tab answered, median', median(answersMs), 'ms'),
    figure('a tap beside a frozen tab answered, longest', Math.max(...answersMs), 'ms', 1000),
    figure('taps lost', lost, 'taps', 0),
    figure('taps done twice', doubled, 'taps', 0),
  ];
}

/** From the navigation to the first product painted, in turns with and without the frozen tab. */
async function starts(context: BrowserContext, url: string, sibling: FrozenTab, isKept: boolean) {
  const times = { alone: [] as number[], beside: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const way of ['alone', 'beside'] as const) {
      if (way === 'beside') await sibling.freeze(STORES);
      const ms = await start(context, url, isKept);
      if (way === 'beside') await sibling.thaw();
      if (round >= 0) times[way].push(ms);
    }
  }
  return times;
}

/** @param isKept whether the screen of the last visit stands there first */
async function start(context: BrowserContext, url: string, isKept: boolean): Promise<number> {
  const page = await context.newPage();
  try {
    await page.addInitScript(watchFirstPaint);
    if (!isKept) await page.addInitScript(() => localStorage.removeItem('first-screen'));
    await page.goto(url);
    return await page.evaluate(() => window.firstPaint.firstProductMs);
  } finally {
    await page.close(); // which keeps its screen
  }
}

interface Tapped {
  /** What must be there in the end: pieces by product, and the products whose heart is full. */
  readonly cart: Map<number, number>;
  readonly hearts: Set<number>;
  readonly answersMs: number[];
  count: number;
}

/** In each freeze one piece of a product and the heart of another. */
async function tapBeside(page: Page, sibling: FrozenTab): Promise<Tapped> {
  const ids = await page.evaluate(inPage.shownProducts);
  const tapped: Tapped = { cart: new Map(), hearts: new Set(), answersMs: [], count: 0 };
  for (let round = 0; round < FREEZES; round++) {
    const added = ids[round % ids.length]!; // a place inside
    const loved = ids[(round * 7 + 3) % ids.length]!; // a place inside
    await sibling.freeze(STORES);
    const isTimed = round % EVERY === 0;
    const answer = page.evaluate(inPage.tapAdd, added);
    await page.evaluate(inPage.tapHeart, loved);
    if (isTimed) tapped.answersMs.push(await answer);
    else await page.waitForTimeout((round * 37) % 300);
    await sibling.thaw();
    await answer;
    tapped.cart.set(added, (tapped.cart.get(added) ?? 0) + 1);
    if (!tapped.hearts.delete(loved)) tapped.hearts.add(loved);
    await page.waitForFunction(inPage.isHeartFull, [loved, tapped.hearts.has(loved)] as const);
    tapped.count += 2;
  }
  return tapped;
}

/** What is on the server once the outbox is empty, against what was tapped. */
async function compare(page: Page, shop: TestShop, { cart, hearts }: Tapped) {
  while ((await storedRows(page, 'outbox')).length > 0) await page.waitForTimeout(500);
  const lines = await shop.backend.query('select product_id as id, quantity from cart_items');
  const full = await shop.backend.query('select product_id as id from favorites');
  const quantities = new Map(lines.map((row) => [Number(row['id']), Number(row['quantity'])]));
  const loved = new Set(full.map((row) => Number(row['id'])));
  const missing = [...cart].map(([id, pieces]) => pieces - (quantities.get(id) ?? 0));
  const wrong = [...hearts.symmetricDifference(loved)].length;
  const sum = (each: readonly number[]) => each.reduce((total, n) => total + n, 0);
  return {
    lost: sum(missing.filter((n) => n > 0)) + wrong,
    doubled: -sum(missing.filter((n) => n < 0)),
  };
}
