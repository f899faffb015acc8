/** Refused rows that are mended on the page: judged by the file's own rules, and imported in their place. */
import { expect, test } from 'vitest';
import { type MendedRows, MAX_MENDABLE_ROWS, type RefusedRows } from '../../src/import/mending.ts';
import { checkFile, checkOf, newDevice, newPage, tabWith } from './device.ts';
import { cellOf, textFile } from './product-files.ts';

/** The rows that begin on lines 3, 5, 7 and 8 are refused; line 9 replaces line 2. */
const LIST = textFile(
  'Stock code;Colour;Price;Size\nA;red;12,50;M\n;blue;9,00;S\n\nB;green;-5;"L\nlong"\n' +
    'C;x;7,00;S;XL\nD;x;abc;S\nA;red;13,00;M\n',
);

/** Checks the file on a new device, in slices so small that rows lie across their borders. */
async function refusedOf(file: File) {
  const device = newDevice();
  const tab = await tabWith(device, file, { sliceBytes: 16 });
  return { device, tab, refused: await tab.refusedRows() };
}

/** Replaces cells by these values, by line and heading. Cells without a heading (`spilled`) are left out. */
function mend(
  { reading, rows, columns }: RefusedRows,
  values: Readonly<Record<number, Readonly<Record<string, string>>>>,
): MendedRows {
  const cellsByLine = new Map<number, readonly string[]>();
  for (const { line, cells } of rows) {
    const mended = [...cells];
    for (const { position, header } of columns) {
      mended[position] = values[line]?.[header] ?? cells[position] ?? '';
    }
    if (values[line]) cellsByLine.set(line, mended);
  }
  return { reading, cellsByLine };
}

/** What mends each refused row of `LIST`; line 7 only has a cell too many. */
const VALUES = { 3: { 'Stock code': 'E' }, 5: { Price: '5' }, 7: {}, 8: { Price: '1.234,00' } };

test('refused rows come with their cells, and with what is wrong with each', async () => {
  const { refused } = await refusedOf(LIST);
  expect(refused.columns).toEqual([
    { column: 'SKC', position: 0, header: 'Stock code' },
    { column: 'Retail Price', position: 2, header: 'Price' },
    { column: 'Size', position: 3, header: 'Size' },
  ]);
  expect(refused.rows.map(({ line, cells, spilled }) => ({ line, cells, spilled }))).toEqual([
    { line: 3, cells: ['', 'blue', '9,00', 'S'], spilled: [] },
    { line: 5, cells: ['B', 'green', '-5', 'L\nlong'], spilled: [] },
    { line: 7, cells: ['C', 'x', '7,00', 'S'], spilled: ['XL'] },
    { line: 8, cells: ['D', 'x', 'abc', 'S'], spilled: [] },
  ]);
  expect(refused.rows.map(({ problems }) => problems.map(({ position }) => position))).toEqual([
    [0],
    [2],
    [null],
    [2],
  ]);
});

test('a mended row is judged by the rules of its file', async () => {
  const { tab } = await refusedOf(LIST);
  expect(await tab.judge(['B', 'green', '5', 'L'])).toEqual([]);
  expect(await tab.judge(['', '', '', ''])).toMatchObject([
    { reason: expect.stringMatching(/stock code is missing/i) as string },
  ]);
  const problems = await tab.judge(['', 'green', 'x', 'L']);
  expect(problems.map(({ position }) => position)).toEqual([0, 2]);
  expect(await tab.judge(['B', 'green', '5', 'L', 'too many'])).toMatchObject([{ position: null }]);
  // The comma is ambiguous. Only a check that finds such a price in the file decides on one mark for all.
  expect(await tab.judge(['B', '', '1,234', ''])).toMatchObject([{ position: 2 }]);
});

test('mended rows are imported in their places, and no row is refused any more', async () => {
  const { device, tab, refused } = await refusedOf(LIST);
  const mended = mend(refused, VALUES);
  const outcome = await checkFile(tab, LIST, { mended });
  expect(outcome).toMatchObject({ check: { rows: 6, rejected: 0, replaced: 1, added: 5 } });
  await tab.send(newPage());
  expect(Object.fromEntries(device.shop.table)).toMatchObject({
    'E / S': { 'Retail Price': '9.00' },
    'B / L\nlong': { 'Retail Price': '5.00' },
    'C / S': { 'Retail Price': '7.00' },
    'D / S': { 'Retail Price': '1234.00' },
    'A / M': { 'Retail Price': '13.00' },
  });
});

