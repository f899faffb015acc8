/** Names by which screen readers and voice control tell products apart. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
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
  expect(await linkNames()).toEqual(names.map((name) => `Look at ${name}`));
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
  expect(await linkNames(), 'the same in a search').toContain(`Look at ${names[0]}`);
});

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
