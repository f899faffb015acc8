import type { Browser, Page } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { openTestShop } from '../supabase/shop.ts';
import { CPU_SLOWDOWN, slowDownCpu, waitForProducts } from './built-shop.ts';
import { type Interaction, installWatch } from './interaction-in-page.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const FEW = 1000;
const MANY = 10_000;
const ROUNDS = 20;
/** Pairs of an even and an odd round that do not count. */
const WARM_UPS = 3;
/** From the tap or letter to the next paint: times that of a tap on nothing. */
const PAINT_LIMIT = 2;
/** From the tap or letter to the paint that shows its result: times that of a tap on nothing. */
const SHOWN_LIMIT = 8;
/** Times the duration with few products. */
const RATIO_LIMIT = 1.5;
const ACCOUNT = { email: 'bench@weft.test', password: 'loom-and-thread' };

/** What a shopper does, and how the page shows it. Odd rounds undo what even rounds do. */
interface Action {
  readonly name: string;
  /** The name of what odd rounds do, if it is reported separately. They then begin with `popstate`. */
  readonly back?: string;
  /** The event with which it begins. */
  readonly firstEvent: 'click' | 'keydown';
  /** Runs once in each page before the rounds. */
  prepare?(page: Page): Promise<void>;
  act(page: Page, isOdd: boolean): Promise<void>;
  /** Whether the page shows the result. Runs in the page. */
  readonly isShown: (isOdd: boolean) => boolean;
}

/** An interaction without a result: the shortest time that this machine can show. */
const NOTHING: Action = {
  name: 'tap on nothing',
  firstEvent: 'click',
  act: (page) => page.locator('h1').click(),
  isShown: () => true,
};

const ACTIONS: readonly Action[] = [
  {
    name: 'chip',
    firstEvent: 'click',
    // Even rounds choose the first category, odd rounds "All".
    act: (page, isOdd) =>
      page.locator(`nav[aria-label=Categories] li:nth-child(${isOdd ? 1 : 2}) a`).click(),
    isShown: (isOdd) =>
      document.querySelector(
        `nav[aria-label=Categories] li:nth-child(${isOdd ? 1 : 2}) a[aria-current]`,
      ) !== null,
  },
  {
    name: 'sort',
    firstEvent: 'keydown',
    prepare: (page) => page.locator('select[name=sort]').focus(),
    act: (page, isOdd) => page.keyboard.press(isOdd ? 'ArrowUp' : 'ArrowDown'),
    isShown: (isOdd) => {
      const first = document.querySelector('article')?.dataset['product'];
      return (first === (window as { firstProduct?: string }).firstProduct) === isOdd; // set by `openPage`
    },
  },
  {
    name: 'filter',
    firstEvent: 'click',
    prepare: (page) => page.getByRole('button', { name: 'Filters' }).click(),
    act: (page) => page.locator('dialog label').first().click(),
    isShown: (isOdd) => {
      const all = Number((window as { allProducts?: number }).allProducts);
      const count = Number(document.querySelector('output')?.textContent?.replace(/\D/g, ''));
      return (count === all) === isOdd;
    },
  },
  {
    name: 'card to product',
    back: 'product to back',
    firstEvent: 'click',
    // Closes the dialog of the filters.
    prepare: (page) => page.keyboard.press('Escape'),
    act: async (page, isOdd) => {
      if (isOdd) await page.evaluate(() => history.back());
      else await page.locator('article h2 a').first().click();
    },
    isShown: (isOdd) => (document.querySelector('main [data-row]') !== null) === isOdd,
  },
  {
    name: 'search keystroke',
    firstEvent: 'keydown',
    prepare: (page) => page.locator('main input[type=search]').focus(),
    act: (page, isOdd) => page.keyboard.press(isOdd ? 'Backspace' : 'b'),
    isShown: (isOdd) => {
      const all = Number((window as { allProducts?: number }).allProducts);
      const count = Number(document.querySelector('output')?.textContent?.replace(/\D/g, ''));
      return isOdd ? count === all : count < all;
    },
  },
  {
    name: 'heart',
    firstEvent: 'click',
    act: (page) => page.locator('article button[aria-pressed]').first().click(),
    isShown: (isOdd) =>
      document.querySelector('article button[aria-pressed]')?.getAttribute('aria-pressed') ===
      String(!isOdd),
  },
  {
    name: 'add to cart',
    firstEvent: 'click',
    act: (page) => page.locator('article button[data-added]').first().click(),
    isShown: () =>
      document.querySelector('article button[data-added]')?.getAttribute('data-added') === 'true',
  },
];

/**
 * Measures from a tap or a letter to the next paint, in the built shop with a slow CPU and a signed-in
 * shopper, in turns with a thousand and with ten thousand products.
 */
