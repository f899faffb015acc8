/** What people have reported of other shops and libraries, tried on this one: layout, touch, focus, paper. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxOf, contentWidth } from '../browser/shown.ts';
import { numbered, type StockRow } from '../supabase/stock.ts';
import { ada, changeDevice, page, restock, visitBeforeEach } from './fixture.ts';

visitBeforeEach();

const PHONE = { width: 360, height: 740 };
/** One word of 66 letters. */
const LONG_WORD = 'Baumwollmischgewebestrickpulloverjackenschnittmusterbogenpapierrol';

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Stocks the shop, logs in, and puts one of its first product into the cart. */
async function fillCart(rows: readonly StockRow[]): Promise<void> {
  await restock(rows);
  await ada.logIn();
  await ada.waitForProducts(rows.length);
  await button(/^Add to Cart:/)
    .first()
    .click();
  await ada.waitForCartCount(1);
}

/** The texts on screen that reach beyond the sides of the window, or into an inset at its sides. */
function textsAtEdges(inset = 0): Promise<string[]> {
  return page.evaluate((insetPx) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (!nodeValue?.trim() || !parentElement?.checkVisibility()) continue;
      // The row of categories (`nav ul`) scrolls, so its end is outside.
      if (parentElement.closest('script, noscript, .visually-hidden, nav ul')) continue;
      if (getComputedStyle(parentElement).clipPath !== 'none') continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      // The nearest element around the text that cuts off what overflows it.
      let clip = parentElement;
      while (clip !== document.body && getComputedStyle(clip).overflowX === 'visible') {
        clip = clip.parentElement ?? document.body;
      }
      const clipped = clip.getBoundingClientRect();
      for (const { left, right, top, bottom, width } of range.getClientRects()) {
        if (width === 0 || bottom < 0 || top > innerHeight) continue;
        const shownLeft = clip === document.body ? left : Math.max(left, clipped.left);
        const shownRight = clip === document.body ? right : Math.min(right, clipped.right);
        if (shownLeft < insetPx - 0.5 || shownRight > innerWidth - insetPx + 0.5) {
          found.push(`${nodeValue.trim()} ${Math.round(shownLeft)}–${Math.round(shownRight)}`);
        }
      }
    }
    return found;
  }, inset);
}

/** Expects nothing beyond the sides of a phone's window. */
async function expectNothingBeyond(where: string): Promise<void> {
  expect(await contentWidth(page), where).toBe(PHONE.width);
  expect(await textsAtEdges(), where).toEqual([]);
}

/** Whether what lies on top at the middle of an element is the element, or something in it. */
const isOnTop = (element: Locator) =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

test('a notice with a long word keeps its buttons in view, and no screen is wider than the window', async () => {
  const row = {
    SKC: 'W-1',
    Size: `M ${LONG_WORD.slice(0, 40)}`,
    'Category 1': LONG_WORD,
    'Category 2': LONG_WORD.slice(1),
    'Retail Price': 50,
    Material: LONG_WORD,
    'Fabric Composition': LONG_WORD,
  };
  await changeDevice({ viewport: PHONE });
  await fillCart([row, { SKC: 'W-2', 'Category 1': 'Sock' }]);
  for (const [path, text] of [
    ['/', /Baum/],
    [`/?q=${LONG_WORD}x`, /^No products/],
    ['/product/W-1', /Baum/],
    ['/cart', /Baum/],
  ] as const) {
    await ada.goto(path);
    await page.getByText(text).first().waitFor();
    await expectNothingBeyond(path);
  }
  await button(/^Remove:/).click();
  for (const name of ['Undo', 'Close this message']) {
    expect((await boxOf(button(name))).right).toBeLessThanOrEqual(PHONE.width - 16);
    expect(await isOnTop(button(name))).toBe(true);
  }
  await button('Undo').click();
  await ada.openCheckout();
  await page.getByLabel('Full name').fill(LONG_WORD);
  await page.getByLabel('City').fill(LONG_WORD);
  await ada.pay();
  await expectNothingBeyond('the receipt');
  await ada.goto('/orders');
  await page.getByRole('listitem').locator('summary').first().click();
  await expectNothingBeyond('the order');
});

/** Whether nothing hides all of the focused element: some point of it, or of its label, lies on top. */
const isFocusSeen = () =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.closest('[href="#main"]')) return true;
    // A file field is hidden on purpose, and its label is what the user sees.
    const shown = focused.matches('[type=file]') ? focused.nextElementSibling! : focused;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const shares = [0.1, 0.5, 0.9];
    return shares.some((x) =>
      shares.some((y) => {
        const onTop = document.elementFromPoint(left + x * width, top + y * height);
        return onTop !== null && (shown.contains(onTop) || onTop.contains(shown));
      }),
    );
  });

/** Moves the focus forwards and back, and expects to see what has it after each key. */
async function expectFocusSeen(times: number, where: string) {
  for (const key of ['Tab', 'Shift+Tab'].flatMap((each) => Array<string>(times).fill(each))) {
    await page.keyboard.press(key);
    expect(await isFocusSeen(), `${where}: ${key}`).toBe(true);
  }
}

test('on a phone that lies on its side, no text is under the camera', async () => {
  await restock([...numbered(12), { SKC: 'Z', 'Category 1': 'Sock', 'Retail Price': 9 }]);
  await changeDevice({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { left: 59, right: 59, bottom: 21, top: 0 },
  });
  for (const path of ['/', '/cart', '/login', '/product/Z', '/nothing', '/admin/import']) {
    await ada.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    for (const share of [0, 1]) {
      await page.evaluate((y) => window.scrollTo(0, y * document.body.scrollHeight), share);
      expect(await textsAtEdges(59), `${path} at ${share}`).toEqual([]);
    }
  }
});

