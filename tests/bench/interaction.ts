import type { Browser, Page } from 'playwright-core';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { logIn } from '../browser/log-in.ts';
import { buildSite, SITE_FOLDER } from '../build-once.ts';
import { openTestShop } from '../supabase/shop.ts';
import { type Interaction, installWatch } from './interaction-in-page.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const FEW = 1000;
const MANY = 10_000;
const ROUNDS = 20;
const WARM_UPS = 3;
/** How much slower a cheap phone is than a developer's machine. */
const CPU_SLOWDOWN = 4;
/** From the tap or letter to the next paint. */
const LIMIT_MS = 50;
/** Times the duration with few products. */
const RATIO_LIMIT = 1.5;
const ACCOUNT = { email: 'bench@weft.test', password: 'loom-and-thread' };

/** What a shopper does, and how the page shows it. Odd rounds undo what even rounds do. */
interface Action {
  readonly name: string;
  /** The event with which it begins. */
  readonly begins: 'click' | 'keydown';
  act(page: Page, isOdd: boolean): Promise<void>;
  /** Whether the page shows the result. Runs in the page. */
  readonly isShown: (isOdd: boolean) => boolean;
}

/** An interaction without a result: the shortest time that this machine can show. */
const NOTHING: Action = {
  name: 'tap on nothing',
  begins: 'click',
  act: (page) => page.locator('h1').click(),
  isShown: () => true,
};

const ACTIONS: readonly Action[] = [
  NOTHING,
  {
    name: 'chip',
    begins: 'click',
    // Even rounds choose the first category, odd rounds "All".
    act: (page, isOdd) =>
      page.locator(`nav[aria-label=Categories] li:nth-child(${isOdd ? 2 : 3}) a`).click(),
    isShown: (isOdd) =>
      document.querySelector(
        `nav[aria-label=Categories] li:nth-child(${isOdd ? 2 : 3}) a[aria-current]`,
      ) !== null,
  },
  {
    name: 'search keystroke',
    begins: 'keydown',
    act: async (page, isOdd) => {
      await page.keyboard.press(isOdd ? 'Backspace' : 'b');
    },
    isShown: (isOdd) => {
      const all = Number((window as { allProducts?: number }).allProducts);
      const count = Number.parseInt(
        document.querySelector('output')?.textContent?.replace(/\D/g, '') ?? '',
        10,
      );
      return isOdd ? count === all : count < all;
    },
  },
  {
    name: 'heart',
    begins: 'click',
    act: (page) => page.locator('article button[aria-pressed]').first().click(),
    isShown: (isOdd) =>
      document.querySelector('article button[aria-pressed]')?.getAttribute('aria-pressed') ===
      String(!isOdd),
  },
  {
    name: 'add to cart',
    begins: 'click',
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
  const browser = await launchBrowser();
  try {
    await using few = await openPage(browser, FEW);
    await using many = await openPage(browser, MANY);
    console.log(
      `CPU ${CPU_SLOWDOWN} times slower, median of ${ROUNDS}, ${FEW} and ${MANY} products in turns`,
    );
    const figures: Figure[] = [];
    for (const action of ACTIONS) figures.push(...(await measure(action, few.page, many.page)));
    return figures;
  } finally {
    await browser.close();
  }
}

/** Measures one action in both pages, in turns. */
async function measure(action: Action, few: Page, many: Page): Promise<Figure[]> {
  const ofFew: Interaction[] = [];
  const ofMany: Interaction[] = [];
  for (const page of [few, many]) {
    if (action.begins === 'keydown') await page.locator('main input[type=search]').focus();
  }
  for (let round = -WARM_UPS * 2; round < ROUNDS; round++) {
    const isOdd = round % 2 !== 0;
    for (const page of isOdd ? [many, few] : [few, many]) {
      const interaction = await interact(action, page, isOdd);
      if (round >= 0) (page === few ? ofFew : ofMany).push(interaction);
    }
  }
  const paintsOf = (those: readonly Interaction[]) => those.map(({ nextPaintMs }) => nextPaintMs);
  const shownOf = (those: readonly Interaction[]) => those.map(({ shownMs }) => shownMs);
  const { name } = action;
  const [limitMs, limit] = action === NOTHING ? [null, null] : [LIMIT_MS, RATIO_LIMIT];
  return [
    figure(`${name}: next paint, ${FEW} products`, median(paintsOf(ofFew)), 'ms'),
    figure(`${name}: next paint, ${MANY} products`, median(paintsOf(ofMany)), 'ms', limitMs),
    figure(
      `${name}: ${MANY} to ${FEW}`,
      ratioOf(paintsOf(ofMany), paintsOf(ofFew)),
      'times',
      limit,
    ),
    figure(`${name}: shown, ${FEW} products`, median(shownOf(ofFew)), 'ms'),
    figure(`${name}: shown, ${MANY} products`, median(shownOf(ofMany)), 'ms'),
  ];
}

/** Does an action once. */
async function interact(action: Action, page: Page, isOdd: boolean): Promise<Interaction> {
  await page.bringToFront();
  const isShown = `() => (${action.isShown.toString()})(${isOdd})`;
  await page.evaluate(
    `void (window.interaction = window.watchInteraction('${action.begins}', ${isShown}))`,
  );
  await action.act(page, isOdd);
  const measured = await page.evaluate(
    () => (window as { interaction?: Promise<Interaction> }).interaction,
  );
  // Lets the page come to rest: "Added" is shown for 1.6 s and must not count for the next tap.
  await page.waitForTimeout(action.name === 'add to cart' ? 1800 : 250);
  return measured!; // set above
}

/** Opens a shop with so many products, and a page that has loaded them all and is signed in. */
async function openPage(browser: Browser, products: number) {
  const shop = await openTestShop({ siteFolder: SITE_FOLDER });
  await importRows(shop.backend, generateProducts(products));
  await shop.backend.addAccount(ACCOUNT);
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.addInitScript(installWatch);
  await logIn(page, shop.url, ACCOUNT.email, ACCOUNT.password);
  const count = `${products.toLocaleString('en-US')} products`;
  await page.getByText(count, { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Favourites' }).waitFor();
  await page.evaluate((all) => Object.assign(window, { allProducts: all }), products);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.waitForTimeout(3000);
  return {
    page,
    async [Symbol.asyncDispose]() {
      await context.close();
      await shop.close();
    },
  };
}
