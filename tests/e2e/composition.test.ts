/** How screens are put together from 160 to 2,200 pixels: what stands where, and that nothing covers anything. */
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { boxOf, isFocused, layoutShift } from '../browser/shown.ts';
import { stopCatalogue } from '../browser/stopped-catalogue.ts';
import { fewOf } from '../full-run.ts';
import { stock } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  GARMENTS,
  page,
  pageErrors,
  SHIRT,
  shop,
  visitBeforeEach,
} from './fixture.ts';
import { holdAtAccessDenied } from './import-page.ts';

const WIDTHS = [320, 390, 767, 768, 1024, 1440, 2200];
/** From here on two columns stand beside each other. */
const WIDE = 768;

async function setWidth(width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < WIDE ? 780 : 900 });
}

visitBeforeEach({ products: GARMENTS });

describe('the screens about signing in', () => {
  test.each([
    ['/login', 'Log in'],
    ['/register', 'Sign Up'],
    ['/forgot-password', 'Send me a link'],
  ])(
    '%s has one centred column of 250 to 450 pixels, on wide screens in the right half',
    async (path, label) => {
      await ada.goto(path);
      await page.getByRole('button', { name: label }).waitFor();
      for (const width of WIDTHS) {
        await setWidth(width);
        const button = await boxOf(page.getByRole('button', { name: label }));
        const heading = await boxOf(page.getByRole('heading', { level: 1 }));
        const columnLeft = width < WIDE ? 0 : width / 2;
        expect(heading.x, `${width}: the heading`).toBeGreaterThanOrEqual(columnLeft + 12);
        expect(button.width, `${width}: the button`).toBeGreaterThanOrEqual(250);
        expect(button.width, `${width}: the button`).toBeLessThanOrEqual(450);
        const middle = (button.x + button.right) / 2;
        const columnMiddle = (columnLeft + width) / 2;
        expect(Math.abs(middle - columnMiddle), `${width}: off the middle`).toBeLessThan(10);
      }
    },
  );
});

test('the account menu is named by the part before the @, contains the whole address, works by keys, and closes by a touch beside it', async () => {
  await ada.logIn();
  for (const width of [320, 1440]) {
    await setWidth(width);
    const toggle = page.getByRole('button', { name: ada.email, expanded: false });
    expect(await toggle.innerText()).toBe(ada.email.split('@')[0]);
    await toggle.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: ada.email, expanded: true }).waitFor();
    await page.getByText(ada.email, { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Orders');
    await page.keyboard.press('Escape');
    await page.getByText(ada.email, { exact: true }).waitFor({ state: 'hidden' });
    expect(await isFocused(toggle)).toBe(true);
  }
  await page.getByRole('button', { name: ada.email }).click();
  await page.getByText(ada.email, { exact: true }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByText(ada.email, { exact: true }).waitFor({ state: 'hidden' });
});

test(
  'a notice goes after a time, but not while its button has the focus',
  { tags: 'long' },
  async () => {
    await page.clock.install();
    await ada.logIn();
    await ada.logOut();
    const close = page.getByRole('button', { name: 'Close this message' });
    await close.focus();
    await page.clock.fastForward(20_000);
    expect(await isFocused(close)).toBe(true);
    await ada.cartLink.focus();
    await page.clock.fastForward(20_000);
    await close.waitFor({ state: 'detached' });
  },
);

describe.each(fewOf(1, LOOKS))('at $width pixels, $colorScheme,', ({ width, colorScheme }) => {
  beforeEach(() => changeDevice({ viewport: { width, height: 800 }, colorScheme }));

  test('an unknown address has the shop’s header, a sentence and a way on', async () => {
    await ada.goto('/nothing-here');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Weft' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Cart' }).waitFor();
    await expectAccessible(page, 'an unknown address');
    await page.getByRole('link', { name: 'Continue shopping' }).click();
    await ada.waitForProducts(GARMENTS.length);
  });

  test('a screen that has stopped keeps the header, and other screens open from there', async () => {
    await page.addInitScript(stopCatalogue);
    await ada.goto('/');
    await page.getByRole('heading', { name: 'This page stopped working' }).waitFor();
    await page.getByRole('button', { name: 'Open this page again' }).waitFor();
    await expectAccessible(page, 'a screen that has stopped');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await page.getByLabel('Email').waitFor();
    expect(pageErrors.splice(0).join()).toContain('a mistake in the shop');
  });

  test('a visitor of the import page is denied access, and a link leads to the login', async () => {
    await holdAtAccessDenied();
    await ada.goto('/admin/import');
    const words = page.getByText('Access Denied. Redirecting to login...', { exact: true });
    await words.waitFor();
    expect((await boxOf(words)).x, 'the margin beside the words').toBeGreaterThanOrEqual(12);
    await page.getByRole('link', { name: 'Log in now' }).click();
    await page.getByLabel('Email').waitFor();
    expect(new URL(page.url()).search).toBe('?next=%2Fadmin%2Fimport');
  });
});

describe('the line about being offline', { tags: 'worker' }, () => {
  test('leaves a product’s picture free on wide screens, wherever the page is scrolled to', async () => {
    await ada.goto('/');
    await waitForWorker(page);
    await ada.goOffline();
    await ada.goto(`/product/${SHIRT}`);
    await page.getByText(/^Offline since/).waitFor();
    // The window is lower than the text beside the picture, so the picture stays while the text scrolls.
    await page.setViewportSize({ width: 1440, height: 500 });
    for (const top of [0, 60]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      const picture = await boxOf(page.getByRole('img', { name: 'Linen shirt' }));
      const header = await boxOf(page.getByRole('banner'));
      expect(picture.y, `scrolled by ${top}`).toBeGreaterThanOrEqual(header.bottom - 1);
    }
  });

  test('moves nothing when the shop opens without a network', async () => {
    await ada.goto('/');
    await waitForWorker(page);
    await ada.goOffline();
    for (const path of ['/', '/cart', '/login']) {
      await ada.goto(path);
      await page.getByText(/^Offline since/).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page), path).toBeLessThanOrEqual(0.01);
    }
    await ada.goOnline();
    await page.getByText(/^Offline since/).waitFor({ state: 'detached' });
  });
});

describe('the import page', () => {
  test('moves nothing while it opens, on a phone', async () => {
    await ada.logIn();
    await page.setViewportSize({ width: 412, height: 823 });
    await ada.goto('/admin/import');
    await page.getByText('Any signed-in user can import.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBeLessThanOrEqual(0.01);
  });
});

test.each([
  [360, 'One size fits most', 1234.5],
  [320, 'X'.repeat(73), 10],
])(
  'a card holds its parts on a page %i px wide, whatever the size is called: %s',
  async (width, size, price) => {
    await page.setViewportSize({ width, height: 800 });
    await stock(shop.backend, [
      { SKC: '0', Size: size, 'Category 1': 'Jumper', 'Retail Price': price },
    ]);
    await ada.openCatalogue(GARMENTS.length + 1);
    const overflowing = await page
      .getByRole('article')
      .first()
      .evaluate((article) => {
        const { right } = article.getBoundingClientRect();
        return (
          [...article.querySelectorAll('*')]
            // The letters of a size may reach further than the box that cuts them off.
            .filter((part) => !part.closest('svg, .visually-hidden, bdi'))
            .filter((part) => part.getBoundingClientRect().right > right + 0.5)
            .map((part) => part.outerHTML)
        );
      });
    expect(overflowing).toEqual([]);
  },
);
