/** What visitors and shoppers read of the catalogue, by PostgREST's rows and by the shop's functions. */
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

/** An answer of `catalogue_page`; a product is a list of values in the order of PRODUCT_COLUMNS. */
interface Page {
  readonly ver: number;
  readonly stamp: string;
  readonly products: readonly (readonly unknown[])[];
}

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

  test('reads the same products by pages, and the version from which to follow changes', async () => {
    const page = async (args: object) => (await client().rpc('catalogue_page', args)).data as Page;
    const whole = await page({});
    expect(whole.products.map(([, skc, size, , , , , , price]) => [skc, size, price])).toEqual([
      ['COAT-1', '', 129.5],
      ['COAT-2', '', null],
    ]);
    const version = { p_since: whole.ver, p_stamp: whole.stamp };
    expect((await client().rpc('catalogue_changes', version)).data).toMatchObject({ known: true });
    const [id, skc] = whole.products[0] ?? [];
    // `p_skc` and `p_id` name the last product of the page before. A limit below 1 counts as 1.
    const next = await page({ p_skc: skc, p_id: id, p_limit: 0 });
    expect(next.products).toEqual(whole.products.slice(1));
    const behindAll = await page({ p_skc: 'D' });
    expect(behindAll.products).toEqual([]);
  });

  test('reads the deletions and the catalogue’s epoch', async () => {
    expect((await client().from('product_deletions').select()).error).toBeNull();
    expect((await client().from('catalogue_meta').select('epoch, min_ver')).data).toHaveLength(1);
  });
});