test('in a low window nothing that stays in view covers the rest, and the account menu can be reached', async () => {
  await changeDevice({ viewport: { width: 640, height: 256 } });
  await fillCart(numbered(30));
  for (const path of ['/', '/product/S-000000', '/cart', '/checkout']) {
    await ada.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate(() => window.scrollTo(0, 300));
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => /sticky|fixed/.test(getComputedStyle(element).position))
        .map((element) => element.getBoundingClientRect())
        .filter(({ height, width }) => height * width > 0)
        .reduce((sum, { height }) => sum + height, 0),
    );
    expect(covered, path).toBeLessThan(100);
  }
  await ada.goto('/');
  await page.getByRole('banner').locator('button[aria-expanded]').click();
  await button('Logout').focus();
  expect(await isOnTop(button('Logout'))).toBe(true);
});

test('an order prints on one page, from its receipt and from Your Orders', async () => {
  const names = ['Tee', 'Sock', 'Scarf', 'Shirt', 'Coat', 'Hat', 'Vest', 'Glove', 'Belt', 'Tie'];
  const rows = names.map((name) => ({ SKC: name, 'Category 1': name, 'Retail Price': 9 }));
  await restock(rows);
  await ada.logIn();
  await ada.waitForProducts(names.length);
  await ada.add(...names);
  await ada.openCheckout();
  await ada.pay();
  await page.getByRole('region', { name: 'Receipt' }).waitFor();
  expect(await printedPages()).toBe(1);
  await ada.goto('/orders');
  await page.getByRole('listitem').locator('summary').first().click();
  expect(await printedPages()).toBe(1);
});

/** How many pages of paper the page takes (A4). */
async function printedPages(): Promise<number> {
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** The values of WCAG 1.4.12, as a style of the user. */
const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
  p { margin-bottom: 2em !important }`;

test('with more space between letters and lines no title is cut, and rows do not overlap', async () => {
  await restock(numbered(60));
  await ada.openCatalogue(60);
  await page.getByRole('article').first().waitFor();
  // The shop's headers forbid a style element.
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, TEXT_SPACING);
  const cut = () =>
    page
      .getByRole('article')
      .getByRole('heading')
      .evaluateAll(
        (titles) =>
          titles.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).length,
      );
  await expect.poll(cut).toBe(0);
  const add = button('Add to Cart: Tee, size 0');
  await expect.poll(() => isOnTop(add)).toBe(true);
  const rows = page.locator('[data-row]');
  const bottomOfFirst = async () => (await boxOf(rows.nth(0))).bottom;
  const topOfSecond = async () => (await boxOf(rows.nth(1))).y;
  await expect.poll(async () => (await topOfSecond()) - (await bottomOfFirst())).toBeCloseTo(0, 0);
});

test('three arrow keys in the sort field are one step back in the history', async () => {
  await restock(numbered(3));
  await ada.openCatalogue(3);
  const sort = page.getByRole('combobox', { name: 'Sort' });
  const before = await page.evaluate(() => history.length);
  await sort.focus();
  for (const [key, address] of [
    ['ArrowDown', '?sort=price-asc'],
    ['ArrowDown', '?sort=price-desc'],
    ['ArrowUp', '?sort=price-asc'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => location.search)).toBe(address);
  }
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => location.search)).toBe('');
  await expect.poll(() => sort.inputValue()).toBe('');
});

test('on a phone the focus is never hidden by what stays at the head or at the foot, forwards and backwards', async () => {
  const sizes = Array.from({ length: 12 }, (_, i) => ({
    SKC: 'Z',
    Size: `${28 + i}`,
    'Category 1': 'Jeans',
    'Retail Price': 60,
  }));
  await changeDevice({ viewport: { width: 390, height: 600 } });
  await fillCart([...sizes, ...numbered(6)]);
  await ada.add('Tee, size 1', 'Tee, size 2');
  for (const path of ['/', '/product/Z', '/cart', '/checkout', '/admin/import']) {
    await ada.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('main').getByRole('button').first().waitFor();
    await expectFocusSeen(30, path);
  }
});

test('with a zoom of 400 % each button of a dialog can be reached and seen', async () => {
  await changeDevice({ viewport: { width: 320, height: 256 } });
  await fillCart(numbered(30));
  const expectReachable = async (where: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (const each of await dialog.getByRole('button').all()) {
      await each.focus();
      expect(await isOnTop(each), `${where}: ${await each.textContent()}`).toBe(true);
    }
  };
  await button('Filters').click();
  await expectReachable('the filters');
  await page.getByRole('dialog').getByRole('checkbox').first().focus();
  expect(await isFocusSeen(), 'a filter').toBe(true);
  await button('Close').click();
  await page.getByRole('banner').locator('button[aria-expanded]').click();
  await button('Delete my account').click();
  await expectReachable('the deletion');
});

test('with letters twice as large nothing is pushed out of a phone’s window', async () => {
  await changeDevice({ viewport: PHONE });
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html { font-size: 200% }');
      document.adoptedStyleSheets = [sheet];
    });
  });
  const name = 'Straight jeans in heavyweight Japanese selvedge denim';
  await fillCart([{ SKC: 'Z', Size: 'M Tall', 'Category 1': name, 'Retail Price': 1234.5 }]);
  for (const path of ['/', '/product/Z', '/cart', '/checkout', '/orders', '/admin/import']) {
    await ada.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (/cart|product/.test(path)) await page.getByText('$1,234.50').first().waitFor();
    await expectNothingBeyond(path);
  }
});
