/** The check of a file on the device, before anything is sent: counts, problems, prices, encodings. */
import { expect, test } from 'vitest';
import { concernsAbout } from '../../src/import/run-state.ts';
import type { Choice, Progress } from '../../src/import/protocol.ts';
import { productRow } from '../domain/product-row.ts';
import { checkFile, checkOf, deviceWith, newDevice } from './device.ts';
import { cellOf, DETECT_ALL, textFile } from './product-files.ts';

test('the check counts rows, and every problem with its first line, heading and value', async () => {
  // A price of `n/a` is a blank one. Blank lines are no rows.
  const check = await checkOf(
    textFile('SKC,Size,Retail Price\nA1,M,12.50\n,M,1\nA2,S,-3\n\nA3,S,-4\n,,\nA4,L,n/a\n'),
  );
  expect(check).toMatchObject({ rows: 5, accepted: 2, rejected: 3, replaced: 0, headerLine: 1 });
  expect(check.problems.map(({ count, fate, first }) => ({ count, fate, ...first }))).toEqual([
    { count: 2, fate: 'rejected', line: 4, header: 'Retail Price', value: '-3' },
    { count: 1, fate: 'rejected', line: 3, header: 'SKC', value: '' },
  ]);
  for (const { reason, advice } of check.problems) {
    expect(reason).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

/** Products S0, S1, … at these prices, in cents. */
const priced = (...prices: readonly (number | null)[]) =>
  prices.map((cents, i) => productRow(i, `S${i}`, { 'Retail Price': cents && cents / 100 }));

test('prices that move fivefold or more, up or down, are counted, with examples', async () => {
  const device = await deviceWith(
    priced(1000, 1000, 1000, 1000, 1000, null, 0, 99_999_999_999, 1000),
  );
  const rows = 'S0,50.00 S1,49.99 S2,2.00 S3,2.01 S4,10.00 S5,99 S6,1 S7,100000000 S8, new,1';
  const file = textFile(`SKC,Retail Price\n${rows.replaceAll(' ', '\n')}`);
  const { prices } = await checkOf(file, {}, device.openTab());
  expect(prices).toEqual({
    moved: 6,
    jumps: 4,
    examples: [
      { skc: 'S0', size: '', from: 1000, to: 5000 },
      { skc: 'S2', size: '', from: 1000, to: 200 },
      { skc: 'S6', size: '', from: 0, to: 100 },
      { skc: 'S7', size: '', from: 99_999_999_999, to: 10_000_000_000 },
    ],
  });
});

test('of several prices for one product the last counts, and is the one among the examples', async () => {
  const device = await deviceWith(priced(1000, 1000));
  const { prices } = await checkOf(
    textFile('SKC,Retail Price\nS0,90\nS1,1\nS0,11\nS1,0.5\n'),
    {},
    device.openTab(),
  );
  expect(prices).toEqual({
    moved: 2,
    jumps: 1,
    examples: [{ skc: 'S1', size: '', from: 1000, to: 50 }],
  });
});

test('an import asks about prices when more than 2 % of those that move do so fivefold', async () => {
  const wishes = { isStrict: false, isRange: false };
  for (const [moved, jumps, isAsked] of [
    [50, 1, false],
    [49, 1, true],
  ] as const) {
    const device = await deviceWith(priced(...Array.from({ length: 50 }, () => 1000)));
    const lines = Array.from({ length: moved }, (_, i) => `S${i},${i < jumps ? 99 : 11}`);
    const file = textFile(['SKC,Retail Price', ...lines].join('\n'));
    const check = await checkOf(file, {}, device.openTab());
    expect(concernsAbout(check, wishes), `${jumps} of ${moved}`).toEqual(isAsked ? ['prices'] : []);
  }
});

test('of several rows for one product the last counts, with what earlier ones say where it is blank', async () => {
  const check = await checkOf(
    textFile(
      'SKC,Size,Material,Colour\nA,M,old,1\nB,M,only,1\nA,L,other size,1\nA,M,new,1\nA,M,newer,1\nA,M,,1\nA,M,newer,2\n',
    ),
  );
  expect(check).toMatchObject({ rows: 7, accepted: 7, rejected: 0, replaced: 4, added: 3 });
  const [differing, sameAsRead] = check.problems;
  expect(differing).toMatchObject({ fate: 'replaced', count: 2, first: { line: 2 } });
  expect(differing?.first.value).toBe('replaced by line 8');
  // The shop has no column for the colour, in which line 8 differs from lines 6 and 7. A blank cell says nothing.
  expect(sameAsRead).toMatchObject({ fate: 'replaced', count: 2, first: { line: 6 } });
  expect(sameAsRead?.reason).toMatch(/The rows only differ in columns we left out\.$/);
  const same = await checkOf(textFile('SKC,Colour\nA,red\nA,red\n'));
  expect(same.problems[0]?.reason).toMatch(/^The same row/);
});

test('the check says what is new, changed and unchanged against the catalogue on this device', async () => {
  const device = await deviceWith(
    [
      productRow(1, 'same', { Size: 'M', 'Category 1': 'Shirts', 'Retail Price': 12.5 }),
      productRow(2, 'price', { 'Retail Price': 12.5 }),
      productRow(3, 'gone', { 'Retail Price': 1 }),
      productRow(4, 'newer', { 'Retail Price': 1 }),
      productRow(5, 'blank', { Material: 'Wool', 'Fabric Composition': '100 % wool' }),
    ],
    { changed: [productRow(4, 'newer', { 'Retail Price': 2 })], removed: [3] },
  );
  const file = textFile(
    'SKC,Size,Category 1,Retail Price,Material,Fabric Composition\n' +
      'same,M,Shirts,12.50,,\nsame,L,Shirts,12.50,,\nprice,,,12.49,,\ngone,,,1,,\nnewer,,,2.00,,\n' +
      'blank,,,,,\n',
  );
  const blanksLeave = await checkOf(file, {}, device.openTab());
  expect(blanksLeave).toMatchObject({ added: 2, changed: 1, unchanged: 3, cleared: 0 });
  expect(blanksLeave).toMatchObject({ catalogueSize: 4, isCatalogueWhole: true });
  const blanksClear = await checkOf(file, { blankCellsClear: true }, device.openTab());
  expect(blanksClear).toMatchObject({ added: 2, changed: 2, unchanged: 2, cleared: 2 });
});

test('a product that is changed and named again counts once, as its last row leaves it', async () => {
  const device = await deviceWith([productRow(1, 'A', { 'Retail Price': 5 })]);
  const check = await checkOf(textFile('SKC,Retail Price\nA,6\nA,5\n'), {}, device.openTab());
  expect(check).toMatchObject({ added: 0, changed: 0, unchanged: 1, replaced: 1 });
});

test('the check says when the catalogue on this device is not the whole one', async () => {
  const device = await deviceWith([productRow(1, 'A')], { isWhole: false });
  const check = await checkOf(textFile('SKC\nA\nB\n'), {}, device.openTab());
  expect(check).toMatchObject({ catalogueSize: 1, isCatalogueWhole: false, added: 1 });
  const withoutCatalogue = newDevice().openTab({ withCatalogue: async () => false });
  expect(await checkFile(withoutCatalogue, textFile('SKC\nA\n'))).toMatchObject({
    check: { catalogueSize: 0, isCatalogueWhole: false, added: 1 },
  });
});

test('a file of more than 250,000 rows is rejected, with the line of the first row too many, and how to split it', async () => {
  const file = new File(
    ['SKC\n', ...Array.from({ length: 251 }, () => 'A\n'.repeat(1000))],
    'x.csv',
  );
  const outcome = await checkFile(newDevice().openTab(), file);
  const sentence = expect.stringContaining('Move line 250002 and everything below it') as string;
  expect(outcome).toMatchObject({ kind: 'fault', fault: { line: 250_002, sentence } });
});

test('a check that is cancelled, or replaced by another check, ends as cancelled', async () => {
  const tab = newDevice().openTab();
  const file = textFile(`SKC\n${'A\n'.repeat(1_000_000)}`);
  const first = checkFile(tab, file);
  const second = checkFile(tab, file);
  expect(await first).toEqual({ kind: 'cancelled' });
  tab.cancel();
  expect(await second).toEqual({ kind: 'cancelled' });
});

test('a file that was deleted after it was chosen is rejected in a sentence', async () => {
  const file = textFile('SKC\nA\n');
  file.slice = () => {
    const slice = new Blob();
    slice.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    return slice;
  };
  expect(await checkFile(newDevice().openTab(), file)).toMatchObject({
    kind: 'fault',
    fault: { sentence: expect.stringMatching(/Choose it again/), line: null },
  });
});

test('the page gets progress with each megabyte, and at the end that of the whole file', async () => {
  const ROWS = 200_000;
  const file = textFile(`SKC\n${'A\n'.repeat(ROWS)}`);
  const reports: Progress[] = [];
  const tab = newDevice().openTab({ sliceBytes: 100_000 });
  await tab.check(file, DETECT_ALL, (progress) => reports.push(progress));
  expect(reports).toHaveLength(Math.ceil(file.size / 100_000));
  const { size } = file;
  expect(reports.at(-1)).toMatchObject({ totalRows: null, bytes: size, totalBytes: size });
  const bytes = reports.map((progress) => progress.bytes);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
});

test('the preview shows what will be stored: the last row of a product, and the values that stay', async () => {
  const device = await deviceWith([
    productRow(1, 'A', { Material: 'Wool', 'Category 1': 'Coats', 'Retail Price': 5 }),
    productRow(2, 'B', { Material: 'Silk' }),
  ]);
  const file = textFile('SKC,Material,Retail Price\nA,,9\nB,Felt,1\nNEW,,2\nB,,3\n');
  const shown = ['SKC', 'Category 1', 'Retail Price', 'Material'] as const;
  const previewOf = async (choice: Partial<Choice>) =>
    (await checkOf(file, choice, device.openTab())).preview.map((row) =>
      shown.map((column) => cellOf(row, column)),
    );
  expect(await previewOf({})).toEqual([
    ['A', 'Coats', '9.00', 'Wool'],
    ['B', '', '3.00', 'Felt'],
    ['NEW', '', '2.00', ''],
  ]);
  expect(await previewOf({ blankCellsClear: true })).toEqual([
    ['A', 'Coats', '9.00', ''],
    ['B', '', '3.00', ''],
    ['NEW', '', '2.00', ''],
  ]);
});

test('the rejected rows of a shop’s export, mended, are read as they would have been in it', async () => {
  const lines = [
    'Handle,Product Category,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src',
    'tee,Tops > Tees,Size,S,T-S,10,/a.jpg',
    'tee,,,L,,,',
    'tee,,,,,,/b.jpg',
  ];
  const tab = newDevice().openTab();
  const file = textFile([...lines, ''].join('\n'));
  expect(await checkFile(tab, file)).toMatchObject({ check: { accepted: 1, rejected: 1 } });
  const report = await (await tab.report()).text();
  // The report has the row as the rules read it: with what the first row says, and with the path split.
  const mended = textFile(report.replace('tee,Tops,Size,L,,10', 'tee,Tops,Size,L,T-L,10'));
  const { accepted, rejected, preview } = await checkOf(mended);
  expect({ accepted, rejected, first: preview[0] }).toEqual({
    accepted: 1,
    rejected: 0,
    first: ['T-L', 'L', '/a.jpg', 'Tops', 'Tees', '', '', '10.00', '', ''],
  });
});
