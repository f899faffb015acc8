/** The page of a product: from the card and back, in its sizes, with no signal, and under an unknown code. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { PHONE, waitForWorker } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { waitForReact } from '../browser/observe.ts';
import { boxOf, nextFrames, wordsOf } from '../browser/shown.ts';
import { fewOf } from '../full-run.ts';
import type { StockRow } from '../supabase/stock.ts';
import {
  ada,
  changeDevice,
  context,
  page,
  reopenPage,
  startLoading,
  visitBeforeEach,
} from './fixture.ts';

/** A stock code with characters that have a meaning in addresses. */
const ODD = 'Å/1?a=b#% 布';
const JEANS = {
  'Category 1': 'Jeans',
  'Category 2': 'Men',
  Material: 'Selvedge denim',
  'Fabric Composition': '100% cotton, 13 oz',
  'Images link': '/pictures/none.svg',
};
/** Enough to scroll; `ODD` stands last. */
const PRODUCTS: readonly StockRow[] = [
  ...Array.from({ length: 60 }, (_, i) => ({
    SKC: `S-${i + 10}`,
    Size: 'M',
    'Category 1': ['Tee', 'Coat', 'Sock'][i % 3] ?? '',
    'Category 2': 'Men',
    Material: `Cloth ${i}`,
    'Retail Price': 20 + i,
  })),
  { ...JEANS, SKC: ODD, Size: '32', 'Retail Price': 172 },
  { ...JEANS, SKC: ODD, Size: '30', 'Retail Price': 168 },
];
const ODD_PATH = `/product/${encodeURIComponent(ODD)}`;

visitBeforeEach({ products: PRODUCTS });

const heading = () => page.getByRole('heading', { level: 1 });
const link = (name: string) => page.getByRole('link', { name: `View ${name}`, exact: true });
const address = () => page.evaluate(() => location.pathname + location.search);
const focusedName = () =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
const price = () => page.locator('output', { hasText: '$' });

/** Opens the catalogue and scrolls to the card of the last product. Returns the scroll position. */
async function scrollToEnd(): Promise<number> {
  await ada.openCatalogue(PRODUCTS.length);
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return link('Jeans, Selvedge denim, size 32').count();
    })
    .toBe(1);
  await nextFrames(page); // the grid draws the rows of this place
  return page.evaluate(() => window.scrollY);
}

async function openProduct(path = ODD_PATH): Promise<void> {
  await ada.goto(path);
  await page.getByRole('region', { name: 'Details' }).waitFor();
}

test.each(['picture', 'title'])(
  'a tap on the %s of a card opens the product, and Back leads to the same place',
  async (part) => {
    const top = await scrollToEnd();
    const card = page.getByRole('article', { name: 'Jeans, Selvedge denim, size 32' });
    // Clicks at the place of that part, whatever element lies there, as a finger does.
    const { x, y } = await boxOf(card.locator(part === 'picture' ? 'img' : 'h2'));
    await page.mouse.click(x + 20, y + 10);
    await expect.poll(() => heading().textContent()).toBe('Jeans');
    expect(await address()).toBe(`${ODD_PATH}?size=32`);
    expect(await page.title()).toBe('Jeans, Selvedge denim · Weft');
    await expect.poll(focusedName).toBe('Jeans');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => heading().textContent()).toBe('New Arrivals');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
    await expect.poll(focusedName).toBe('View Jeans, Selvedge denim, size 32');
  },
);

test('by keyboard, Enter on a card opens the product, and Back gives the focus to that card again', async () => {
  await scrollToEnd();
  await link('Jeans, Selvedge denim, size 30').focus();
  await page.keyboard.press('Enter');
  await expect.poll(focusedName).toBe('Jeans');
  await page.keyboard.press('Tab');
  await page.goBack();
  await expect.poll(focusedName).toBe('View Jeans, Selvedge denim, size 30');
});

test('the heart and the button of a card do not open the product', async () => {
  await ada.openCatalogue(PRODUCTS.length);
  await ada.heart('Tee, Cloth 0, size M').click();
  await ada.addButton('Tee, Cloth 0, size M').click();
  expect(await address()).toBe('/');
});

