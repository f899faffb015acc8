/** Filters, orders, favourites and categories: how a shopper finds something in the catalogue. */
import { describe, expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { boxOf } from '../browser/shown.ts';
import { fewOf } from '../full-run.ts';
import {
  ada,
  changeDevice,
  context,
  page,
  REACT_SCRIPT,
  reopenPage,
  restock,
  startLoading,
  visitBeforeEach,
} from './fixture.ts';

/** A product. One that costs 20 is also in the category New. */
const garment = (
  SKC: string,
  kind: string,
  Size: string,
  price: number | null,
  Material: string,
) => ({
  SKC,
  Size,
  'Category 1': kind,
  'Category 2': kind === 'Tee' ? 'Men' : 'Women',
  'Category 4': price === 20 ? 'New' : null,
  'Retail Price': price,
  Material,
});
const PRODUCTS = [
  garment('A', 'Tee', 'M', 20, 'Cotton'),
  garment('B', 'Coat', 'L', 300, 'Wool'),
  garment('C', 'Shirt', 'S', 80, 'Linen'),
  garment('D', 'Shirt', 'M', 90, 'Linen'),
  garment('E', 'Skirt', '38', null, 'Linen, washed'),
  garment('F', 'Skirt', '9', 60, 'Wool'),
];

visitBeforeEach({ products: PRODUCTS });

const DESKTOP_WIDE = { width: 2200, height: 1200 };
/** The titles on the cards, in their order. */
const titles = () => page.locator('article h2').allTextContents();
const path = () => page.evaluate(() => location.pathname + location.search);
/** A button in the row of filters. */
const button = (name: string | RegExp) =>
  page.getByRole('group', { name: 'Filter and sort' }).getByRole('button', { name });
const allCategories = () => page.getByRole('button', { name: 'All categories' });
const checkbox = (name: RegExp) => page.getByRole('checkbox', { name });
const sort = () => page.getByRole('combobox', { name: 'Sort' });
const toggle = () => page.getByRole('button', { name: 'Favourites', exact: true });
/** The name of the focused element. */
const focusedName = () =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined;
    return (label ?? element?.ariaLabel ?? element?.textContent ?? '').replaceAll(/\s+/g, ' ');
  });

async function open(address = '/', count = 6): Promise<void> {
  await ada.goto(address);
  await ada.waitForProducts(count);
}

describe('the order', () => {
  test('is new arrivals, and can be by price up or down, where products without a price are last', async () => {
    await open();
    expect(await sort().inputValue()).toBe('');
    expect(await titles()).toEqual(['Tee', 'Coat', 'Shirt', 'Shirt', 'Skirt', 'Skirt']);
    await sort().selectOption({ label: 'Price, low to high' });
    await expect.poll(titles).toEqual(['Tee', 'Skirt', 'Shirt', 'Shirt', 'Coat', 'Skirt']);
    expect(await path()).toBe('/?sort=price-asc');
    await sort().selectOption({ label: 'Price, high to low' });
    await expect.poll(titles).toEqual(['Coat', 'Shirt', 'Shirt', 'Skirt', 'Tee', 'Skirt']);
    await page.reload();
    await expect.poll(titles).toEqual(['Coat', 'Shirt', 'Shirt', 'Skirt', 'Tee', 'Skirt']);
    await sort().selectOption({ label: 'New arrivals' });
    await expect.poll(path).toBe('/');
  });

  test('that is chosen before React has arrived holds', async () => {
    const release = await hold(context, REACT_SCRIPT);
    await startLoading('/');
    await page.getByRole('article').first().waitFor();
    await sort().selectOption({ label: 'Price, high to low' });
    release();
    await expect.poll(titles).toEqual(['Coat', 'Shirt', 'Shirt', 'Skirt', 'Tee', 'Skirt']);
    expect(await sort().inputValue()).toBe('price-desc');
  });
});

