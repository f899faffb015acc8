/** Rows of plain cells are read at once; the result is that of reading and validating cell by cell. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ImportColumn, MAX_RECORD_CHARS, TEXT_LIMITS } from '../../src/csv/columns.ts';
import { type CellReading, readPicture, readSkc, readText } from '../../src/csv/fields.ts';
import { readLayout } from '../../src/csv/layout.ts';
import { plainPattern } from '../../src/csv/plain-cells.ts';
import { openPriceReader } from '../../src/csv/price.ts';
import { withRules } from '../../src/csv/reading-rules.ts';
import { DETECT_LAYOUT } from '../../src/csv/remembered.ts';
import { DELIMITERS } from '../../src/csv/scan.ts';
import { readRows } from '../../src/import/worker/rows.ts';
import { somePrice, someText } from '../csv/text.ts';
import { quickOrFull } from '../full-run.ts';
import { textFile } from './product-files.ts';

/** By heading: cells of a column, most of which are stored as they stand. */
const PLAIN_CELLS = {
  SKC: ['TEE-1', 'TEE-2', '000123', 'a/b.c', '"Q1"', 'Total'],
  Size: ['M', 'XL', '"S, M"', '"42"', ''],
  Picture: ['https://a.example/x.jpg?y=1', '"http://a.example/1,2.jpg"', ''],
  'Category 1': ["Men's shirts", 'Größe', '"Tops, plain"', 'Für „Damen“ – neu', '""', ''],
  Barcode: ['4006381333931', '"a, b"', '=1+1', ''],
  Price: ['12', '12.5', '"1234.50"', '0', '1234567890', ''],
  Material: ['100% wool', '"55% linen, 45% cotton"', '羊毛', 'x'.repeat(500), ''],
  '': ['', 'a note'],
  'Cell too many': ['', '', 'spilled'],
  Handle: ['tee', 'tee', 'coat'],
  'Option1 Name': ['Size', 'Size', ''],
  'Option1 Value': ['M', 'XL'],
  Type: ['variable', 'variation', 'variation'],
  'Regular price': ['12', ''],
  Categories: ['Tops > Shirts', 'Tops', ''],
  Parent: ['TEE-1', ''],
} as const;
type Heading = keyof typeof PLAIN_CELLS;
const ORDINARY: readonly Heading[] = [
  'SKC',
  'Size',
  'Picture',
  'Category 1',
  'Barcode',
  'Price',
  'Material',
  '',
];
const REPORT: readonly Heading[] = ['SKC', 'Size', 'Material', 'Cell too many'];
const SHOPIFY: readonly Heading[] = ['SKC', 'Handle', 'Option1 Name', 'Option1 Value', 'Price'];
const WOO: readonly Heading[] = ['SKC', 'Type', 'Regular price', 'Categories', 'Parent'];
/** Cells that are not stored as they stand, and text that breaks the format. */
const oddCell = fc.oneof(
  someText,
  somePrice,
  fc.constantFrom(
    "'x",
    "a,'=b",
    ' x ',
    '#N/A',
    'Err:502',
    '12-Oct',
    '10. Dez',
    '"12"" shelf"',
    '"a\nb"',
    '1,234',
    '01',
    '12345678901',
    'x'.repeat(501),
    'a"b',
    '"a"b',
    'x\ty',
    '"open',
  ),
);

/** A file of mostly plain rows, its columns in any order. */
const someFile = fc
  .oneof(
    { weight: 7, arbitrary: fc.constant(ORDINARY) },
    { weight: 1, arbitrary: fc.constantFrom(REPORT, SHOPIFY, WOO) },
  )
  .chain((known) =>
    fc.record({
      headings: fc.shuffledSubarray([...known], { minLength: 2 }),
      delimiter: fc.constantFrom(...DELIMITERS),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      hasLastBreak: fc.boolean(),
    }),
  )
  .filter(({ headings }) => headings.includes('SKC'))
  .chain(({ headings, delimiter, newline, hasLastBreak }) => {
    const cells = headings.map((heading) =>
      fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom<string>(...PLAIN_CELLS[heading]) },
        { weight: 1, arbitrary: oddCell },
      ),
    );
    const row = fc.oneof(
      { weight: 20, arbitrary: fc.tuple(...cells) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom('TEE-3', 'x', ''), { maxLength: 12 }) },
    );
    return fc.array(row, { minLength: 1, maxLength: 30 }).map((rows) => {
      const lines = [headings, ...rows].map((cells) => cells.join(delimiter));
      return lines.join(newline) + (hasLastBreak ? newline : '');
    });
  });

const MENDED_CELLS = ['TEE-9', 'M', 'wool'];

