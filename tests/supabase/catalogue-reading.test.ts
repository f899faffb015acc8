/** What visitors and shoppers read of the catalogue, by PostgREST's rows. */
import { describe, expect, test } from 'vitest';
import { type Changes, codesIn, importRows } from './changes.ts';
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

  test('reads the deletions and the catalogue’s epoch', async () => {
    expect((await client().from('product_deletions').select()).error).toBeNull();
    expect((await client().from('catalogue_meta').select('epoch, min_ver')).data).toHaveLength(1);
  });
});

/** An answer of `catalogue_page`; a product is a list of values in the order of PRODUCT_COLUMNS. */
interface Page {
  readonly head: { readonly ver: number; readonly stamp: string };
  readonly more: boolean;
  readonly products: readonly (readonly unknown[])[];
}

describe('the site’s function', () => {
  const server = clientOf(shop, shop.backend.secretKey);
  const page = async (args: object) => (await server.rpc('catalogue_page', args)).data as Page;
  const changes = async (args: object) =>
    (await server.rpc('catalogue_changes', args)).data as Changes;

  test('reads the same products by pages, and the version from which to follow changes', async () => {
    const whole = await page({});
    expect(whole.products.map(([, skc, size, , , , , , price]) => [skc, size, price])).toEqual([
      ['COAT-1', '', 129.5],
      ['COAT-2', '', null],
    ]);
    expect((await server.rpc('catalogue_head')).data).toEqual(whole.head);
    const { ver, stamp } = whole.head;
    expect(await changes({ p_since: ver, p_stamp: stamp })).toMatchObject({ known: true });
    const [id, skc] = whole.products[0] ?? [];
    // `p_skc` and `p_id` name the last product of the page before. A limit below 1 counts as 1.
    const next = await page({ p_skc: skc, p_id: id, p_limit: 0 });
    expect(next).toMatchObject({ more: true, products: whole.products.slice(1) });
    expect(await page({ p_skc: 'D' })).toMatchObject({ more: false, products: [] });
  });

  test('reads a page of the newest version only, and changes between two versions', async () => {
    const before = (await page({})).head;
    await importRows(shop, [{ SKC: 'COAT-3' }]);
    const between = (await page({})).head;
    await importRows(shop, [{ SKC: 'COAT-4' }]);
    expect((await page({ p_stamp: before.stamp })).products).toEqual([]);
    const since = { p_since: before.ver, p_stamp: before.stamp };
    const to = { p_to: between.ver, p_to_stamp: between.stamp };
    const answer = await changes({ ...since, ...to });
    expect(answer).toMatchObject({ known: true, more: false, ...between });
    expect(codesIn(answer)).toEqual(['COAT-3']);
    const unknown = { ...to, p_to_stamp: before.stamp };
    expect(await changes({ ...since, ...unknown })).toMatchObject({ known: false, products: [] });
  });
});
