/**
 * What the shop can do without the server, and after a restart of the browser, in every engine. The stock code of the
 * sock is B, that of the scarf C.
 */
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domain/routes.ts';
import { SUCCESS } from '../browser/shopper.ts';
import { callOf } from './engine.ts';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import {
  addSock,
  logIn,
  openShopForFile,
  payingShop,
  restart,
  serverCart,
  serverFavourites,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT_WITH_PROFILE } from './webkit-with-profile.ts';

openShopForFile();

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT_WITH_PROFILE])('in $name', (engine) => {
  visitBeforeEach(engine);

  test('every route opens at a cold start without the server', async () => {
    await visitor.openCatalogue(3);
    await visitor.waitForWorker();
    await logIn();
    await addSock();
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
    payingShop.line.down();
    for (const route of ROUTES) {
      await restart();
      await visitor.goto(route);
      await visitor.find('heading', HEADINGS[route]);
      if (route === '/') await visitor.waitForProducts(3);
      if (route === '/cart') await visitor.waitFor('Sock');
    }
  });

  test('what is tapped without the server reaches it once, after a restart too', async () => {
    await logIn();
    await visitor.waitForWorker();
    payingShop.line.down();
    await addSock();
    await visitor.click('button', 'Add to Cart: Sock');
    await visitor.waitForCartCount(2);
    await visitor.click('button', 'Favourite: Scarf');
    const heart = `document.querySelector('[aria-label="Favourite: Scarf"]').ariaPressed`;
    await expect.poll(() => visitor.tab.evaluate(heart)).toBe('true');
    await restart();
    await visitor.goto('/cart');
    await visitor.click('button', 'One more');
    await visitor.waitForCartCount(3);
    expect(await serverCart()).toEqual({});
    payingShop.line.up();
    await visitor.tab.evaluate(`window.dispatchEvent(new Event('online'))`);
    await expect.poll(() => serverCart()).toEqual({ B: 3 });
    await expect.poll(() => serverFavourites()).toEqual(['C']);
    await visitor.goto('/');
    await visitor.waitForCartCount(3);
    expect(await serverCart()).toEqual({ B: 3 });
  });

  test('a page that is left in the middle of a write does not lock the device for later pages', async () => {
    await logIn();
    for (let visit = 0; visit < 4; visit += 1) {
      await visitor.tab.evaluate(callOf(tapHearts, 4));
      await visitor.goto('/cart');
      await visitor.find('heading', 'Shopping Cart');
      await visitor.goto('/');
      await visitor.waitForProducts(3);
    }
    await addSock();
    await expect.poll(() => serverCart()).toEqual({ B: 1 });
  });
});

/**
 * The headings that a logged-in shopper sees without a network. Login and registration lead to the catalogue;
 * the shop has no product `*`.
 */
const HEADINGS: Readonly<Record<(typeof ROUTES)[number], string>> = {
  '/': 'New Arrivals',
  '/product/*': 'This product isn’t available',
  '/login': 'New Arrivals',
  '/register': 'New Arrivals',
  '/forgot-password': 'Forgot Your Password?',
  '/reset-password': 'Choose a New Password',
  '/cart': 'Shopping Cart',
  '/checkout': 'Checkout',
  '/checkout/success': SUCCESS,
  '/orders': 'Your Orders',
  // Only the devices of staff keep the scripts of these pages, once they have opened them.
  '/admin/import': 'Couldn’t load this page',
  '/admin/orders': 'Couldn’t load this page',
  '/admin/products': 'Couldn’t load this page',
};

/** Runs in the page: taps the first heart `times` times, without waiting for the writes. */
function tapHearts(times: number): void {
  for (let tap = 0; tap < times; tap += 1) {
    document.querySelector<HTMLElement>('[aria-label^="Favourite: "]')?.click();
  }
}
