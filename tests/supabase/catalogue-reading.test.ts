/** What visitors and shoppers read of the catalogue, by PostgREST's rows. */
import { describe, expect, test } from 'vitest';
import { importRows } from './changes.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';

const shop = await openShopForFile();
await importRows(shop, [
  { SKC: 'COAT-1', 'Category 1': 'Coats', 'Retail Price': '129.50' },
  { SKC: 'COAT-2', 'Category 1': 'Coats' },
]);
const ada = await addShopper(shop, 'ada');

const READERS = [
  ['a visitor', () => clientOf(shop)],
  ['a signed-in shopper', () => ada.client],
] as const;

describe.each(READERS)('%s', (_reader, client) => {
  test('reads the products with the columns of the product files, price as a number', async () => {
    const { data } = await client()
      .from('products')
      .select(
        'id, SKC, Size, "Images link", "Category 1", "Category 2", "Category 3", "Category 4", "Retail Price", Material, "Fabric Composition"',
      )
      .order('SKC', { ascending: true });
    expect(data).toEqual([
      expect.objectContaining({ SKC: 'COAT-1', Size: '', 'Retail Price': 129.5 }),
      expect.objectContaining({ SKC: 'COAT-2', 'Images link': null, 'Retail Price': null }),
    ]);
  });
});
