/** Whole files read into products, as the function `upload-csv` reads them. */
import { expect, test } from 'vitest';
import { type ProductCsv, readProductCsv } from '../../src/csv/products.ts';

const BLANKS_LEAVE = { blankCellsClear: false };

/** The products of a file that can be read. */
function read(text: string): Extract<ProductCsv, { ok: true }> {
  const outcome = readProductCsv(text, BLANKS_LEAVE);
  if (!outcome.ok) throw new Error(outcome.sentence);
  return outcome;
}

/** The sentence with which a file is rejected. */
function sentenceOf(text: string): string {
  const outcome = readProductCsv(text, BLANKS_LEAVE);
  return outcome.ok ? 'it was read' : outcome.sentence;
}

test('a small file becomes products with only the columns that it has', () => {
  const { products, rejected, replaced } = read(
    'Price list\r\nSKU;Colour;Preis;Größe\r\n000123;red;"1.012,50 €";M\r\n\r\n000124;;;\r\n',
  );
  expect(products).toEqual([
    { line: 3, row: { SKC: '000123', Size: 'M', 'Retail Price': '1012.50' } },
    { line: 5, row: { SKC: '000124', Size: '' } },
  ]);
  expect(rejected).toEqual([]);
  expect(replaced).toBe(0);
});

test('of two rows for one stock code and size the last one counts', () => {
  const { products, replaced } = read('SKC,Size,Material\nA,M,wool\nB,M,silk\nA,L,x\nA,M,linen\n');
  expect(products.map(({ line, row }) => [line, row['SKC'], row['Size'], row['Material']])).toEqual(
    [
      [3, 'B', 'M', 'silk'],
      [4, 'A', 'L', 'x'],
      [5, 'A', 'M', 'linen'],
    ],
  );
  expect(replaced).toBe(1);
});

test('a rejected row is listed once, with its line, the heading in the file and what to do', () => {
  const { products, rejected } = read(
    'Item code,RRP,Photo,Material\nA1,-5,https://a:b@c.example,\nA2,5,,"two\nlines"\n,7,,\nA3,1,,,x\n',
  );
  expect(products.map(({ row }) => row['SKC'])).toEqual(['A2']);
  expect(rejected.map(({ line, column }) => [line, column])).toEqual([
    [2, 'Photo'], // also has a wrong price, but `IMPORT_COLUMNS` has the picture first
    [5, 'Item code'],
    [6, null], // the whole row has a cell too many
  ]);
  const TWO_SENTENCES = /\. .+\.$/;
  for (const { reason, advice } of rejected) expect(`${reason} ${advice}`).toMatch(TWO_SENTENCES);
});

test('the whole column decides what an ambiguous price means', () => {
  expect(read('SKC,Price\nA,"1,234"\nB,9.90\n').products[0]?.row['Retail Price']).toBe('1234.00');
  expect(read('SKC;Price\nA;1.234\nB;9,90\n').products[0]?.row['Retail Price']).toBe('1234.00');
  const { rejected } = read('SKC;Price\nA;1.234\nB;99\n');
  expect(rejected[0]?.reason).toContain('thousands or decimals');
});

test('a file that cannot be read at all is rejected in a sentence, with the line', () => {
  expect(sentenceOf('')).toBe('This file is empty.');
  expect(sentenceOf('Name,Price\nShirt,5\n')).toContain('find a column with the stock code');
  expect(sentenceOf('SKC,Price,RRP\nA,1,2\n')).toBe(
    '“Price” (column 2) and “RRP” (column 3) could each be “Retail Price”. ' +
      'Delete the extra columns and choose the file again.',
  );
  expect(sentenceOf('SKC,"Price\t \n",RRP\nA,1,2\n')).toMatch(/^“Price” \(column 2\) and /);
  expect(readProductCsv('SKC,Size\nA,M\nB,"L\nC,S\n', BLANKS_LEAVE)).toMatchObject({
    ok: false,
    line: 3,
  });
});
