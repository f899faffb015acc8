/** Taps, typing and focus before React, what they lead to once it is there, and scripts that do not arrive. */
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { waitForReact } from '../browser/observe.ts';
import { isFocused, layoutShift } from '../browser/shown.ts';
import { numbered } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  pageErrors,
  context,
  line,
  page,
  REACT_SCRIPT,
  restock,
  startLoading,
  visitBeforeEach,
} from './fixture.ts';

visitBeforeEach({
  products: [
    { SKC: 'A', Size: 'S', 'Category 1': 'Jumper', 'Retail Price': 136 },
    { SKC: 'B', Size: 'S', 'Category 1': 'Jumper', 'Retail Price': 99 },
    { SKC: 'C', Size: 'M', 'Category 1': 'Cape', 'Retail Price': 75 },
  ],
  // Without a worker, so that the test decides when a script arrives.
  serviceWorkers: 'block',
});

/** Holds React back until the returned function is called. */
const holdReact = () => hold(context, REACT_SCRIPT);

/** A page of the shop that runs no script, so it leaves the stored screen as it is. */
const PAGE_WITHOUT_SCRIPT = '/404.html';

/** Logs in and waits until the catalogue shows all products. */
async function logInToCatalogue(): Promise<void> {
  await ada.logIn();
  await ada.waitForProducts(3);
}

/** Leaves the page, which stores its screen, and comes back to that screen. Returns what lets React arrive. */
async function returnBeforeReact(): Promise<() => void> {
  await page.goto('about:blank');
  const release = await holdReact();
  await startLoading('/');
  await page.getByRole('article').first().waitFor();
  return release;
}

/** The card at this place of the grid, and its buttons. */
const card = (n: number) => page.getByRole('article').nth(n);
const add = (n: number) => card(n).getByRole('button', { name: /^Add/ });
const heart = (n: number) => card(n).getByRole('button', { name: /^Favourite/ });
const search = () => page.locator('#header-search');
/** Tag, name and product id of the focused element. */
const focusedElement = () =>
  page.evaluate(() => {
    const { activeElement } = document;
    const card = activeElement?.closest<HTMLElement>('[data-product]')?.dataset['product'];
    return [activeElement?.tagName, activeElement?.ariaLabel ?? activeElement?.textContent, card];
  });

/** Waits until the server stores these favourites. */
const waitForFavourites = (codes: readonly string[]) =>
  expect.poll(() => ada.favourites()).toEqual(codes);

describe('a tap', () => {
  test('is for the tapped product, even if another product has the same name', async () => {
    await logInToCatalogue();
    const release = await returnBeforeReact();
    await add(1).click();
    await heart(1).click();
    release();
    await ada.waitForCart({ B: 1 });
    await waitForFavourites(['B']);
    expect(await heart(0).getAttribute('aria-pressed')).toBe('false');
  });

  test('on a heart changes the state that the screen shows, even if that state is out of date', async () => {
    await logInToCatalogue();
    await heart(0).click();
    await waitForFavourites(['A']);
    await page.goto('about:blank');
    // No screen is stored for this width, so the markup of a visitor shows, with empty hearts.
    await page.setViewportSize(PHONE);
    const release = await holdReact();
    await startLoading('/');
    await heart(0).click();
    // Until React arrives, taps on one heart count once: the heart does not change, so a user may tap again.
    await heart(1).click();
    await heart(1).click();
    release();
    await waitForFavourites(['A', 'B']);
    expect(await heart(0).getAttribute('aria-pressed')).toBe('true');
  });

  test('that waits for React for 700 ms says so, and is done once though the shopper went to another screen', async () => {
    await logInToCatalogue();
    const release = await returnBeforeReact();
    await add(2).click();
    await page.getByRole('status').getByText('The shop is still loading.').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Cart' }).click();
    await page.waitForURL('**/cart');
    release();
    await page.getByRole('main').getByText('Cape').waitFor();
    await ada.waitForCart({ C: 1 });
    await page.reload();
    await page.getByRole('main').getByText('Cape').waitFor();
    expect(await ada.cartCount(), 'the tap is not repeated').toBe(1);
  });
});