describe('on a wide screen', () => {
  test('a shopper filters by size, price and material, and sees what each would leave', async () => {
    await open();
    await button('Size').click();
    const sizes = page.getByRole('group', { name: 'Size' });
    await expect.poll(() => sizes.getByRole('checkbox').count()).toBe(5);
    expect(await sizes.innerText()).toMatch(/^Size\s+S\s+1\s+M\s+2\s+L\s+1\s+9\s+1\s+38\s+1$/);
    await checkbox(/^M/).click();
    await ada.waitForProducts(2);
    await button('Material').click();
    expect(await sizes.count(), 'one panel at a time').toBe(0);
    expect(await checkbox(/^Linen 1$/).count()).toBe(1);
    await checkbox(/^Wool 0$/).waitFor();
    await checkbox(/^Linen 1$/).click();
    await ada.waitForProducts(1);
    await expect.poll(path).toBe('/?size=M&material=Linen');
    await button('Price').click();
    await checkbox(/^\$90 to \$300 1$/).click();
    await ada.waitForProducts(1);
    await page.reload();
    await ada.waitForProducts(1);
    expect(await titles()).toEqual(['Shirt']);
  });

  test('by keyboard the focus stays on the box, and Escape leads back to the button', async () => {
    await open();
    await button('Size').focus();
    await page.keyboard.press('Enter');
    await checkbox(/^S/).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focusedName()).toBe('M 2');
    await page.keyboard.press('Space');
    await ada.waitForProducts(2);
    expect(await checkbox(/^M/).isChecked()).toBe(true);
    expect(await focusedName()).toBe('M 2');
    await page.keyboard.press('Escape');
    await checkbox(/^S/).waitFor({ state: 'detached' });
    expect(await focusedName()).toBe('Size 1 selected');
  });

  test('two boxes that are ticked before the page is drawn again both stay ticked', async () => {
    await open();
    await button('Size').click();
    await checkbox(/^M/).waitFor();
    await page.evaluate(() => {
      const boxes = [...document.querySelectorAll<HTMLElement>('fieldset input')];
      for (const box of boxes.slice(0, 2)) box.click();
    });
    await ada.waitForProducts(3);
    await expect.poll(path).toBe('/?size=S&size=M');
  });

  test('a chosen filter is taken away alone, or with all others, and the focus is not lost', async () => {
    await open('/?size=M&size=S&material=Linen', 2);
    const chosen = page.getByRole('list', { name: 'Selected filters' });
    expect(await chosen.getByRole('button').allInnerTexts()).toHaveLength(4);
    await chosen.getByRole('button', { name: 'Remove size M' }).click();
    await ada.waitForProducts(1);
    expect(await focusedName()).toContain('Remove size S');
    await chosen.getByRole('button', { name: 'Clear all' }).click();
    await ada.waitForProducts(6);
    expect(await focusedName()).toBe('New Arrivals');
    expect(await chosen.count()).toBe(0);
  });
});

