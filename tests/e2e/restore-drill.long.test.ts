/**
 * The drill of netlify/README.md, "A backup comes back": the shop is stopped, its database is replaced
 * with an earlier copy, and the shop starts again, while two phones have unsaved changes.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, PHONE } from '../browser/browser.ts';
import { storedRows } from '../browser/device-store.ts';
import { NO_SHOP_YET, openLine } from '../browser/proxy.ts';
import { Shopper } from '../browser/shopper.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { openTestShop, temporaryFolder } from '../supabase/shop.ts';
import { stock } from '../supabase/stock.ts';

const MINUTE_MS = 60_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

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

/** The text of a product's card, with its price. */
const cardText = ({ page }: Shopper, title: string) =>
  page.getByRole('article').filter({ hasText: title }).first().innerText();

test(
  'after a backup is restored while two phones have unsaved changes, both phones equal the server within a minute',
  async () => {
    await using folder = await temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const backup = join(folder.path, 'backup');
    // Phones reach the shop through a line, whose address stays the same when the shop is started again.
    await using line = await openLine(NO_SHOP_YET);
    const start = async () => {
      const shop = await openTestShop({
        siteFolder: SITE_FOLDER,
        payments: true,
        environment: { URL: line.url },
        backend: { dataFolder },
      });
      line.leadTo(shop.url);
      return shop;
    };
    const opened = { line, shop: await start() };
    const query = (sql: string) => opened.shop.backend.query(sql);
    await stock(opened.shop.backend, [
      { SKC: 'A', 'Category 1': 'Shirt', 'Retail Price': 48 },
      { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
      { SKC: 'C', 'Category 1': 'Scarf', 'Retail Price': 30 },
    ]);
    const firstPhone = await Shopper.register(
      opened,
      await browser.newContext({ viewport: PHONE }),
    );
    const secondPhone = await firstPhone.inNewPage(await browser.newContext({ viewport: PHONE }));
    const phones = [firstPhone, secondPhone];
    for (const phone of phones) await phone.logIn();
    const serverState = async () => {
      const cart = await query('select product_id, quantity from public.cart_items order by 1');
      const favourites = await query('select product_id from public.favorites order by 1');
      return {
        cart: cart.map((row) => [Number(row['product_id']), Number(row['quantity'])] as const),
        favourites: favourites.map((row) => Number(row['product_id'])),
        unsaved: 0,
      };
    };
    await firstPhone.addButton('Shirt').click();
    await firstPhone.waitForCart({ A: 1 });
    await expect.poll(() => storedState(firstPhone.page)).toEqual(await serverState());

    // Takes the backup while the database is stopped.
    await opened.shop.close();
    await cp(join(dataFolder, 'database'), backup, { recursive: true });
    opened.shop = await start();

    // The restore will lose what follows: acknowledged changes, a new price, a paid order.
    await firstPhone.addButton('Sock').click();
    await secondPhone.addButton('Sock').click();
    await secondPhone.heart('Shirt').click();
    await expect.poll(() => firstPhone.favourites()).toEqual(['A']);
    await firstPhone.waitForCart({ A: 1, B: 2 });
    await stock(opened.shop.backend, [{ SKC: 'C', 'Category 1': 'Scarf', 'Retail Price': 31 }]);
    for (const phone of phones) {
      await expect
        .poll(() => cardText(phone, 'Scarf'), { timeout: 2 * MINUTE_MS })
        .toContain('31.00');
      await expect.poll(async () => (await storedState(phone.page)).unsaved).toBe(0);
    }
    await firstPhone.openCheckout();
    await firstPhone.pay();
    await expect.poll(async () => (await firstPhone.orders())[0]?.[0]).toBe('paid');

    // Makes changes offline on both phones.
    for (const phone of phones) await phone.openCatalogue(3);
    for (const phone of phones) await phone.goOffline();
    await firstPhone.addButton('Scarf').click();
    await secondPhone.addButton('Shirt').click();
    await secondPhone.heart('Scarf').click();
    await expect.poll(async () => (await storedState(firstPhone.page)).unsaved).toBe(1);
    await expect.poll(async () => (await storedState(secondPhone.page)).unsaved).toBe(2);

    // Restores the backup.
    await opened.shop.close();
    await rm(join(dataFolder, 'database'), { recursive: true });
    await cp(backup, join(dataFolder, 'database'), { recursive: true });
    opened.shop = await start();
    await stock(opened.shop.backend, [{ SKC: 'A', 'Category 1': 'Shirt', 'Retail Price': 47 }]);
    for (const phone of phones) await phone.goOnline();

    const products = await query('select id from public.products order by "SKC"');
    const [shirt, , scarf] = products.map((row) => Number(row['id']));
    const afterRestoring = {
      cart: [
        [shirt, 2],
        [scarf, 1],
      ],
      favourites: [scarf],
      unsaved: 0,
    };
    for (const phone of phones) {
      const stored = () => storedState(phone.page);
      await expect.poll(stored, { timeout: MINUTE_MS }).toEqual(afterRestoring);
      await expect.poll(() => cardText(phone, 'Scarf'), { timeout: MINUTE_MS }).toContain('30.00');
      await expect.poll(() => cardText(phone, 'Shirt'), { timeout: MINUTE_MS }).toContain('47.00');
    }
    expect(await serverState()).toEqual(afterRestoring);

    await Promise.all(browser.contexts().map((context) => context.close()));
    await opened.shop.close();
  },
  10 * MINUTE_MS,
);