describe('the stored first screen', () => {
  test('contains neither the word "Added" nor an open menu', async () => {
    await logInToCatalogue();
    await add(0).click();
    await page.getByRole('button', { name: 'Added: Jumper, size S' }).waitFor();
    const releaseReact = await returnBeforeReact();
    await page.getByRole('button', { name: 'Add to Cart: Jumper, size S' }).first().waitFor();
    expect(await page.getByText(/^Added/).count()).toBe(0);
    releaseReact();
    await waitForReact(page);

    await page.getByRole('button', { name: ada.email }).click();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    await returnBeforeReact();
    expect(await page.getByRole('button', { name: 'Logout' }).isVisible()).toBe(false);
  });

  test('is not stored by a tab that still shows a shopper whom another tab has logged out', async () => {
    await logInToCatalogue();
    // A logout in another tab deletes both keys before a suspended tab learns of it. The live queries of this tab
    // still find the shopper, so the test keeps them from writing the shopper's key again.
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (key !== 'weft-shopper') setItem.call(this, key, value);
      };
      for (const key of ['weft-shopper', 'first-screen']) localStorage.removeItem(key);
      location.assign('about:blank');
    });
    await page.waitForURL('about:blank');
    await ada.goto(PAGE_WITHOUT_SCRIPT);
    expect(await page.evaluate(() => localStorage.getItem('first-screen'))).toBeNull();
  });
});

describe('the focus', () => {
  test('stays on the same element when React takes over', async () => {
    await logInToCatalogue();
    for (const [element, expected] of [
      [add(1), ['BUTTON', 'Add to Cart: Jumper, size S, B', '2']],
      [page.getByRole('link', { name: 'Cart' }), ['A', 'Cart', undefined]],
    ] as const) {
      const release = await returnBeforeReact();
      await element.focus();
      release();
      await waitForReact(page);
      expect(await focusedElement()).toEqual(expected);
    }
  });

  test('moves to the heading of a new screen, unless the shopper types', async () => {
    await ada.openCatalogue(3);
    await page.getByRole('link', { name: 'Login' }).click();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await expect.poll(focusedElement).toEqual(['H1', 'Sign In to Your Account', undefined]);
    await page.getByRole('link', { name: 'Cart' }).click();
    await expect.poll(focusedElement).toEqual(['H1', 'Shopping Cart', undefined]);
    await search().fill('cape');
    await search().press('Enter');
    await ada.waitForProducts(1);
    expect(await isFocused(search())).toBe(true);
  });
});

test('while a screen loads, the focus stays where the shopper puts it and the tab keeps its title', async () => {
  await ada.openCatalogue(3);
  const release = await hold(context, /\/assets\/page-.*\.js$/);
  await page.getByRole('link', { name: 'Cart' }).click();
  await page.waitForURL('**/cart');
  expect(await page.title()).toBe('New Arrivals · Weft');
  await page.getByRole('link', { name: 'Sign Up' }).focus();
  release();
  await page.getByRole('heading', { name: 'Shopping Cart' }).waitFor();
  await expect.poll(() => page.title()).toBe('Shopping Cart · Weft');
  expect(await focusedElement()).toEqual(['A', 'Sign Up', undefined]);
});

test('a search that is sent before React arrives finds its products', async () => {
  const release = await holdReact();
  await startLoading('/login');
  await search().fill('cape');
  await search().press('Enter');
  await page.waitForURL(`${line.url}/?q=cape`);
  release();
  await ada.waitForProducts(1);
});

test.each([
  [1, '1 product'],
  [0, 'No products found for All.'],
])('nothing moves on a first visit with %i products', async (count, words) => {
  await restock(numbered(count));
  for (const viewport of [PHONE, DESKTOP]) {
    await changeDevice({ viewport, serviceWorkers: 'block' });
    await ada.goto('/');
    await page.getByText(words, { exact: true }).waitFor();
    // Whatever is drawn late would move something within this time.
    await page.waitForTimeout(300);
    expect(await layoutShift(page), `${viewport.width} px`).toBeLessThan(0.02);
  }
});

test('the shop shows no error when a script of an extension fails to load', async () => {
  await ada.openCatalogue(3);
  await page.evaluate(async () => {
    const script = document.createElement('script');
    await new Promise((resolve) => {
      script.addEventListener('error', resolve);
      script.src = '/not-there.js';
      document.head.append(script);
    });
  });
  expect(await page.getByText('The page didn’t load completely.').count()).toBe(0);
  pageErrors.length = 0; // the browser reports the missing script
});
