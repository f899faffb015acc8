import type { Browser, Page } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { openTestShop } from '../supabase/shop.ts';
import { CPU_SLOWDOWN, slowDownCpu, waitForProducts } from './shop-page.ts';
import { type Interaction, installWatch } from './interaction-in-page.ts';
import { type Figure, figure, median } from './report.ts';

const PRODUCTS = 10_000;
const ROUNDS = 20;
/** Pairs of an even and an odd round that do not count. */
const WARM_UPS = 3;
/** From the tap or letter to the next paint: at most so many times that of a tap on nothing. */
const PAINT_LIMIT = 2;
/** From the tap or letter to the paint that shows its result: at most so many times that of a tap on nothing. */
const SHOWN_LIMIT = 8;
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

/** Whether the page shows all products in an odd round, and fewer in an even one. Runs in the page. */
const showsAllIfOdd = (isOdd: boolean) => {
  const all = Number((window as { allProducts?: number }).allProducts); // set by `openPage`
  const count = Number(document.querySelector('output')?.textContent?.replace(/\D/g, ''));
  return isOdd ? count === all : count < all;
};

const ACTIONS: readonly Action[] = [
  {
    name: 'chip',
    firstEvent: 'click',
    // Even rounds choose the first category, odd rounds "All".
    act: (page, isOdd) =>
      page.locator(`nav[aria-label=Categories] li:nth-child(${isOdd ? 1 : 2}) a`).click(),
    // Not the chip, which the page shows as chosen before the products.
    isShown: showsAllIfOdd,
  },
  {
    name: 'sort',
    firstEvent: 'keydown',
    prepare: (page) => page.locator('select[name=sort]').focus(),
    act: (page, isOdd) => page.keyboard.press(isOdd ? 'ArrowUp' : 'ArrowDown'),
    isShown: (isOdd) => {
      const first = document.querySelector('article')?.dataset['product'];
      return (first === (window as { firstProduct?: string }).firstProduct) === isOdd;
    },
  },
  {
    name: 'filter',
    firstEvent: 'click',
    prepare: (page) => page.getByRole('button', { name: 'Filters' }).click(),
    act: (page) => page.locator('dialog label').first().click(),
    isShown: showsAllIfOdd,
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
    isShown: showsAllIfOdd,
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
 * Measures from a tap or a letter to the next paint and to its result, in the built shop with a slow CPU and a
 * signed-in shopper.
 */
export async function measureInteraction(): Promise<Figure[]> {
  await buildSite(SITE_FOLDER);
  await using browser = await launchBrowser();
  await using opened = await openPage(browser);
  const { page } = opened;
  console.log(`${PRODUCTS} products, CPU ${CPU_SLOWDOWN} times slower, median of ${ROUNDS}`);
  const nothing = await measure(NOTHING, page);
  const figures = [...timesOf(NOTHING.name, nothing)];
  for (const action of ACTIONS) {
    const measured = await measure(action, page);
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

/** The interactions of even rounds, or of odd ones. */
function everySecond(interactions: readonly Interaction[], rounds: 'even' | 'odd'): Interaction[] {
  const remainder = rounds === 'even' ? 0 : 1;
  return interactions.filter((_, round) => round % 2 === remainder);
}

async function measure(action: Action, page: Page): Promise<Interaction[]> {
  const interactions: Interaction[] = [];
  await action.prepare?.(page);
  for (let round = -WARM_UPS * 2; round < ROUNDS; round++) {
    const interaction = await interact(action, page, round % 2 !== 0);
    if (round >= 0) interactions.push(interaction);
  }
  return interactions;
}

const paintOf = (interactions: readonly Interaction[]) =>
  median(interactions.map(({ nextPaintMs }) => nextPaintMs));
const shownOf = (interactions: readonly Interaction[]) =>
  median(interactions.map(({ shownMs }) => shownMs));

function timesOf(name: string, interactions: readonly Interaction[]): Figure[] {
  return [
    figure(`${name}: next paint`, paintOf(interactions), 'ms'),
    figure(`${name}: shown`, shownOf(interactions), 'ms'),
  ];
}

/** @param nothing the taps on nothing in the same run */
function figuresOf(
  name: string,
  measured: readonly Interaction[],
  nothing: readonly Interaction[],
): Figure[] {
  const paint = paintOf(measured) / paintOf(nothing);
  const shown = shownOf(measured) / shownOf(nothing);
  return [
    ...timesOf(name, measured),
    figure(`${name}: next paint, to a tap on nothing`, paint, 'times', PAINT_LIMIT),
    figure(`${name}: shown, to a tap on nothing`, shown, 'times', SHOWN_LIMIT),
  ];
}

async function interact(action: Action, page: Page, isOdd: boolean): Promise<Interaction> {
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
async function openPage(browser: Browser) {
  const shop = await openTestShop({ siteFolder: SITE_FOLDER });
  await importRows(shop.backend, generateProducts(PRODUCTS));
  await shop.backend.addAccount(ACCOUNT);
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.addInitScript(installWatch);
  await logIn(page, shop.url, ACCOUNT.email, ACCOUNT.password);
  await waitForProducts(page, PRODUCTS);
  await page.getByRole('button', { name: 'Favourites', exact: true }).waitFor();
  await page.evaluate((allProducts) => {
    const firstProduct = document.querySelector('article')?.dataset['product'];
    Object.assign(window, { allProducts, firstProduct });
  }, PRODUCTS);
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
