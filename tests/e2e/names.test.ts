/** Names by which screen readers and voice control tell products apart. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { PHONE } from '../browser/browser.ts';
import { fewOf } from '../full-run.ts';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { ada, changeDevice, page, restock, shop, visitBeforeEach } from './fixture.ts';

const SHIRT = { 'Category 1': 'Oxford shirt', 'Category 2': 'Men', 'Retail Price': 98 };
const INDIGO = { ...SHIRT, Material: 'Indigo oxford', Size: 'M' };

visitBeforeEach();

/** What the links and the pictures of the cards on the screen are called, in the order of the cards. */
const linkNames = () => namesOfAll('article h2 a', 'aria-label');
const pictureNames = () => namesOfAll('article img', 'alt');

function namesOfAll(selector: string, attribute: string): Promise<(string | null)[]> {
  return page.locator(selector).evaluateAll((elements, name) => {
    return elements.map((element) => element.getAttribute(name));
  }, attribute);
}

/** Names that more than one card, link, button or picture of the screen has. */
async function sharedNames(): Promise<(string | null)[]> {
  const kinds = ['article', 'article a', 'article button', 'main h3 a'];
  const names = await Promise.all([
    ...kinds.map((kind) => namesOfAll(kind, 'aria-label')),
    pictureNames(),
  ]);
  expect(names.flat()).not.toContain(null);
  expect(names.flat()).not.toContain('');
  return names.flatMap((ofKind) => ofKind.filter((name, i) => ofKind.indexOf(name) < i));
}

test('cards are named by material and size, and by the stock code only where nothing else differs', async () => {
  await restock([
    { ...INDIGO, SKC: 'A' },
    { ...INDIGO, SKC: 'B' },
    { ...INDIGO, SKC: 'C', Size: 'S' },
    { ...INDIGO, SKC: 'D', Material: 'Ecru oxford' },
    { ...SHIRT, SKC: 'E' },
  ]);
  await ada.openCatalogue(5);
  const names = [
    'Oxford shirt, Indigo oxford, size M, A',
    'Oxford shirt, Indigo oxford, size M, B',
    'Oxford shirt, Indigo oxford, size S',
    'Oxford shirt, Ecru oxford, size M',
    'Oxford shirt',
  ];
  expect(await linkNames()).toEqual(names.map((name) => `View ${name}`));
  expect(await pictureNames()).toEqual(names);
  for (const name of names) {
    const card = page.getByRole('article', { name, exact: true });
    await card.getByRole('button', { name: `Add to Cart: ${name}`, exact: true }).waitFor();
    await card.getByRole('button', { name: `Favourite: ${name}`, exact: true }).waitFor();
    await card.getByRole('img', { name, exact: true }).waitFor();
  }
  await page.getByText('Ecru oxford', { exact: true }).waitFor();
  await ada.goto('/?q=indigo');
  await ada.waitForProducts(3);
  expect(await linkNames(), 'the same in a search').toContain(`View ${names[0]}`);
});

test.each([
  ['a phone', PHONE],
  ['a wide screen', { width: 2200, height: 1400 }],
] as const)(
  'on every screen of the sample all names differ: %s',
  { tags: 'long' },
  async (_, viewport) => {
    const productCount = await loadSampleCatalogue(shop.backend);
    await page.setViewportSize(viewport);
    await ada.openCatalogue(productCount);
    const end = await page.evaluate(() => document.body.scrollHeight);
    const seen = new Set<string | null>();
    for (let top = 0; top < end; top += viewport.height) {
      await page.evaluate((y) => {
        window.scrollTo(0, y);
        // The grid draws in the next frame.
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }, top);
      expect(await sharedNames()).toEqual([]);
      for (const name of await pictureNames()) seen.add(name);
    }
    expect(seen.size).toBe(productCount);
    // No product of the sample needs its stock code, WF-…, in its name.
    expect([...seen].filter((name) => name?.includes('WF-'))).toEqual([]);
    await ada.goto('/product/WF-1220-WOA');
    await page.getByRole('heading', { name: 'Goes well with' }).waitFor();
    expect(await sharedNames()).toEqual([]);
  },
);

test.each(fewOf(1, LOOKS))(
  'axe finds nothing on the cards of the sample at $width pixels, $colorScheme',
  async ({ width, colorScheme }) => {
    await loadSampleCatalogue(shop.backend);
    await changeDevice({ viewport: { width, height: 800 }, colorScheme });
    await ada.goto('/?category=Oxford+shirt');
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page, 'the catalogue');
  },
);