test('a product shows its sizes, and each has its own price, address and place in the cart', async () => {
  await ada.logIn();
  await openProduct();
  const sizes = page.getByRole('group', { name: 'Size' }).getByRole('radio');
  expect(await sizes.count()).toBe(2);
  expect(await page.getByRole('radio', { checked: true }).count(), 'none is chosen').toBe(0);
  expect(await price().textContent()).toBe('From $168.00');
  await page.getByRole('button', { name: 'Choose a size' }).click();
  await page.keyboard.press('Space');
  await expect.poll(() => price().textContent()).toBe('$168.00');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => price().textContent()).toBe('$172.00');
  expect(await address()).toBe(`${ODD_PATH}?size=32`);
  await page.reload();
  await page.getByRole('region', { name: 'Details' }).waitFor();
  expect(await page.getByRole('radio', { name: '32' }).isChecked()).toBe(true);
  await ada.addButton('Jeans, Selvedge denim, size 32').click();
  await ada.waitForCartCount(1);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await link('Jeans, Selvedge denim, size 32').click();
  await expect.poll(address).toBe(`${ODD_PATH}?size=32`);
});

test('choosing a size keeps the page where it is', async () => {
  await page.setViewportSize({ width: 390, height: 500 });
  await openProduct();
  await page.evaluate(() => window.scrollTo(0, 400));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
  await page.locator('label').filter({ hasText: /^32$/ }).click();
  await expect.poll(() => price().textContent()).toBe('$172.00');
  expect(await page.evaluate(() => window.scrollY)).toBe(400);
});

test('a reload keeps the place on a product, which is drawn only when it has come from storage', async () => {
  await page.setViewportSize({ width: 390, height: 500 });
  await openProduct();
  await page.evaluate(() => window.scrollTo(0, 400));
  await page.reload();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
});

test('the label names material, composition, code and categories, which lead to the catalogue', async () => {
  await openProduct();
  const label = page.getByRole('region', { name: 'Details' });
  expect(await wordsOf(label.locator('dl'))).toBe(
    `Material Selvedge denim Composition 100% cotton, 13 oz Stock code ${ODD} Categories Jeans Men`,
  );
  await label.getByRole('link', { name: 'Men' }).click();
  await ada.waitForProducts(PRODUCTS.length);
  expect(await address()).toBe('/?category=Men');
});

test('what goes with a product is one of each other kind, and leads there and back', async () => {
  await openProduct();
  const others = page.getByRole('region', { name: 'Goes well with' });
  const kinds = () => others.getByRole('heading', { level: 3 }).allTextContents();
  await expect.poll(kinds).toEqual(['Tee', 'Coat', 'Sock']);
  await link('Coat, Cloth 1').click();
  await expect.poll(() => heading().textContent()).toBe('Coat');
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => heading().textContent()).toBe('Jeans');
  await expect.poll(focusedName).toBe('View Coat, Cloth 1');
});

test('a product opens with no signal, in a shop that was closed', { tags: 'worker' }, async () => {
  await ada.openCatalogue(PRODUCTS.length);
  await waitForWorker(page);
  await page.reload();
  await ada.waitForProducts(PRODUCTS.length);
  await ada.goOffline();
  await reopenPage();
  await openProduct(`${ODD_PATH}?size=32`);
  await expect.poll(() => heading().textContent()).toBe('Jeans');
  expect(await price().textContent()).toBe('$172.00');
  await ada.goto('/product/none');
  await page.getByText('We don’t have “none”.').waitFor();
});

test('a first visit shows title, price and picture before any script, and React draws the same', async () => {
  const release = await hold(context, /\/assets\/.*\.js$/);
  await startLoading(`${ODD_PATH}?size=32`);
  await heading().getByText('Jeans').waitFor();
  await page.getByText('$172.00').waitFor();
  const picture = page.locator('main img').first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(400); // the width of none.svg
  await expectAccessible(page, 'a product before any script');
  const places = () =>
    page.locator('h1, main img >> nth=0').evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      }),
    );
  const early = await places();
  release();
  await ada.addButton('Jeans, Selvedge denim, size 32').waitFor();
  expect(await places()).toEqual(early);
});

