/** Random taps of two shoppers in three windows over a faulty proxy, compared with a model of their carts. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS, type FaultyProxy, openFaultyProxy } from '../browser/faulty-proxy.ts';
import { logIn } from '../browser/log-in.ts';
import { PASSWORD } from '../browser/shopper.ts';
import { SEED, seeded } from '../random.ts';
import type { TestShop } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';
import { cleanBrowser, cleanShop } from './fixture.ts';

const SCHEDULES = 25;
/** Taps and changes of the network in one schedule. */
const STEPS = 8;
/** Names and stock codes of the products. */
const NAMES = ['Shirt', 'Sock', 'Scarf', 'Coat'];

/** A browser window in which a shopper is logged in. */
interface Window {
  readonly email: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

let shop: TestShop;
let proxy: FaultyProxy;
let browser: Browser;

beforeAll(async () => {
  ({ shop } = await cleanShop());
  proxy = await openFaultyProxy(shop.url);
  browser = await cleanBrowser();
  await stock(
    shop.backend,
    NAMES.map((name) => ({ SKC: name, 'Category 1': name, 'Retail Price': 10 })),
  );
});
afterAll(async () => {
  // Open sockets of these pages would keep the proxy from closing.
  await Promise.all(browser.contexts().map((context) => context.close()));
  await proxy.close();
});

async function openWindow(email: string): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  await logIn(page, proxy.url, email, PASSWORD);
  return { email, context, page };
}

/** What the server stores: quantities by stock code, and the codes of favourites. */
async function storedOnServer(email: string): Promise<unknown> {
  const [row] = await shop.backend.query(
    `select
       coalesce((select jsonb_object_agg(p."SKC", c.quantity) from public.cart_items c
         join public.products p on p.id = c.product_id where c.user_id = u.id), '{}') as cart,
       coalesce((select jsonb_agg(p."SKC" order by p."SKC") from public.favorites f
         join public.products p on p.id = f.product_id where f.user_id = u.id), '[]') as favourites
     from auth.users u where u.email = $1`,
    [email],
  );
  return row;
}

/** What a window shows: how many pieces are in the cart, and the names of the favourites. */
function shown({ page }: Window) {
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
    const [anna, ben] = ['anna@weft.test', 'ben@weft.test'];
    for (const email of [anna, ben]) {
      await shop.backend.addAccount({ email, password: PASSWORD });
    }
    const windows = [await openWindow(anna), await openWindow(anna), await openWindow(ben)];
    const model = new Map([anna, ben].map((email) => [email, newModel()]));

    for (let schedule = 0; schedule < SCHEDULES; schedule++) {
      proxy.setFaults(() => pick(random, FAULTS));
      for (let step = 0; step < STEPS; step++) {
        const index = Math.floor(random() * windows.length);
        const { email, context, page } = windows[index]!; // the index is below the length
        const expected = model.get(email)!; // both shoppers are in the model
        // Anna's two windows tap different hearts, so that the order of their taps does not matter.
        const name = NAMES[index === 1 ? 2 + Math.floor(random() * 2) : Math.floor(random() * 2)]!;
        const draw = random();
        if (draw < 0.15) await context.setOffline(true);
        else if (draw < 0.3) await context.setOffline(false);
        else if (draw < 0.75) {
          const product = pick(random, NAMES);
          await page.getByRole('button', { name: `Add to Cart: ${product}` }).click();
          expected.cart[product] = (expected.cart[product] ?? 0) + 1;
        } else {
          await page.getByRole('button', { name: `Favourite: ${name}` }).click();
          if (!expected.hearts.delete(name)) expected.hearts.add(name);
          const isOn = String(expected.hearts.has(name));
          await page
            .locator(`button[aria-label="Favourite: ${name}"][aria-pressed="${isOn}"]`)
            .waitFor();
        }
      }
      proxy.setFaults(() => 'none');
      for (const { context, page } of windows) {
        await context.setOffline(false);
        await page.evaluate(() => window.dispatchEvent(new Event('online')));
      }
      for (const [email, { cart, hearts }] of model) {
        const favourites = [...hearts].sort();
        await expect
          .poll(() => storedOnServer(email), {
            timeout: 15_000,
            message: `${email}, schedule ${schedule}`,
          })
          .toEqual({ cart, favourites });
        const count = Object.values(cart).reduce((sum, quantity) => sum + quantity, 0);
        for (const window of windows.filter((each) => each.email === email)) {
          await expect
            .poll(() => shown(window), { timeout: 15_000, message: `window of ${email}` })
            .toEqual({ count, favourites });
        }
      }
    }
    console.log('faults', proxy.counts);
    // The few schedules of `npm test` do not meet every fault.
    for (const fault of FAULTS) expect(proxy.counts[fault], fault).toBeGreaterThan(0);
  },
);
