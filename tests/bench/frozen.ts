import type { BrowserContext, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, waitForWorker } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { type FrozenTab, openFrozenTab } from '../browser/frozen-tab.ts';
import { logIn } from '../browser/log-in.ts';
import { PASSWORD } from '../browser/shopper.ts';
import type { TestShop } from '../supabase/shop.ts';
import { numbered, stock } from '../supabase/stock.ts';
import { openBuiltShop, waitForProducts } from './built-shop.ts';
import { watchFirstPaint } from './first-paint-in-page.ts';
import * as inPage from './frozen-in-page.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

/** The limits are meant for 1,000 freezes (`npm run bench -- frozen 1000`), which take a few minutes. */
const FREEZES = Number(process.argv[3] ?? 200);
const ROUNDS = 15;
/** Every fifth freeze lasts until the page answers the tap; the other freezes end after a varying time. */
const TIMED_EVERY = 5;
const PRODUCTS = 1000;
/** Times the duration without a frozen tab. */
const START_LIMIT = 1.25;
const ANSWER_LIMIT_MS = 1000;
/** The stores that a tap writes to. */
const STORES = ['meta', 'bases', 'outbox'];
const EMAIL = 'frozen@weft.test';

/** Starts and taps in one tab while the system has frozen another in the middle of a transaction. */
export async function measureFrozen(): Promise<Figure[]> {
  await using shop = await openBuiltShop();
  await using browser = await launchBrowser();
  await stock(shop.backend, numbered(PRODUCTS));
  await shop.backend.addAccount({ email: EMAIL, password: PASSWORD });
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await context.newPage();
  await logIn(page, shop.url, EMAIL, PASSWORD);
  await waitForProducts(page, PRODUCTS);
  await waitForWorker(page);
  await page.waitForLoadState('networkidle');
  const sibling = await openFrozenTab(context, shop.url);

  const kept = await measureStarts(context, shop.url, sibling, 'kept');
  const removed = await measureStarts(context, shop.url, sibling, 'removed');

  await page.bringToFront();
  const tapped = await tapBeside(page, sibling);
  const { lost, doubled } = await compare(page, shop, tapped);
  const { answersMs } = tapped;
  console.log(`${ROUNDS} starts each and ${FREEZES} freezes in Chromium, medians`);
  return [
    figure('products, alone', median(kept.alone), 'ms'),
    figure('products, beside a frozen tab', median(kept.beside), 'ms'),
    figure('products: beside to alone', ratioOf(kept.beside, kept.alone), 'times', START_LIMIT),
    figure('products without a kept screen, alone', median(removed.alone), 'ms'),
    figure('products without a kept screen, beside', median(removed.beside), 'ms'),
    figure(
      'without a kept screen: beside to alone',
      ratioOf(removed.beside, removed.alone),
      'times',
      START_LIMIT,
    ),
    figure('taps', tapped.count, 'taps'),
    figure('a tap beside a frozen tab answered, median', median(answersMs), 'ms'),
    figure(
      'a tap beside a frozen tab answered, longest',
      Math.max(...answersMs),
      'ms',
      ANSWER_LIMIT_MS,
    ),
    figure('taps lost', lost, 'taps', 0),
    figure('taps done twice', doubled, 'taps', 0),
  ];
}

/** Whether a start finds the stored screen of the last visit, or must read the catalogue. */
type LastScreen = 'kept' | 'removed';

/** Measures starts of the shop, in turns with and without a frozen tab. */
function measureStarts(context: BrowserContext, url: string, tab: FrozenTab, screen: LastScreen) {
  const alone = () => measureStart(context, url, screen);
  const beside = async () => {
    await tab.freeze(STORES);
    const ms = await alone();
    await tab.thaw();
    return ms;
  };
  return inTurns({ rounds: ROUNDS, warmUps: 1 }, { alone, beside });
}

/** Opens the shop once. Returns the milliseconds until the first product was painted. */
async function measureStart(
  context: BrowserContext,
  url: string,
  screen: LastScreen,
): Promise<number> {
  await using page = await context.newPage(); // closing it stores its screen for the next visit
  await page.addInitScript(watchFirstPaint);
  if (screen === 'removed') {
    await page.addInitScript(() => localStorage.removeItem('first-screen'));
  }
  await page.goto(url);
  return await page.evaluate(() => window.firstPaint.firstProductMs);
}

/** What was tapped, and how long the page took to answer. */
interface Tapped {
  /** Pieces that the cart must have in the end, by product id. */
  readonly cart: Map<number, number>;
  /** Ids of the products that must be favourites in the end. */
  readonly favourites: Set<number>;
  readonly answersMs: number[];
  count: number;
}

/** In each freeze, adds one piece of a product to the cart and taps the heart of another product. */
async function tapBeside(page: Page, sibling: FrozenTab): Promise<Tapped> {
  const ids = await page.evaluate(inPage.shownProducts);
  const tapped: Tapped = { cart: new Map(), favourites: new Set(), answersMs: [], count: 0 };
  for (let round = 0; round < FREEZES; round++) {
    const added = ids[round % ids.length]!; // the index is below the length
    const favourite = ids[(round * 7 + 3) % ids.length]!; // in another order than `added`
    await sibling.freeze(STORES);
    const isTimed = round % TIMED_EVERY === 0;
    const answer = page.evaluate(inPage.tapAdd, added);
    await page.evaluate(inPage.tapHeart, favourite);
    if (isTimed) tapped.answersMs.push(await answer);
    else await page.waitForTimeout((round * 37) % 300);
    await sibling.thaw();
    await answer;
    tapped.cart.set(added, (tapped.cart.get(added) ?? 0) + 1);
    const isFull = !tapped.favourites.delete(favourite);
    if (isFull) tapped.favourites.add(favourite);
    await page.waitForFunction(inPage.isHeartAsExpected, [favourite, isFull] as const);
    tapped.count += 2;
  }
  return tapped;
}

/** Compares what the server has once the outbox is empty with what was tapped. */
async function compare(page: Page, shop: TestShop, { cart, favourites }: Tapped) {
  while ((await storedRows(page, 'outbox')).length > 0) await page.waitForTimeout(500);
  const lines = await shop.backend.query('select product_id as id, quantity from cart_items');
  const hearts = await shop.backend.query('select product_id as id from favorites');
  const quantities = new Map(lines.map((row) => [Number(row['id']), Number(row['quantity'])]));
  const stored = new Set(hearts.map((row) => Number(row['id'])));
  const missing = [...cart].map(([id, pieces]) => pieces - (quantities.get(id) ?? 0));
  const wrongFavourites = [...favourites.symmetricDifference(stored)].length;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  return {
    lost: sum(missing.filter((n) => n > 0)) + wrongFavourites,
    doubled: -sum(missing.filter((n) => n < 0)),
  };
}
