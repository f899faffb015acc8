/** What axe says of the states that a screen passes through, or gets stuck in. */
import type { Browser, BrowserContext } from 'playwright-core';
import { beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { axeFindings, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../share.ts';
import { waitForWorker } from '../browser/browser.ts';
import { type PayingShop, restock, Shopper } from '../checkout/shopper.ts';
import { cleanBrowser, cleanShop, workerFor } from './fixture.ts';

let home: PayingShop;
let browser: Browser;
let context: BrowserContext;
let ada: Shopper;

beforeAll(async () => {
  home = await cleanShop();
  browser = await cleanBrowser();
  await restock(home);
});

describe.each(fewOf(1, LOOKS))(
  'nothing is found at $width pixels, $colorScheme',
  ({ width, colorScheme }) => {
    beforeEach(async ({ task }) => {
      context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        ...workerFor(task),
      });
      ada = await Shopper.come(home, context);
    });
    afterEach(() => context.close());

    async function look(what: string): Promise<void> {
      expect(await axeFindings(ada.page), what).toEqual([]);
      const overflow = await ada.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${what}: nothing is wider than the screen`).toBe(0);
    }

    test('before there is anything, before React, and when nothing comes', async () => {
      const { page } = ada;
      const held: (() => void)[] = [];
      const hold = (what: RegExp) =>
        context.route(what, async (route) => {
          await new Promise<void>((resolve) => held.push(resolve));
          await route.continue();
        });
      await hold(/\/rest\/v1\/products/);
      await hold(/\/assets\/first-.*\.js$/);
      await ada.goto('/');
      await page.getByText('Loading products...').waitFor();
      await look('the first screen without products');
      await context.unroute(/\/rest\/v1\/products/);
      for (const letGo of held.splice(0)) letGo();
      await page.getByRole('article').first().waitFor();
      await look('the first products, before React');

      await context.unrouteAll();
      await context.route(/\/rest\/v1\//, (route) => route.abort());
      await page.reload();
      await page.getByRole('heading', { name: 'Error' }).waitFor();
      await look('a catalogue that does not come');
      await ada.goto('/nothing-here');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await look('an address where nothing is');
    });

    test(
      'signed out, signed in with nothing, and offline with something',
      { tags: 'worker' },
      async () => {
        const { page } = ada;
        for (const path of ['/cart', '/orders', '/checkout/success']) {
          await ada.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await look(`${path}, signed out`);
        }
        await ada.logIn();
        await waitForWorker(page);
        await ada.goto('/orders');
        await page.getByText('You have not ordered anything yet.').waitFor();
        await look('no orders');
        await ada.goto('/?favourites=');
        await page.getByText('No products found for Favourites.').waitFor();
        await look('no favourites');
        await ada.goto('/');
        await ada.add('Sock');
        await page.getByRole('button', { name: 'Favourite: Sock' }).click();
        await look('a favourite');
        await ada.goto('/checkout');
        await ada.fillAddress();
        await ada.payButton.click();
        await ada.provider('Pay').click();
        await page.getByText('Payment Successful!').waitFor();
        await look('paid');
        await ada.goto('/');
        await ada.add('Scarf');
        await ada.add('Linen shirt, size M');
        await context.setOffline(true);
        for (const path of ['/', '/cart', '/checkout', '/orders', '/admin/import']) {
          await ada.goto(path);
          await page.getByText(/^Offline since/).waitFor();
          await page.getByRole('heading', { level: 1 }).waitFor();
          await look(`${path}, offline`);
        }
      },
    );
  },
);
