/** Names by which screen readers and voice control tell products apart. */
import { test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { fewOf } from '../full-run.ts';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { ada, changeDevice, page, restock, shop, visitBeforeEach } from './fixture.ts';

const SHIRT = { 'Category 1': 'Oxford shirt', 'Category 2': 'Men', 'Retail Price': 98 };
const INDIGO = { ...SHIRT, Material: 'Indigo oxford', Size: 'M' };

visitBeforeEach();

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
  for (const name of names) {
    const card = page.getByRole('article', { name, exact: true });
    await card.getByRole('link', { name: `View ${name}`, exact: true }).waitFor();
    await card.getByRole('button', { name: `Add to Cart: ${name}`, exact: true }).waitFor();
    await card.getByRole('button', { name: `Favourite: ${name}`, exact: true }).waitFor();
    await card.getByRole('img', { name, exact: true }).waitFor();
  }
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
