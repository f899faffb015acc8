/** The database's function that stores rows of a product file. */
import { beforeEach, expect, test } from 'vitest';
import { importProducts } from './changes.ts';
import { columnOf } from './column.ts';
import { openShopForFile } from './shop-for-file.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
beforeEach(() => shop.backend.query('truncate public.products'));

const readStored = () =>
  shop.backend.query(`
    select "SKC", "Size", "Category 1", "Retail Price", "Material"
    from public.products order by "SKC", "Size"`);

test('an import says how many products are new, changed and unchanged', async () => {
  const first = await importProducts(shop, [
    { SKC: 'A', 'Retail Price': '10' },
    { SKC: 'B', Size: 'M' },
    { SKC: 'B', Size: 'L' },
  ]);
  expect(first.data).toMatchObject({ inserted: 3, updated: 0, unchanged: 0 });
  const second = await importProducts(shop, [
    { SKC: 'A', 'Retail Price': 12.5 },
    { SKC: 'B', Size: 'M' },
    { SKC: 'C' },
  ]);
  expect(second.data).toMatchObject({ inserted: 1, updated: 1, unchanged: 1 });
});

test('of several lines for one stock code and size, the last one is stored', async () => {
  const { data } = await importProducts(shop, [
    { SKC: 'A', Size: 'M', Material: 'wool' },
    { SKC: 'A', Material: 'linen' },
    { SKC: 'A', Size: 'M', Material: 'silk' },
  ]);
  expect(data).toMatchObject({ inserted: 2, updated: 0, unchanged: 0 });
  expect((await readStored()).map((row) => [row['Size'], row['Material']])).toEqual([
    ['', 'linen'],
    ['M', 'silk'],
  ]);
});

test('a column that is absent from the file keeps what is stored, null clears it', async () => {
  await importProducts(shop, [
    { SKC: 'A', 'Category 1': 'Coats', 'Retail Price': '80', Material: 'wool' },
  ]);
  await importProducts(shop, [{ SKC: 'A', 'Retail Price': '75', Material: null }]);
  expect(await readStored()).toEqual([
    { SKC: 'A', Size: '', 'Category 1': 'Coats', 'Retail Price': 75, Material: null },
  ]);
});

test('stock codes that differ in one letter’s case are different, and leading zeros are kept', async () => {
  await importProducts(shop, [{ SKC: '000123' }, { SKC: 'abc' }, { SKC: 'ABC' }, { SKC: 'äbc' }]);
  expect((await readStored()).map((row) => row['SKC'])).toEqual(['000123', 'ABC', 'abc', 'äbc']);
});

test.each([
  ['a line without a stock code', { Size: 'M' }, SQLSTATE.notNullViolation],
  ['a stock code of 65 characters', { SKC: 'x'.repeat(65) }, SQLSTATE.checkViolation],
  ['a price below zero', { SKC: 'X', 'Retail Price': '-1' }, SQLSTATE.checkViolation],
  ['a price that is not a number', { SKC: 'X', 'Retail Price': 'NaN' }, SQLSTATE.checkViolation],
])('%s is rejected, and nothing of that call is stored', async (_case, row, code) => {
  const { error } = await importProducts(shop, [{ SKC: 'GOOD' }, row]);
  expect(error?.code).toBe(code);
  expect(await readStored()).toEqual([]);
});

test('the sizes of one stock code keep the order of the file', async () => {
  const sizes = ['S', 'M', 'L', 'XL'];
  await importProducts(
    shop,
    sizes.map((Size) => ({ SKC: 'ORDERED', Size })),
  );
  const stored = 'select "Size" from public.products order by id';
  expect(await columnOf(shop.backend, stored)).toEqual(sizes);
});