test('a row that is mended wrongly stays refused, and mended rows of another reading do not count', async () => {
  const { tab, refused } = await refusedOf(LIST);
  const wrong = mend(refused, { ...VALUES, 5: { Price: 'free' } });
  expect(await checkFile(tab, LIST, { mended: wrong })).toMatchObject({ check: { rejected: 1 } });
  const mended = { ...mend(refused, VALUES), reading: 'another' };
  expect(await checkFile(tab, LIST, { mended })).toMatchObject({ check: { rejected: 4 } });
});

test('after an import its mended rows make a file of their own, with the values that were judged', async () => {
  const { device, tab, refused } = await refusedOf(LIST);
  await tab.send(newPage());
  const { csv, choice } = await tab.mendedFile(mend(refused, VALUES));
  expect(choice.blankCellsClear).toBe(false);
  const file = new File([csv], 'mended.csv');
  expect(await checkFile(tab, file)).toMatchObject({ check: { rejected: 0 } });
  expect(await tab.send(newPage())).toMatchObject({ totals: { inserted: 4, rejected: 0 } });
  expect(device.shop.table.get('D / S')).toMatchObject({ 'Retail Price': '1234.00' });
});

test('blank cells of mended rows clear stored values if they did so in the import of the whole file', async () => {
  const { tab, refused } = await refusedOf(LIST);
  await checkFile(tab, LIST, { blankCellsClear: true });
  await tab.send(newPage());
  const { choice } = await tab.mendedFile(mend(refused, VALUES));
  expect(choice.blankCellsClear).toBe(true);
});

test('mended rows alone are read as they were judged, whatever their cells look like', async () => {
  // Read afresh, this material would look like the headings of a file with more columns.
  const headings = `wool;SKU;Size;Price;${'Genre;'.repeat(9)}`;
  const file = textFile(
    `SKC,Retail Price,Material\nA,1,\nB,each,\nC,each,${headings}\nD,each,wool;A;M;1.00;\n`,
  );
  const { tab } = await refusedOf(file);
  const price = { 'Retail Price': '49' };
  const mended = mend(await tab.refusedRows(), { 3: price, 4: price, 5: price });
  const { csv, choice } = await tab.mendedFile(mended);
  const check = await checkOf(new File([csv], 'mended.csv'), choice, tab);
  expect(check).toMatchObject({ rows: 3, added: 3, skipped: 0 });
  const shown = ['SKC', 'Retail Price', 'Material'] as const;
  const preview = check.preview.map((row) => shown.map((column) => cellOf(row, column)));
  expect(preview).toEqual([
    ['B', '49.00', ''],
    ['C', '49.00', headings],
    ['D', '49.00', 'wool;A;M;1.00;'],
  ]);
});

test('a mended row that the file names again further down is not imported alone', async () => {
  const file = textFile('SKC,Retail Price\nA,each\nB,each\nA,7\nC,each\nB,free\nC,each\n');
  const { device, tab, refused } = await refusedOf(file);
  await tab.send(newPage());
  const price = { 'Retail Price': '5' };
  const mended = mend(refused, { 2: price, 3: price, 5: price, 7: { 'Retail Price': '6' } });
  const { csv, choice, rows, replaced } = await tab.mendedFile(mended);
  expect([rows, replaced]).toEqual([2, 2]);
  await checkFile(tab, new File([csv], 'mended.csv'), choice);
  await tab.send(newPage());
  expect(Object.fromEntries(device.shop.table)).toMatchObject({
    'A / ': { 'Retail Price': '7.00' },
    'B / ': { 'Retail Price': '5.00' },
    'C / ': { 'Retail Price': '6.00' },
  });
});

test('the page gets the first refused rows where there are more than it can show', async () => {
  const { refused } = await refusedOf(
    textFile(`SKC,Size\n${',M\n'.repeat(MAX_MENDABLE_ROWS + 5)}`),
  );
  expect(refused.rows).toHaveLength(MAX_MENDABLE_ROWS);
  expect(refused.rows.at(-1)?.line).toBe(MAX_MENDABLE_ROWS + 1);
});

test('a file that was not checked has no refused rows to mend', async () => {
  const tab = newDevice().openTab();
  await expect(tab.refusedRows()).rejects.toThrow(/Check the file/);
  await expect(tab.judge(['A'])).rejects.toThrow(/Check the file/);
});