/** What a reading of a file gives, and how many of its rows were read at once. */
async function readingOf(
  text: string,
  needsCells: boolean,
  {
    blankCellsClear,
    mendedLine,
  }: { readonly blankCellsClear: boolean; readonly mendedLine: number | null },
) {
  const outcome = readLayout(text, DETECT_LAYOUT);
  if (outcome.kind !== 'layout') return null;
  const { layout, rules } = withRules(outcome.layout, []);
  const mended = mendedLine === null ? {} : { mended: new Map([[mendedLine, MENDED_CELLS]]) };
  const plan = { encoding: 'utf-8', layout, decimalMark: null, blankCellsClear, rules, ...mended };
  const taken: unknown[] = [];
  let plainRows = 0;
  const { fault, price, ...reading } = await readRows(textFile(text), plan, {
    signal: new AbortController().signal,
    sliceBytes: 100,
    needsCells,
    take: (validated, cells, line, row) => {
      // A row that was read at once comes without its cells.
      if (cells.length === 0) plainRows += 1;
      taken.push(structuredClone([validated, line, row]));
    },
  });
  const { mark, markForRereading, foreign } = price;
  return {
    plainRows,
    result: { taken, fault, mark, markForRereading, foreign, rules: reading.rules },
  };
}

const PLAIN_PLAN = { blankCellsClear: false, mendedLine: null };
const somePlan = fc.record({
  blankCellsClear: fc.boolean(),
  mendedLine: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 20 }) },
  ),
});

test('reading plain rows at once gives the same values, lines, counts and faults as reading them cell by cell', async () => {
  let [rows, plainRows] = [0, 0];
  await fc.assert(
    fc.asyncProperty(someFile, somePlan, async (text, plan) => {
      const cellByCell = await readingOf(text, true, plan);
      const atOnce = await readingOf(text, false, plan);
      expect(atOnce?.result).toEqual(cellByCell?.result);
      expect(cellByCell?.plainRows ?? 0).toBe(0);
      rows += atOnce?.result.taken.length ?? 0;
      plainRows += atOnce?.plainRows ?? 0;
    }),
    { numRuns: quickOrFull(1000, 20_000) },
  );
  expect(plainRows / rows, 'the files have enough plain rows').toBeGreaterThan(0.3);
});

const LONG = 'x'.repeat(MAX_RECORD_CHARS);
test.each([
  ['a long cell that is not read', `SKC,Note\nA,"${LONG}"\n`],
  ['a spreadsheet of full width', `SKC,Size${','.repeat(16_382)}\nA,M${','.repeat(16_382)}\n`],
  [
    'a note beyond the columns that are read',
    `SKC${','.repeat(250)}\nA${','.repeat(230)}note${','.repeat(20)}\n`,
  ],
])('%s gives the same read at once and cell by cell', async (_, text) => {
  const cellByCell = await readingOf(text, true, PLAIN_PLAN);
  const atOnce = await readingOf(text, false, PLAIN_PLAN);
  expect(cellByCell).not.toBe(null);
  expect(atOnce?.result).toEqual(cellByCell?.result);
});

/** Every UTF-16 unit: alone, at either end of a text, in its middle, and behind a comma or a semicolon. */
function* unitsInTexts(): Generator<string> {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const char = String.fromCharCode(unit);
    yield* [char, `x${char}`, `${char}x`, `x${char}x`, `a,${char}=b`, `a;x${char} -b`];
  }
}

test.each<[ImportColumn, (cell: string) => CellReading, string?]>([
  ['SKC', readSkc],
  ['Images link', (cell: string) => readPicture(`https://a.example/${cell}`), 'https://a.example/'],
  ['Material', (cell: string) => readText(cell, TEXT_LIMITS.Material)],
])('a plain cell of %s is stored as it stands, whatever it holds', (column, read, prefix = '') => {
  const plain = new RegExp(`^${plainPattern(column)}$`);
  const changed: string[] = [];
  let plainCells = 0;
  for (const text of unitsInTexts()) {
    if (!plain.test(prefix + text)) continue;
    plainCells += 1;
    const { value, problem, warning } = read(text);
    if (value !== prefix + text || problem !== null || warning !== null) changed.push(text);
  }
  expect(changed).toEqual([]);
  expect(plainCells).toBeGreaterThan(200);
});

test('a plain price is one that can be read, under either mark', () => {
  const plain = new RegExp(`^${plainPattern('Retail Price')}$`);
  const price = fc.stringMatching(/^\d{1,12}(\.\d{0,3})?$/);
  let plainPrices = 0;
  fc.assert(
    fc.property(price, fc.constantFrom('.', ',', null), (text, mark) => {
      if (!plain.test(text)) return;
      plainPrices += 1;
      expect(openPriceReader(mark).read(text)).toMatchObject({ ok: true });
    }),
    { numRuns: 2000 },
  );
  expect(plainPrices).toBeGreaterThan(100);
});