describe.each([320, 390])('on a phone %i px wide', (width) => {
  test('one button opens a sheet with all filters, which says how many products are left', async () => {
    await page.setViewportSize({ width, height: 700 });
    await open();
    expect(await button('Size').count()).toBe(0);
    await button('Filters').click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('checkbox', { name: /^M/ }).click();
    await sheet.getByRole('button', { name: 'Show 2 products' }).waitFor();
    await sheet.getByRole('checkbox', { name: /^Linen 1/ }).click();
    await sheet.getByRole('button', { name: 'Show 1 product' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await titles()).toEqual(['Shirt']);
    expect(await focusedName()).toBe('Filters 2 selected');
    await button(/^Filters/).click();
    await sheet.getByRole('button', { name: 'Clear all' }).click();
    await sheet.getByRole('button', { name: 'Show 6 products' }).waitFor();
    await page.mouse.click(width / 2, 20); // above the sheet
    await sheet.waitFor({ state: 'detached' });
  });
});

test('the number of products is announced in one place', async () => {
  await open();
  await button('Size').click();
  await checkbox(/^M/).click();
  await ada.waitForProducts(2);
  const filled = page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
  expect(await filled.allTextContents()).toEqual(['2 products']);
  await page.setViewportSize(PHONE);
  await button(/^Filters/).click();
  // What lies behind the sheet is inert, and says nothing.
  await page.getByRole('dialog').getByRole('checkbox', { name: /^S/ }).click();
  const announced = page.getByRole('dialog').getByRole('status');
  await expect.poll(() => announced.allTextContents()).toEqual(['3 products']);
});

test('the catalogue says for which category and which search it found nothing, and leads to all products', async () => {
  await ada.goto('/?category=Men&q=tee&size=S&material=Cotton');
  const main = page.getByRole('main');
  await main.getByText('No products found for Men matching “tee”.').waitFor();
  await page.getByRole('button', { name: 'Remove size S' }).click();
  await ada.waitForProducts(1);
  await expect.poll(path).toBe('/?category=Men&q=tee&material=Cotton');
  await ada.goto('/?q=zebra');
  await main.getByText('No products found for All matching “zebra”.').waitFor();
  await main.getByRole('link', { name: 'Show all products' }).click();
  await ada.waitForProducts(6);
  await ada.goto('/?category=Gone');
  await main.getByText('No products found for Gone.').waitFor();
});

test(
  'of many materials the thirty most frequent are offered, and a search finds the others',
  { tags: 'long' },
  async () => {
    const product = (i: number, material: string) => garment(`P${i}`, 'Tee', 'M', 20, material);
    await restock([
      ...Array.from({ length: 40 }, (_, i) => product(i, `Cloth ${i}`)),
      ...Array.from({ length: 30 }, (_, i) => product(100 + i, `Cloth ${i + 10}`)),
    ]);
    await open('/', 70);
    await button('Material').click();
    const boxes = page.getByRole('group', { name: 'Material' }).getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(30);
    expect(await checkbox(/^Cloth 3 /).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search materials' }).fill('CLOTH 3');
    await checkbox(/^Cloth 3 /).click();
    await ada.waitForProducts(1);
  },
);

test(
  'a shared address of filters opens without a signal, in a shop that was closed',
  { tags: 'worker' },
  async () => {
    await open();
    await waitForWorker(page);
    await ada.goOffline();
    await reopenPage();
    await ada.goto('/?size=M&size=L&sort=price-desc');
    await ada.waitForProducts(3);
    expect(await titles()).toEqual(['Coat', 'Shirt', 'Tee']);
    await ada.goOnline();
  },
);

test('filters that did not arrive are loaded when the shopper tries again', async () => {
  await context.route(/\/assets\/finding-parts-.*\.js$/, (route) => route.abort());
  await ada.goto('/?size=M');
  await page.getByText('The filters didn’t load. Check your connection.').waitFor();
  await context.unroute(/\/assets\/finding-parts-.*\.js$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await ada.waitForProducts(2);
});

describe('favourites', () => {
  test.each([PHONE, DESKTOP_WIDE])(
    'are a toggle beside the search at $width px, never chosen together with All, and open from another screen',
    async (viewport) => {
      await page.setViewportSize(viewport);
      await ada.logIn();
      await ada.waitForProducts(6);
      const chosen = page.getByRole('navigation', { name: 'Categories' }).locator('[aria-current]');
      expect(await chosen.allTextContents()).toEqual(['All']);
      const search = page.getByRole('searchbox', { name: 'Search products' });
      const [left, right] = [await boxOf(search), await boxOf(toggle())];
      expect(right.x - left.right).toBeLessThan(20);
      expect(right.y).toBe(left.y);
      await ada.heart('Tee, Cotton, size M').click();
      await toggle().click();
      await ada.waitForProducts(1);
      expect(await toggle().getAttribute('aria-pressed')).toBe('true');
      expect(await chosen.count()).toBe(0);
      // A phone has the toggle on the catalogue only.
      await page.setViewportSize(DESKTOP_WIDE);
      await ada.cartLink.click();
      await ada.heading('Shopping Cart').waitFor();
      await toggle().click();
      await ada.waitForProducts(1);
    },
  );
});

describe('all categories', () => {
  const nav = () => page.getByRole('navigation', { name: 'Categories' });

  test('are shown in several lines, and in one again when a category is chosen', async () => {
    await page.setViewportSize(PHONE);
    await open();
    const links = nav().getByRole('link');
    const lineCount = () =>
      links.evaluateAll(
        (chips) => new Set(chips.map((chip) => chip.getBoundingClientRect().top)).size,
      );
    expect(await lineCount()).toBe(1);
    await allCategories().click();
    await expect.poll(lineCount).toBeGreaterThan(1);
    expect((await boxOf(links.last())).right).toBeLessThan(PHONE.width);
    await nav().getByRole('link', { name: 'Skirt' }).focus();
    await page.keyboard.press('Enter');
    await ada.waitForProducts(2);
    await expect.poll(lineCount).toBe(1);
    expect(await focusedName()).toBe('Skirt');
  });

  test('are not offered while there are none', async () => {
    await restock([{ SKC: 'X', 'Retail Price': 5 }]);
    await open('/', 1);
    expect(await allCategories().count()).toBe(0);
  });
});

test.each(fewOf(1, LOOKS))(
  'axe finds nothing at $width pixels, $colorScheme, in panels, sheet, all categories and nothing found',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    await open('/?size=M&material=Linen', 1);
    await expectAccessible(page, 'chosen filters');
    await button(width < 768 ? /^Filters/ : /^Material/).click();
    await checkbox(/^Linen 1/).waitFor();
    await expectAccessible(page, 'filters');
    await page.keyboard.press('Escape');
    await allCategories().click();
    await page.getByRole('button', { name: 'Fewer categories' }).waitFor();
    await expectAccessible(page, 'categories');
    await ada.goto('/?category=Men&size=S');
    await page.getByText('No products found for Men.').waitFor();
    await expectAccessible(page, 'nothing found');
  },
);

test('a phone that is turned while the sheet of filters is open shows the sheet, and can be used behind it', async () => {
  await page.setViewportSize(PHONE);
  await ada.openCatalogue(PRODUCTS.length);
  await page.getByRole('button', { name: 'Filters' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.waitFor();
  await page.setViewportSize({ width: PHONE.height, height: PHONE.width });
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Cart' }).click();
  await ada.heading('Shopping Cart').waitFor();
});
