/** What the page asks about before an import that would make the shop look poor. */
import { expect, test } from 'vitest';
import { doubtsAbout, sentRows } from '../../src/import/doubts.ts';
import { productRow } from '../domain/product-row.ts';
import { checkOf, deviceWith } from './device.ts';
import { textFile } from './product-files.ts';

const LENIENT = { isStrict: false, isRange: false };
/** The page's “All or nothing”: a single rejected row is a doubt. */
const STRICT = { ...LENIENT, isStrict: true };
/** The page's “our whole range”. */
const RANGE = { ...LENIENT, isRange: true };

const HEADER = 'SKC,Size,Retail Price,Category 1,Images link';
const lines = (count: number, row: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i));
/** Rows that raise no doubt. */
const good = (count: number) => lines(count, (i) => `G${i},M,10.00,Tee,/tee.jpg`);

const fileOf = (...rows: readonly string[]) => textFile([HEADER, ...rows, ''].join('\n'));
const doubtsOf = async (rows: readonly string[], wishes = LENIENT) =>
  doubtsAbout(await checkOf(fileOf(...rows)), wishes);

test('a good file raises no doubt, and neither do a few faults among many rows', async () => {
  expect(await doubtsOf(good(10))).toEqual([]);
  const few = [',M,1,Tee,/t.jpg', 'G1,M,10.00,Tee,/tee.jpg', 'H1,M,,,'];
  expect(await doubtsOf([...good(40), ...few])).toEqual([]);
});

test('rejected and replaced rows above a tenth are doubts, wherever in the file they stand', async () => {
  const rejected = lines(1200, () => ',M,1,Tee,/t.jpg');
  expect(await doubtsOf([...good(10_000), ...rejected])).toEqual([
    '1,200 of 11,200 rows can’t be imported.',
  ]);
  expect(await doubtsOf([...good(10), ...good(10), ...good(10)])).toEqual([
    '20 of 30 rows would be replaced by a later row with the same stock code and size.',
  ]);
});

test('one rejected row is a doubt where the user wants all rows or nothing', async () => {
  const rows = [...good(40), ',M,1,Tee,/t.jpg'];
  expect(await doubtsOf(rows, STRICT)).toEqual(['1 of 41 rows can’t be imported.']);
});

test('new products without price, category or picture are doubts above a tenth', async () => {
  const hollow = lines(3, (i) => `H${i},M,,,`);
  expect(await doubtsOf([...good(7), ...hollow])).toEqual([
    '3 of 10 new products have no price.',
    '3 of 10 new products have no category.',
    '3 of 10 new products have no picture.',
  ]);
  expect(await doubtsOf([...good(27), ...hollow]), 'a tenth').toEqual([]);
  const without = ['H,M,,Tee,/t.jpg'];
  expect(await doubtsOf([...good(8), ...without])).toEqual(['1 of 9 new products has no price.']);
});

test('fields for which the file has no column are named in one sentence', async () => {
  const check = await checkOf(textFile('SKC,Size\nA,M\nB,M\n'));
  expect(doubtsAbout(check, LENIENT)).toEqual([
    '2 new products have no price, category, or picture. ' +
      'If there’s a column for this, choose it under “Columns”.',
  ]);
});

test('a product that a later row completes lacks nothing', async () => {
  const check = await checkOf(fileOf('A,M,,,', 'A,M,5,Tee,/t.jpg'));
  expect(check.lacking).toEqual({ price: 0, category: 0, picture: 0 });
});

test('prices in another currency are a doubt, however few, in the cells or in the heading', async () => {
  expect(await doubtsOf([...good(50), 'F,M,"89,00 €",Coat,/c.jpg'])).toEqual([
    '1 price in another currency (“89,00 €”) would count as dollars.',
  ]);
  const match = { SKC: 0, 'Retail Price': 1, 'Category 1': 2, 'Images link': 3 };
  const file = textFile('SKC,Price EUR,Kind,Image\nA,5,Tee,/t.jpg\nB,,Tee,/t.jpg\n');
  const check = await checkOf(file, { columns: match });
  expect(check.foreignPrices).toEqual({ count: 1, example: 'Price EUR' });
});

test('a currency in a column of its own is a doubt like one in the price', async () => {
  const check = await checkOf(textFile('SKU,Price,Currency\nA1,10,EUR\nA2,10,USD\nA3,10,\n'));
  expect(check.foreignPrices).toEqual({ count: 1, example: 'EUR' });
});

test('a row like Total is skipped, and the page says so', async () => {
  const check = await checkOf(fileOf(...good(20), 'Total,,200.00,,'));
  expect(check).toMatchObject({ rows: 21, accepted: 20, rejected: 0, skipped: 1 });
  expect(check.rules).toEqual([{ title: 'We skip rows like “Total”.', rows: 1 }]);
});

test('the number of rows that would be sent leaves out rejected, replaced and skipped rows', async () => {
  const check = await checkOf(fileOf(...good(5), ...good(2), ',M,1,Tee,/t.jpg', 'Total,,1,,'));
  expect(check.rows).toBe(9);
  expect(sentRows(check)).toBe(5);
});

test('rejected rows without a readable stock code are a doubt where the file is the whole range', async () => {
  const rows = [...good(40), '1E+12,M,1,Tee,/t.jpg', 'G1,M,each,Tee,/t.jpg'];
  expect(await doubtsOf(rows)).toEqual([]);
  expect(await doubtsOf(rows, RANGE)).toEqual([
    '1 rejected row has no stock code we can read. A product that’s only in that row would be hidden.',
  ]);
});

test('a file that takes more than a tenth of the shop off sale is a doubt', async () => {
  const device = await deviceWith(Array.from({ length: 20 }, (_, i) => productRow(i + 1, `P${i}`)));
  const doubtsAt = async (hidden: number) => {
    const drafts = lines(hidden, (i) => `P${i},5,Tee,/t.jpg,Color,Red,draft`);
    const heading = 'SKU,Price,Category,Image,Option1 Name,Option1 Value,Status';
    const file = textFile([heading, ...drafts, ''].join('\n'));
    return doubtsAbout(await checkOf(file, {}, device.openTab()), LENIENT);
  };
  expect(await doubtsAt(2)).toEqual([]);
  expect(await doubtsAt(3)).toEqual(['Rows marked as unpublished would hide 3 of 20 products.']);
});

test('products that differ only in capital letters are a doubt while they are new', async () => {
  const rows = [...good(40), 'g1,M,10.00,Tee,/tee.jpg', 'G2,m,10.00,Tee,/tee.jpg'];
  expect(await doubtsOf(rows)).toEqual([
    '2 new products differ from others only in letter case: “G1 M” and “g1 M”.',
  ]);
  const device = await deviceWith([productRow(1, 'A'), productRow(2, 'a')]);
  const file = textFile('SKC,Price\nA,5\na,5\n');
  expect(doubtsAbout(await checkOf(file, {}, device.openTab()), LENIENT)).toEqual([]);
});
