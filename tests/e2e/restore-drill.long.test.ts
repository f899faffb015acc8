/**
 * The drill of netlify/README.md, "A backup comes back": the shop is stopped, its database is replaced
 * with an earlier copy, and the shop starts again, while two phones have unsaved changes.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, PHONE } from '../browser/browser.ts';
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
        environment: { URL: line.url },
        backend: { dataFolder },
      });
      line.leadTo(shop.url);
      return shop;
    };
    const opened = { line, shop: await start() };
    const sell = (SKC: string, name: string, price: number) =>
      stock(opened.shop.backend, [{ SKC, 'Category 1': name, 'Retail Price': price }]);
    await sell('A', 'Shirt', 48);
    await sell('B', 'Sock', 9);
    await sell('C', 'Scarf', 30);
    const first = await Shopper.register(opened, await browser.newContext({ viewport: PHONE }));
    const second = await first.inNewPage(await browser.newContext({ viewport: PHONE }));
    const phones = [first, second];
    const expectPrices = async (...prices: readonly string[]) => {
      for (const { page } of phones) {
        const cards = page.getByRole('article');
        const shown = async () =>
          (await cards.allInnerTexts()).map((text) => /\$.*/.exec(text)?.[0]);
        await expect.poll(shown, { timeout: MINUTE_MS }).toEqual(prices);
      }
    };
    for (const phone of phones) await phone.logIn();
    await first.addButton('Shirt').click();
    await first.waitForCart({ A: 1 });

    // Takes the backup while the database is stopped.
    await opened.shop.close();
    await cp(join(dataFolder, 'database'), backup, { recursive: true });
    opened.shop = await start();

    // The restore will lose what follows: acknowledged changes and a new price.
    await first.addButton('Sock').click();
    await second.addButton('Sock').click();
    await second.heart('Shirt').click();
    await expect.poll(() => first.favourites()).toEqual(['A']);
    await first.waitForCart({ A: 1, B: 2 });
    await sell('C', 'Scarf', 31);
    for (const phone of phones) await phone.announceOnline();
    await expectPrices('$48.00', '$9.00', '$31.00');

    // Makes changes offline on both phones.
    for (const phone of phones) await phone.goOffline();
    await first.add('Scarf');
    await second.add('Shirt');
    await second.heart('Scarf').click();
    await expect.poll(() => second.heart('Scarf').getAttribute('aria-pressed')).toBe('true');

    // Restores the backup.
    await opened.shop.close();
    await rm(join(dataFolder, 'database'), { recursive: true });
    await cp(backup, join(dataFolder, 'database'), { recursive: true });
    opened.shop = await start();
    await sell('A', 'Shirt', 47);
    for (const phone of phones) await phone.goOnline();

    await expect.poll(() => first.cart(), { timeout: MINUTE_MS }).toEqual({ A: 2, C: 1 });
    await expect.poll(() => first.favourites()).toEqual(['C']);
    await expectPrices('$47.00', '$9.00', '$30.00');
    for (const phone of phones) {
      await phone.waitForCartCount(3);
      for (const [name, isFavourite] of [
        ['Scarf', 'true'],
        ['Shirt', 'false'],
      ] as const) {
        await expect.poll(() => phone.heart(name).getAttribute('aria-pressed')).toBe(isFavourite);
      }
    }
    expect(await first.cart(), 'nothing more arrives').toEqual({ A: 2, C: 1 });

    await Promise.all(browser.contexts().map((context) => context.close()));
    await opened.shop.close();
  },
  10 * MINUTE_MS,
);
