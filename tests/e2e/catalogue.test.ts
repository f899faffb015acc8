import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { recordRequests } from '../browser/observe.ts';
import { ada, changeDevice, page, visitBeforeEach } from './fixture.ts';

const WOMEN = { 'Category 2': 'Women' };
const MEN = { 'Category 2': 'Men' };
const NEW = { 'Category 4': 'New', 'Retail Price': 9 };
const PRODUCTS = [
  { ...WOMEN, SKC: 'A-1', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
  { ...WOMEN, SKC: 'A-2', Size: 'L', 'Category 1': 'Robe d’Été', 'Retail Price': 120 },
  { ...MEN, SKC: 'A-3', 'Category 1': 'Chore jacket', Material: 'Moleskin', 'Retail Price': 95 },
  { ...MEN, SKC: 'A-4', 'Retail Price': null },
  { ...NEW, SKC: 'A-5', 'Category 1': 'Sock', 'Images link': '/pictures/missing.svg' },
  { ...NEW, SKC: 'A-6', 'Category 1': 'Scarf', 'Images link': '/icons/icon.svg' },
];

visitBeforeEach({ products: PRODUCTS });

/** Opens a path and waits until its screen is complete. */
async function open(path = '/'): Promise<void> {
  await ada.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The page's markup has the heading and the first products; this waits for the rest.
  await page.getByText('Loading products...').waitFor({ state: 'detached' });
}

async function openCatalogue(): Promise<void> {
  await open('/');
  await card('Sock').waitFor();
}

/** The names on the cards, in their order. */
const titles = () => page.locator('article h2').allTextContents();
const card = (name: string) => page.getByRole('article', { name });
/** The search field of the header or, on a small screen, of the catalogue. */
const search = (id = 'header') => page.locator(`#${id}-search`);
const path = () => page.evaluate(() => location.pathname + location.search);

test('the catalogue is titled New Arrivals, and its cards show title, size, price and buttons', async () => {
  await open();
  await card('Linen shirt').waitFor();
  expect(await page.title()).toBe('New Arrivals · Weft');
  await expect
    .poll(titles)
    .toEqual(['Linen shirt', 'Robe d’Été', 'Chore jacket', 'Untitled', 'Sock', 'Scarf']);
  const shirt = card('Linen shirt, size M');
  expect(await shirt.getByText('$48.50').count()).toBe(1);
  expect(await shirt.getByText('Size M').count()).toBe(1);
  expect(await ada.heart('Linen shirt, size M').count()).toBe(1);
  expect(await ada.addButton('Linen shirt, size M').textContent()).toBe('Add to Cart');
  expect(await card('Untitled').getByText('N/A').count()).toBe(1);
  expect(await card('Chore jacket').getByText('Size').count()).toBe(0);
});

test('a picture that is missing or fails to load is replaced by the fallback', async () => {
  await open();
  for (const name of ['Sock', 'Untitled']) {
    await card(name).locator('img[src="/pictures/none.svg"]').waitFor();
  }
  expect(await card('Scarf').locator('img').getAttribute('src')).toBe('/icons/icon.svg');
});

test('a fallback that cannot be loaded is not requested again and again', async () => {
  await page.route('**/pictures/none.svg', (route) => route.abort());
  const requests = recordRequests(page, /\/pictures\/none\.svg/);
  await openCatalogue();
  await page.waitForTimeout(500);
  const { length } = requests;
  expect(length).toBeGreaterThan(0);
  await page.waitForTimeout(500);
  expect(requests.length).toBe(length);
});

test('the chips are All and every category in use, sorted; a chosen one survives reload, back and forward', async () => {
  await openCatalogue();
  const chips = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
  expect(await chips.allTextContents()).toEqual([
    'All',
    'Chore jacket',
    'Linen shirt',
    'Men',
    'New',
    'Robe d’Été',
    'Scarf',
    'Sock',
    'Women',
  ]);
  await chips.filter({ hasText: 'New' }).click();
  await expect.poll(titles).toEqual(['Sock', 'Scarf']);
  await expect.poll(path).toBe('/?category=New');
  await page.reload();
  await expect.poll(titles).toEqual(['Sock', 'Scarf']);
  expect(await page.locator('[aria-current="true"]').textContent()).toBe('New');
  await page.goBack();
  await card('Chore jacket').waitFor();
  await page.goForward();
  await expect.poll(titles).toEqual(['Sock', 'Scarf']);
});

test('the search filters with each letter, and survives reload, back and forward', async () => {
  await openCatalogue();
  await search().pressSequentially('moLE');
  await expect.poll(titles).toEqual(['Chore jacket']);
  await expect.poll(path).toBe('/?q=moLE');
  await page.reload();
  await card('Chore jacket').waitFor();
  expect(await search().inputValue()).toBe('moLE');
  // Letters of one search replace each other in the history, so the entry before has no search.
  await page.goBack();
  await card('Sock').waitFor();
  expect(await search().inputValue()).toBe('');
  await page.goForward();
  await card('Sock').waitFor({ state: 'detached' });
  expect(await search().inputValue()).toBe('moLE');
});

test('a shopper who types a long search fast loses no letter', async () => {
  await openCatalogue();
  const longSearch = 'linen shirt '.repeat(12).trim();
  await search().pressSequentially(longSearch);
  expect(await search().inputValue()).toBe(longSearch);
  await page.waitForFunction(
    (text) => new URLSearchParams(location.search).get('q') === text,
    longSearch,
  );
  await expect.poll(titles).toEqual(['Linen shirt']);
});

test('the header searches from any screen and leads to the catalogue', async () => {
  await open('/cart');
  await search().fill('sock');
  await search().press('Enter');
  await card('Sock').waitFor();
  await expect.poll(path).toBe('/?q=sock');
  await expect.poll(titles).toEqual(['Sock']);
});

test('on a small screen the search is on the catalogue page and not in the header', async () => {
  await page.setViewportSize(PHONE);
  await openCatalogue();
  expect(await search('header').isVisible()).toBe(false);
  await search('catalogue').fill('sock');
  await expect.poll(titles).toEqual(['Sock']);
});

test(
  'other screens have their address, their title, the header and the footer',
  { tags: 'long' },
  async () => {
    const screens = [
      ['/login', 'Sign In to Your Account'],
      ['/cart', 'Shopping Cart'],
      ['/checkout', 'Shopping Cart'], // an empty cart cannot be paid
      ['/admin/import', 'Product Data Import'],
    ] as const;
    for (const [address, title] of screens) {
      await open(address);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
      expect(await page.title()).toBe(`${title} · Weft`);
      const links = await page.getByRole('banner').getByRole('link').allTextContents();
      expect(links, address).toEqual(['Weft', 'Cart', 'Login', 'Sign Up']);
      const year = new Date().getFullYear();
      await page.getByRole('contentinfo').getByText(`© ${year} Weft`).waitFor();
    }
  },
);

test('the footer leads to the import page, and the header back to the catalogue', async () => {
  await open();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Admin access' }).click();
  await expect.poll(path).toBe('/admin/import');
  await page.getByRole('banner').getByRole('link', { name: 'Weft' }).click();
  await card('Sock').waitFor();
});

test('the grid has two columns on a phone and five on a wide screen', async () => {
  await openCatalogue();
  for (const [width, columns] of [
    [320, 2],
    [900, 4],
    [1920, 5],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(
      (n) => document.querySelector('[data-row]')?.childElementCount === n,
      columns,
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(overflow, `no sideways scroll at ${width}`).toBe(false);
  }
});

test.each(LOOKS)(
  'axe finds nothing at $width pixels, $colorScheme, with products, none, and an alert',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    for (const address of ['/', '/?q=zebra', '/cart']) {
      await open(address);
      // The tap of a visitor shows an alert that offers a login.
      if (address === '/') await card('Sock').getByRole('button', { name: /Add/ }).click();
      await expectAccessible(page, address);
    }
  },
);

test('a visitor who is not logged in sees an empty cart and the way back to the shop', async () => {
  await ada.goto('/cart');
  await page.getByText('Your cart is empty').waitFor();
  expect(await page.getByRole('link', { name: 'Continue shopping' }).count()).toBe(1);
});

test('a search with a typo is answered with what the shopper may have meant', async () => {
  await openCatalogue();
  await search().fill('linne shirt');
  await page.getByText('Did you mean').getByRole('link').click();
  await expect.poll(titles).toEqual(['Linen shirt']);
});
