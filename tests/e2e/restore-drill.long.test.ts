/**
 * The drill of netlify/README.md, "A backup comes back": the shop is stopped, its database is replaced
 * with an earlier copy, and the shop starts again, while two phones have unsaved changes.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHost } from '../../netlify/local/host.ts';
import { openPayments } from '../../netlify/local/payments.ts';
import { openBackend } from '../../supabase/local/backend.ts';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { logIn } from '../browser/log-in.ts';
import { NO_SHOP_YET, openLine } from '../browser/proxy.ts';
import { fillAddress, PASSWORD } from '../browser/shopper.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { freshDatabase, temporaryFolder } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';

const MINUTE_MS = 60_000;
const EMAIL = 'ada@weft.test';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A shop that can be stopped and started. Phones reach it through a line, whose address stays the same. */
async function openRestorableShop(data: string) {
  const line = await openLine(NO_SHOP_YET);
  const payments = await openPayments();
  const start = async () => {
    const image = await freshDatabase();
    const backend = await openBackend({ dataFolder: data, log: () => undefined, image });
    const host = await startHost({
      port: 0,
      site: { kind: 'built', folder: SITE_FOLDER },
      functionsFolder: join(import.meta.dirname, '../../netlify/functions'),
      backend,
      payments,
      environment: { URL: line.url },
      log: (text) => console.error(text),
    });
    line.leadTo(host.url);
    return { backend, host };
  };
  let { backend, host } = await start();
  return {
    line,
    payments,
    get backend() {
      return backend;
    },
    get url() {
      return host.url;
    },
    async stop() {
      await host.close();
      await backend.close();
    },
    async start() {
      ({ backend, host } = await start());
    },
    async close() {
      await this.stop();
      await payments.close();
      await line.close();
    },
  };
}

/** What a phone has stored: the cart and favourites of its last pull, and how many changes are unsaved. */
async function storedState(page: Page) {
  interface Base {
    readonly cart: readonly { readonly productId: number; readonly quantity: number }[];
    readonly favourites: readonly number[];
  }
  const [base] = await storedRows<Base>(page, 'bases');
  const cart = (base?.cart ?? []).map(({ productId, quantity }) => [productId, quantity] as const);
  return {
    cart: cart.sort(([a], [b]) => a - b),
    favourites: [...(base?.favourites ?? [])].sort((a, b) => a - b),
    unsaved: (await storedRows(page, 'outbox')).length,
  };
}

/** Presses the first button of this name. */
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();
/** The text of a product's card, with its price. */
const cardText = (page: Page, title: string) =>
  page.getByRole('article').filter({ hasText: title }).first().innerText();

test(
  'after a backup is restored while two phones have unsaved changes, both phones equal the server within a minute',
  async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    const backup = join(folder.path, 'backup');
    const shop = await openRestorableShop(data);
    await shop.backend.addAccount({ email: EMAIL, password: PASSWORD });
    await stock(shop.backend, [
      { SKC: 'A', 'Category 1': 'Shirt', 'Retail Price': 48 },
      { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
      { SKC: 'C', 'Category 1': 'Scarf', 'Retail Price': 30 },
    ]);
    const [firstPhone, secondPhone] = await Promise.all(
      [0, 1].map(async () => {
        const context = await browser.newContext({ viewport: PHONE });
        const page = await context.newPage();
        await logIn(page, shop.line.url, EMAIL, PASSWORD);
        return page;
      }),
    );
    if (!firstPhone || !secondPhone) throw new Error('a phone is missing');
    const phones = [firstPhone, secondPhone];
    const serverState = async () => {
      const rows = async (sql: string) => shop.backend.query(sql);
      const cart = await rows('select product_id, quantity from public.cart_items order by 1');
      const favourites = await rows('select product_id from public.favorites order by 1');
      return {
        cart: cart.map((row) => [Number(row['product_id']), Number(row['quantity'])] as const),
        favourites: favourites.map((row) => Number(row['product_id'])),
        unsaved: 0,
      };
    };
    const expectSaved = async (page: Page) =>
      expect.poll(() => storedState(page)).toEqual(await serverState());
    await press(firstPhone, 'Add to Cart: Shirt');
    await expect.poll(async () => (await serverState()).cart.length).toBe(1);
    await expectSaved(firstPhone);

    // Takes the backup while the database is stopped.
    await shop.stop();
    await cp(join(data, 'database'), backup, { recursive: true });
    await shop.start();

    // The restore will lose what follows: acknowledged changes, a new price, a paid order.
    await press(firstPhone, 'Add to Cart: Sock');
    await press(secondPhone, 'Add to Cart: Sock');
    await press(secondPhone, 'Favourite: Shirt');
    await expect.poll(async () => (await serverState()).favourites.length).toBe(1);
    await expect.poll(async () => (await serverState()).cart.at(-1)?.[1]).toBe(2);
    await stock(shop.backend, [{ SKC: 'C', 'Category 1': 'Scarf', 'Retail Price': 31 }]);
    for (const page of phones) {
      await expect
        .poll(() => cardText(page, 'Scarf'), { timeout: 2 * MINUTE_MS })
        .toContain('31.00');
      await expect.poll(async () => (await storedState(page)).unsaved).toBe(0);
    }
    await payByCard(firstPhone, shop.line.url);
    await expect
      .poll(async () => (await shop.backend.query('select state from public.orders'))[0]?.['state'])
      .toBe('paid');

    // Makes changes offline on both phones.
    await Promise.all(phones.map((page) => page.goto(shop.line.url)));
    await Promise.all(phones.map((page) => page.getByRole('article').first().waitFor()));
    shop.line.down();
    for (const page of phones) await page.context().setOffline(true);
    await press(firstPhone, 'Add to Cart: Scarf');
    await press(secondPhone, 'Add to Cart: Shirt');
    await press(secondPhone, 'Favourite: Scarf');
    await expect.poll(async () => (await storedState(firstPhone)).unsaved).toBe(1);
    await expect.poll(async () => (await storedState(secondPhone)).unsaved).toBe(2);

    // Restores the backup.
    await shop.stop();
    await rm(join(data, 'database'), { recursive: true });
    await cp(backup, join(data, 'database'), { recursive: true });
    await shop.start();
    await stock(shop.backend, [{ SKC: 'A', 'Category 1': 'Shirt', 'Retail Price': 47 }]);
    shop.line.up();
    for (const page of phones) await page.context().setOffline(false);

    const [shirt, , scarf] = (
      await shop.backend.query('select id from public.products order by "SKC"')
    ).map((row) => Number(row['id']));
    const afterRestoring = {
      cart: [
        [shirt, 2],
        [scarf, 1],
      ],
      favourites: [scarf],
      unsaved: 0,
    };
    for (const page of phones) {
      await expect.poll(() => storedState(page), { timeout: MINUTE_MS }).toEqual(afterRestoring);
      await expect.poll(() => cardText(page, 'Scarf'), { timeout: MINUTE_MS }).toContain('30.00');
      await expect.poll(() => cardText(page, 'Shirt'), { timeout: MINUTE_MS }).toContain('47.00');
    }
    expect(await serverState()).toEqual(afterRestoring);

    await Promise.all(browser.contexts().map((context) => context.close()));
    await shop.close();
  },
  10 * MINUTE_MS,
);

/** Pays the cart by card. */
async function payByCard(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/checkout`);
  await fillAddress(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /^Payment Successful/ }).waitFor();
}