export async function measureInteraction(): Promise<Figure[]> {
  await buildSite(SITE_FOLDER);
  await using browser = await launchBrowser();
  await using few = await openPage(browser, FEW);
  await using many = await openPage(browser, MANY);
  console.log(
    `CPU ${CPU_SLOWDOWN} times slower, median of ${ROUNDS}, ${FEW} and ${MANY} products in turns`,
  );
  const nothing = await measure(NOTHING, few.page, many.page);
  const figures = [...timesOf(NOTHING.name, nothing)];
  for (const action of ACTIONS) {
    const measured = await measure(action, few.page, many.page);
    const { name, back } = action;
    if (back === undefined) {
      figures.push(...figuresOf(name, measured, nothing));
    } else {
      figures.push(...figuresOf(name, everySecond(measured, 'even'), nothing));
      figures.push(...figuresOf(back, everySecond(measured, 'odd'), nothing));
    }
  }
  return figures;
}

/** The interactions of one action, round by round, in the page with few and in that with many products. */
interface Measured {
  readonly few: readonly Interaction[];
  readonly many: readonly Interaction[];
}

function everySecond({ few, many }: Measured, rounds: 'even' | 'odd'): Measured {
  const remainder = rounds === 'even' ? 0 : 1;
  const pick = (interactions: readonly Interaction[]) =>
    interactions.filter((_, round) => round % 2 === remainder);
  return { few: pick(few), many: pick(many) };
}

/** Measures one action in both pages, in turns. */
async function measure(action: Action, few: Page, many: Page): Promise<Measured> {
  const ofFew: Interaction[] = [];
  const ofMany: Interaction[] = [];
  for (const page of [few, many]) await action.prepare?.(page);
  for (let round = -WARM_UPS * 2; round < ROUNDS; round++) {
    const isOdd = round % 2 !== 0;
    for (const page of isOdd ? [many, few] : [few, many]) {
      const interaction = await interact(action, page, isOdd);
      if (round >= 0) (page === few ? ofFew : ofMany).push(interaction);
    }
  }
  return { few: ofFew, many: ofMany };
}

function paintsOf(interactions: readonly Interaction[]): number[] {
  return interactions.map(({ nextPaintMs }) => nextPaintMs);
}

function shownOf(interactions: readonly Interaction[]): number[] {
  return interactions.map(({ shownMs }) => shownMs);
}

function timesOf(name: string, { few, many }: Measured): Figure[] {
  return [
    figure(`${name}: next paint, ${FEW} products`, median(paintsOf(few)), 'ms'),
    figure(`${name}: next paint, ${MANY} products`, median(paintsOf(many)), 'ms'),
    figure(`${name}: shown, ${FEW} products`, median(shownOf(few)), 'ms'),
    figure(`${name}: shown, ${MANY} products`, median(shownOf(many)), 'ms'),
  ];
}

/** @param nothing the taps on nothing in the same run */
function figuresOf(name: string, measured: Measured, nothing: Measured): Figure[] {
  const { few, many } = measured;
  const paint = median(paintsOf(many)) / median(paintsOf(nothing.many));
  const shown = median(shownOf(many)) / median(shownOf(nothing.many));
  const growth = ratioOf(paintsOf(many), paintsOf(few));
  return [
    ...timesOf(name, measured),
    figure(`${name}: next paint, to a tap on nothing`, paint, 'times', PAINT_LIMIT),
    figure(`${name}: shown, to a tap on nothing`, shown, 'times', SHOWN_LIMIT),
    figure(`${name}: ${MANY} to ${FEW}`, growth, 'times', RATIO_LIMIT),
  ];
}

async function interact(action: Action, page: Page, isOdd: boolean): Promise<Interaction> {
  await page.bringToFront();
  const isShown = `() => (${action.isShown.toString()})(${isOdd})`;
  const firstEvent = isOdd && action.back !== undefined ? 'popstate' : action.firstEvent;
  await page.evaluate(
    `void (window.interaction = window.watchInteraction('${firstEvent}', ${isShown}))`,
  );
  await action.act(page, isOdd);
  const measured = await page.evaluate(
    () => (window as { interaction?: Promise<Interaction> }).interaction,
  );
  // Lets the page come to rest: "Added" is shown for 1.6 s and must not count for the next tap.
  await page.waitForTimeout(action.name === 'add to cart' ? 1800 : 250);
  return measured!; // set above
}

/** Opens a shop with products, and a page that has loaded them all and is signed in. */
async function openPage(browser: Browser, products: number) {
  const shop = await openTestShop({ siteFolder: SITE_FOLDER });
  await importRows(shop.backend, generateProducts(products));
  await shop.backend.addAccount(ACCOUNT);
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.addInitScript(installWatch);
  await logIn(page, shop.url, ACCOUNT.email, ACCOUNT.password);
  await waitForProducts(page, products);
  await page.getByRole('button', { name: 'Favourites', exact: true }).waitFor();
  await page.evaluate((allProducts) => {
    const firstProduct = document.querySelector('article')?.dataset['product'];
    Object.assign(window, { allProducts, firstProduct });
  }, products);
  await slowDownCpu(page);
  // Lets the page finish what it does when it is idle.
  await page.waitForTimeout(3000);
  return {
    page,
    async [Symbol.asyncDispose]() {
      await context.close();
      await shop.close();
    },
  };
}
