/** Rejected rows that are mended on the page: judged by the file's own rules, and imported in their place. */
import { expect, test } from 'vitest';
import { type MendedRows, MAX_MENDABLE_ROWS, type RejectedRows } from '../../src/import/mending.ts';
import { checkFile, newDevice, newPage, tabWith } from './device.ts';
import { textFile } from './product-files.ts';

/** The rows that begin on lines 3, 5, 7 and 8 are rejected; line 9 replaces line 2. */
const LIST = textFile(
  'Stock code;Colour;Price;Size\nA;red;12,50;M\n;blue;9,00;S\n\nB;green;-5;"L\nlong"\n' +
    'C;x;7,00;S;XL\nD;x;abc;S\nA;red;13,00;M\n',
);

/** Checks the file on a new device, in slices so small that rows lie across their borders. */
async function rejectedOf(file: File) {
  const device = newDevice();
  const tab = await tabWith(device, file, { sliceBytes: 16 });
  return { device, tab, rejected: await tab.rejectedRows() };
}

/** Replaces cells by these values, by line and heading. Cells without a heading (`spilled`) are left out. */
function mend(
  { reading, rows, columns }: RejectedRows,
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

/** What mends each rejected row of `LIST`; line 7 only has a cell too many. */
const VALUES = { 3: { 'Stock code': 'E' }, 5: { Price: '5' }, 7: {}, 8: { Price: '1.234,00' } };

test('rejected rows come with their cells, and with what is wrong with each', async () => {
  const { rejected } = await rejectedOf(LIST);
  expect(rejected.columns).toEqual([
    { column: 'SKC', position: 0, header: 'Stock code' },
    { column: 'Retail Price', position: 2, header: 'Price' },
    { column: 'Size', position: 3, header: 'Size' },
  ]);
  expect(rejected.rows.map(({ line, cells, spilled }) => ({ line, cells, spilled }))).toEqual([
    { line: 3, cells: ['', 'blue', '9,00', 'S'], spilled: [] },
    { line: 5, cells: ['B', 'green', '-5', 'L\nlong'], spilled: [] },
    { line: 7, cells: ['C', 'x', '7,00', 'S'], spilled: ['XL'] },
    { line: 8, cells: ['D', 'x', 'abc', 'S'], spilled: [] },
  ]);
  expect(rejected.rows.map(({ problems }) => problems.map(({ position }) => position))).toEqual([
    [0],
    [2],
    [null],
    [2],
  ]);
});

test('a mended row is judged by the rules of its file', async () => {
  const { tab } = await rejectedOf(LIST);
  expect(await tab.judge(['B', 'green', '5', 'L'])).toEqual([]);
  expect(await tab.judge(['', '', '', ''])).toMatchObject([
    { reason: expect.stringMatching(/stock code is missing/i) as string },
  ]);
  const problems = await tab.judge(['', 'green', 'x', 'L']);
  expect(problems.map(({ position }) => position)).toEqual([0, 2]);
  expect(await tab.judge(['B', 'green', '5', 'L', 'too many'])).toMatchObject([{ position: null }]);
  // This may be 1.234 or 1234. The check decides only where the file itself has such a price.
  expect(await tab.judge(['B', '', '1,234', ''])).toMatchObject([{ position: 2 }]);
});

test('mended rows are imported in their places, and no row is rejected any more', async () => {
  const { device, tab, rejected } = await rejectedOf(LIST);
  const mended = mend(rejected, VALUES);
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

test('a row that is mended wrongly stays rejected, and mended rows of another reading do not count', async () => {
  const { tab, rejected } = await rejectedOf(LIST);
  const wrong = mend(rejected, { ...VALUES, 5: { Price: 'free' } });
  expect(await checkFile(tab, LIST, { mended: wrong })).toMatchObject({ check: { rejected: 1 } });
  const mended = { ...mend(rejected, VALUES), reading: 'another' };
  expect(await checkFile(tab, LIST, { mended })).toMatchObject({ check: { rejected: 4 } });
});

test('after an import its mended rows are imported alone, as they were judged, whatever their cells look like', async () => {
  // If the layout were detected anew, this material would look like the headings of a file with more columns.
  const headings = `wool;SKU;Size;Price;${'Genre;'.repeat(9)}`;
  const file = textFile(`SKC,Retail Price,Material\nA,1,\nB,each,\nC,each,${headings}\nTotal,9,\n`);
  const { device, tab, rejected } = await rejectedOf(file);
  await tab.send(newPage());
  const mended = mend(rejected, { 4: { 'Retail Price': '49' } });
  const outcome = await checkFile(tab, file, { mended, onlyLines: new Set([4]) });
  expect(outcome).toMatchObject({ check: { rows: 1, added: 1, rejected: 0, skipped: 0 } });
  expect(await tab.send(newPage())).toMatchObject({ totals: { inserted: 1, unchanged: 0 } });
  expect(device.shop.table.get('C / ')).toMatchObject({
    'Retail Price': '49.00',
    Material: headings,
  });
});

test('a mended row that the file names again further down does not change what was imported', async () => {
  const file = textFile('SKC,Retail Price\nA,each\nB,each\nA,7\nC,each\nB,free\nC,each\n');
  const { device, tab, rejected } = await rejectedOf(file);
  await tab.send(newPage());
  const price = { 'Retail Price': '5' };
  const mended = mend(rejected, { 2: price, 3: price, 5: price, 7: { 'Retail Price': '6' } });
  const onlyLines = new Set(mended.cellsByLine.keys());
  const outcome = await checkFile(tab, file, { mended, onlyLines });
  // Lines 2 to 5 and 7: line 4 replaces line 2 and so is imported again, and line 7 replaces line 5.
  expect(outcome).toMatchObject({ check: { rows: 5, replaced: 2, rejected: 0 } });
  await tab.send(newPage());
  expect(Object.fromEntries(device.shop.table)).toMatchObject({
    'A / ': { 'Retail Price': '7.00' }, // line 4, behind the mended line 2
    'B / ': { 'Retail Price': '5.00' }, // line 3, because line 6 stays rejected
    'C / ': { 'Retail Price': '6.00' }, // line 7, behind line 5
  });
});

test('the page gets the first rejected rows where there are more than it can show', async () => {
  const { rejected } = await rejectedOf(
    textFile(`SKC,Size\n${',M\n'.repeat(MAX_MENDABLE_ROWS + 5)}`),
  );
  expect(rejected.rows).toHaveLength(MAX_MENDABLE_ROWS);
  expect(rejected.rows.at(-1)?.line).toBe(MAX_MENDABLE_ROWS + 1);
});