test('a first visit asks for the product before the catalogue', async () => {
  const release = await hold(context, /\/catalogue\/(head|page\/|changes)/);
  await openProduct();
  expect(await heading().textContent()).toBe('Jeans');
  expect(await page.getByRole('radio').count()).toBe(2);
  release();
  await page.getByRole('region', { name: 'Goes well with' }).waitFor();
});

test('an unknown code says so and shows the catalogue', async () => {
  await ada.goto('/product/none%2F1');
  await page.getByText('We don’t have “none/1”.').waitFor();
  await expect.poll(() => heading().textContent()).toBe('This product isn’t available');
  await link('Coat, Cloth 1, size M').waitFor();
});

test('a product shows what this device has shown before it, until a logout', async () => {
  const viewed = page.getByRole('region', { name: 'Recently viewed' });
  const viewedNames = () => viewed.getByRole('heading', { level: 3 }).allTextContents();
  await ada.logIn();
  for (const code of ['S-10', 'S-11', 'S-12']) await openProduct(`/product/${code}`);
  await expect.poll(viewedNames).toEqual(['Coat', 'Tee']);
  await expectAccessible(page);
  await ada.logOut();
  await openProduct('/product/S-13');
  expect(await viewed.count()).toBe(0);
});

test('search engines read one description of the product, from the host and then from the page', async () => {
  const heads = () =>
    page.evaluate(() => ({
      canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
      description: document.querySelector<HTMLMetaElement>('meta[name=description]')?.content,
      data: [...document.querySelectorAll('script[type="application/ld+json"]')].map(
        ({ textContent }) => textContent,
      ),
    }));
  const release = await hold(context, /\/assets\/.*\.js$/);
  await startLoading(ODD_PATH);
  await page.waitForSelector('link[rel=canonical]', { state: 'attached' });
  const fromHost = await heads();
  release();
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await waitForReact(page);
  await nextFrames(page);
  expect(await heads()).toEqual(fromHost);
  expect(fromHost.data).toHaveLength(1);
});

/** Counts the View Transitions of each document. */
async function countTransitions(): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { transitions: 0 });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      (globalThis as unknown as { transitions: number }).transitions += 1;
      return start(update);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { transitions: number }).transitions);
}

test.each([
  ['no-preference', 1],
  ['reduce', 0],
] as const)(
  'with motion "%s", opening a product and going back are animated %i times each',
  async (reducedMotion, count) => {
    await changeDevice({ reducedMotion });
    const transitions = await countTransitions();
    await ada.openCatalogue(PRODUCTS.length);
    // The script of the product's page loads last.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /\/page-.*\.js$/.test(name)),
    );
    await link('Coat, Cloth 1, size M').click();
    await expect.poll(() => heading().textContent()).toBe('Coat');
    expect(await transitions()).toBe(count);
    await page.reload();
    // The heading is there before React, which alone can animate.
    await page.getByRole('region', { name: 'Goes well with' }).waitFor();
    await page.goBack();
    await expect.poll(() => heading().textContent()).toBe('New Arrivals');
    expect(await transitions()).toBe(count);
  },
);

test.each([PHONE, { width: 320, height: 568 }])(
  'price and button are at the foot of a phone of $width × $height, wherever the page is scrolled',
  async (viewport) => {
    await page.setViewportSize(viewport);
    await openProduct(`${ODD_PATH}?size=30`);
    const button = ada.addButton('Jeans, Selvedge denim, size 30');
    for (const top of [0, 200]) {
      await page.evaluate((y) => window.scrollTo(0, y), top);
      for (const box of [await boxOf(button), await boxOf(price())]) {
        expect(box.bottom).toBeLessThanOrEqual(viewport.height);
        expect(box.y).toBeGreaterThan(viewport.height / 2);
      }
    }
  },
);

test.each(fewOf(1, LOOKS))(
  'axe finds nothing at $width pixels, $colorScheme, on a product and under an unknown code',
  async ({ width, colorScheme }) => {
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    await openProduct();
    await page.getByRole('region', { name: 'Goes well with' }).waitFor();
    await expectAccessible(page, 'a product');
    await ada.goto('/product/none');
    await page.getByText('We don’t have “none”.').waitFor();
    await expectAccessible(page, 'unknown');
  },
);
