/** Random taps of two shoppers in three windows over a faulty line, compared with a model of their carts. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayingShop } from '../browser/paying-shop.ts';
import { type Line, openLine } from '../browser/proxy.ts';
import { type Fault, FAULTS } from '../browser/request-faults.ts';
import { Shopper } from '../browser/shopper.ts';
import { SEED, seeded } from '../random.ts';
import { stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

const SCHEDULES = 25;
/** Taps and changes of the network in one schedule. */
const STEPS = 8;
/** Names and stock codes of the products. */
const NAMES = ['Shirt', 'Sock', 'Scarf', 'Coat'];

let payingShop: PayingShop;
let line: Line;
let browser: Browser;

beforeAll(async () => {
  payingShop = await cleanShop();
  line = await openLine(payingShop.shop.url);
  browser = await cleanBrowser();
  await stock(
    payingShop.shop.backend,
    NAMES.map((name) => ({ SKC: name, 'Category 1': name, 'Retail Price': 10 })),
  );
});
afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await line.close();
});

/** An empty window. */
const openContext = () => browser.newContext({ viewport: { width: 1200, height: 900 } });

/** What a window shows: how many pieces are in the cart, and the names of the favourites. */
function readShown({ page }: Shopper) {
  return page.evaluate(() => ({
    count: Number(
      document.querySelector('header a[href="/cart"]')?.textContent?.replace(/\D/g, ''),
    ),
    favourites: [...document.querySelectorAll('article')]
      .filter((card) => card.querySelector('[aria-pressed="true"]'))
      .map((card) => card.querySelector('h2')?.textContent ?? '')
      .sort(),
  }));
}

/** What the server and all windows of a shopper must show in the end. */
interface Model {
  readonly cart: Record<string, number>;
  readonly hearts: Set<string>;
}

const newModel = (): Model => ({ cart: {}, hearts: new Set() });

const pick = <T>(random: () => number, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)]!; // never empty

test(
  `${SCHEDULES} random schedules over a faulty line: every tap in three windows reaches the server once`,
  { tags: 'long', timeout: 300_000 },
  async () => {
    console.log(`replay with SEED=${SEED}`);
    const random = seeded(SEED);
    const noFault = (): Fault => 'none';
    let choose = noFault;
    const faults = line.addFaults({
      url: /\/rpc\/(push|pull)$/,
      choose: ({ method }) => (method === 'POST' ? choose() : 'none'),
    });
    const behindFaults = { ...payingShop, line };
    const anna = await Shopper.register(behindFaults, await openContext());
    const ben = await Shopper.register(behindFaults, await openContext());
    // Anna has two windows.
    const windows = [anna, await anna.inNewPage(await openContext()), ben];
    for (const window of windows) await window.logIn();
    const models = new Map([anna, ben].map(({ email }) => [email, newModel()]));

    for (let schedule = 0; schedule < SCHEDULES; schedule++) {
      choose = () => pick(random, FAULTS);
      for (let step = 0; step < STEPS; step++) {
        const index = Math.floor(random() * windows.length);
        const shopper = windows[index]!; // the index is below the length
        const expected = models.get(shopper.email)!; // both shoppers have a model
        // Anna's two windows tap different hearts, so that the order of their taps does not matter.
        const isAnnasSecondWindow = index === 1;
        const name = pick(random, isAnnasSecondWindow ? NAMES.slice(2) : NAMES.slice(0, 2));
        const draw = random();
        if (draw < 0.15) await shopper.page.context().setOffline(true);
        else if (draw < 0.3) await shopper.page.context().setOffline(false);
        else if (draw < 0.75) {
          const product = pick(random, NAMES);
          await shopper.addButton(product).click();
          expected.cart[product] = (expected.cart[product] ?? 0) + 1;
        } else {
          await shopper.heart(name).click();
          if (!expected.hearts.delete(name)) expected.hearts.add(name);
          const isOn = String(expected.hearts.has(name));
          await expect.poll(() => shopper.heart(name).getAttribute('aria-pressed')).toBe(isOn);
        }
      }
      choose = noFault;
      for (const shopper of windows) {
        await shopper.page.context().setOffline(false);
        await shopper.announceOnline();
      }
      for (const shopper of windows) {
        const { cart, hearts } = models.get(shopper.email)!; // both shoppers have a model
        const favourites = [...hearts].sort();
        const count = Object.values(cart).reduce((sum, quantity) => sum + quantity, 0);
        const options = { timeout: 15_000, message: `${shopper.email}, schedule ${schedule}` };
        const stored = async () => [await shopper.cart(), await shopper.favourites()];
        await expect.poll(stored, options).toEqual([cart, favourites]);
        await expect.poll(() => readShown(shopper), options).toEqual({ count, favourites });
      }
    }
    console.log('faults', faults.counts);
    for (const fault of FAULTS) expect(faults.counts[fault], fault).toBeGreaterThan(0);
  },
);
