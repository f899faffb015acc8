/** The columns of a product are the same everywhere, and in the same order. */
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { parseProductRow, PRODUCT_COLUMNS } from '../../src/domain/product.ts';
import { importProducts } from './changes.ts';
import { columnOf } from './column.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';

/** A different value for each column, so that a mixed-up column shows. */
const VALUES: Readonly<Record<(typeof IMPORT_COLUMNS)[number], string>> = {
  SKC: 'COAT-1',
  Size: 'M',
  'Images link': '/pictures/coat.jpg',
  'Category 1': 'Coats',
  'Category 2': 'Women',
  'Category 3': 'Winter',
  'Category 4': 'New',
  'Retail Price': '129.50',
  Material: 'Wool',
  'Fabric Composition': '80% wool',
};
const ROW = IMPORT_COLUMNS.map((column) =>
  column === 'Retail Price' ? Number(VALUES[column]) : VALUES[column],
);

const shop = await openShopForFile();
await importProducts(shop, [VALUES]);

test('a product has the same columns in the table and in both functions that the site reads it with', async () => {
  const stored = `select column_name from information_schema.columns
    where table_schema = 'public' and table_name = 'products' and is_generated = 'NEVER'`;
  const columns = await columnOf(shop.backend, stored);
  expect(columns).toEqual(expect.arrayContaining([...PRODUCT_COLUMNS]));
  for (const [name, args] of [
    ['catalogue_changes', { p_since: 0 }],
    ['catalogue_page', { p_skc: null, p_id: null, p_limit: 10 }],
  ] as const) {
    const { data } = await clientOf(shop, shop.backend.secretKey).rpc(name, args);
    const { products } = data as { readonly products: readonly (readonly unknown[])[] };
    const values = products.map((product) => product.slice(1));
    expect(values, name).toEqual([ROW]);
    expect(products.map(parseProductRow), name).toEqual(products);
  }
});

test('visitors read these columns of a product as a row, the price as a number', async () => {
  const { data } = await clientOf(shop)
    .from('products')
    .select(
      'id, SKC, Size, "Images link", "Category 1", "Category 2", "Category 3", "Category 4", "Retail Price", Material, "Fabric Composition"',
    )
    .order('SKC', { ascending: true });
  expect(data).toEqual([{ ...VALUES, 'Retail Price': 129.5, id: expect.any(Number) as number }]);
});
