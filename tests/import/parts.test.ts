/** The parts in which an import is sent: each a small CSV, within limits of bytes and rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportPlan } from '../../src/import/worker/plan.ts';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { csvLine, escapeCell } from '../../src/csv/write.ts';
import { readProductCsv } from '../../src/csv/products.ts';
import { checkFile } from '../../src/import/worker/check.ts';
import { JsonCsv } from '../../src/import/worker/json-csv.ts';
import { BitSet, hasBit } from '../../src/import/worker/key-table.ts';
import {
  type Part,
  PART_LIMITS,
  PartBuilder,
  type PartLimits,
} from '../../src/import/worker/parts.ts';
import { readRows } from '../../src/import/worker/rows.ts';
import { StoredProducts } from '../../src/import/worker/stored-products.ts';
import { layoutIn } from '../csv/text.ts';
import { hostileFile } from './hostile-files.ts';
import { AWKWARD, DETECT_ALL, fileOf, textFile } from './product-files.ts';

async function planOf(file: File, replaced: readonly number[] = []): Promise<ImportPlan> {
  const rows = new BitSet();
  for (const row of replaced) rows.add(row);
  return {
    encoding: 'utf-8',
    layout: layoutIn(await file.text()).layout,
    decimalMark: null,
    blankCellsClear: false,
    replaced: rows.toBytes(),
    // The builder does not read these.
    rules: { names: [], fileColumns: 0 },
    rowsTotal: 0,
    leftOut: { replaced: 0, rejected: 0, skipped: 0 },
  };
}

/** The CSV of a part, whose bytes are the inside of a JSON string. */
function textOf(csv: Uint8Array): string {
  return JSON.parse(`"${new TextDecoder('utf-8', { fatal: true }).decode(csv)}"`) as string;
}

/** A part with its CSV as text, and the bytes that were sent of it. */
type ReadPart = Omit<Part, 'csv'> & { readonly csv: string; readonly bytes: number };

async function partsOf(
  file: File,
  limits: PartLimits = PART_LIMITS,
  replaced: readonly number[] = [],
  sliceBytes = 1024,
): Promise<ReadPart[]> {
  const plan = await planOf(file, replaced);
  const parts: ReadPart[] = [];
  const builder = new PartBuilder(
    plan,
    (part) => parts.push({ ...part, csv: textOf(part.csv), bytes: part.csv.length }),
    limits,
  );
  const { signal } = new AbortController();
  await readRows(file, plan, {
    signal,
    sliceBytes,
    take: (validated, _cells, _line, row) => builder.add(validated, row),
  });
  builder.end();
  return parts;
}

/** The products in a part, as the server reads them. */
const productsIn = (csv: string) => {
  const read = readProductCsv(csv, { blankCellsClear: false });
  if (!read.ok) throw new Error(read.sentence);
  return read.products;
};

test('parts hold the rows to store in the file’s order, without rejected and replaced ones', async () => {
  const file = textFile('SKC,Note,Price\nA,x,1\n,x,2\nB,x,3\nA,x,4\n\nC,x,-5\nD,x,6\n');
  const replacedRows = [0]; // the first row of A
  const parts = await partsOf(file, PART_LIMITS, replacedRows);
  expect(parts).toEqual([
    expect.objectContaining({
      part: 0,
      rows: 3,
      isLast: true,
      csv: 'SKC,Retail Price\nB,3.00\nA,4.00\nD,6.00\n',
    }),
  ]);
});

test('each part is a CSV within the limits, and together they hold what the file holds', async () => {
  const rowOf = (i: number) => [`X${i}`, '', '', 'Töpfe, "groß"', '', '', '', `${i}`];
  const whole = fileOf([...AWKWARD, ...Array.from({ length: 300 }, (_, i) => rowOf(i))]);
  const limits = { bytes: 1000, rows: 12 };
  const parts = await partsOf(whole, limits);
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, i) => i));
  expect(parts.filter(({ isLast }) => isLast).map(({ part }) => part)).toEqual([parts.length - 1]);
  for (const { csv, rows, bytes } of parts) {
    expect(bytes).toBeLessThanOrEqual(limits.bytes);
    expect(rows).toBeLessThanOrEqual(limits.rows);
    expect(productsIn(csv)).toHaveLength(rows);
  }
  const rowsIn = (csv: string) => productsIn(csv).map(({ row }) => row);
  expect(parts.flatMap(({ csv }) => rowsIn(csv))).toEqual(rowsIn(await whole.text()));
});

test('the same file gives the same parts, however it is sliced', async () => {
  const file = fileOf([...AWKWARD, ...Array.from({ length: 200 }, (_, i) => [`Ü${i}`, 'M'])], {
    delimiter: ';',
    ending: 'mixed',
  });
  const limits = { bytes: 700, rows: 50 };
  const inOneSlice = await partsOf(file, limits, [], 1 << 20);
  for (const sliceBytes of [1, 7, 4096]) {
    expect(await partsOf(file, limits, [], sliceBytes)).toEqual(inOneSlice);
  }
});

test('the sizes of a garment stay in one part, unless they are too many for one', async () => {
  const inFourSizes = Array.from({ length: 60 }, (_, i) => `G${Math.floor(i / 4)},${i}`);
  const inTooManySizes = Array.from({ length: 25 }, (_, i) => `H,${i}`);
  const file = textFile(`SKC,Size\n${[...inFourSizes, ...inTooManySizes].join('\n')}\n`);
  const MAX_ROWS = 10;
  const parts = await partsOf(file, { bytes: 100_000, rows: MAX_ROWS });
  const codes = parts.map(({ csv }) => productsIn(csv).map(({ row }) => row['SKC']));
  expect(codes.flat()).toHaveLength(inFourSizes.length + inTooManySizes.length);
  for (let i = 1; i < codes.length; i++) {
    const [lastOfPart, firstOfNext] = [codes[i - 1]?.at(-1), codes[i]?.[0]];
    if (lastOfPart === firstOfNext) expect(lastOfPart).toBe('H');
  }
  expect(Math.max(...parts.map(({ rows }) => rows))).toBe(MAX_ROWS);
});

test('a row that is larger than the limit is a part of its own', async () => {
  const file = textFile(`SKC,Material\nA,x\nB,${'ü'.repeat(300)}\nC,x\n`);
  const parts = await partsOf(file, { bytes: 200, rows: 100 });
  expect(parts.map(({ rows }) => rows)).toEqual([1, 1, 1]);
});

test('the rows of a part are the same bytes that an export would write', () => {
  const awkward = fc.constantFrom(...Array.from('=+-@＝＠\'",\\\n\r\t\u0001'));
  const char = fc.oneof(awkward, fc.constantFrom(' ', 'a', '9', 'é', '€', '한', '😀', '\u00a0'));
  // As most cells are: of ASCII, with a letter or a digit at both ends.
  const ascii = fc.stringMatching(/^[a9]([ -~\t\n]{0,6}[=;,+| -]{0,3}[a9])?$/);
  const cell = fc.oneof(
    fc.string({ unit: char, maxLength: 8 }),
    fc.string({ unit: 'grapheme' }),
    ascii,
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      (rows) => {
        const csv = new JsonCsv(8); // bytes to begin with, so that the buffer must grow
        for (const row of rows) csv.addRow(row, [...row.keys()]);
        expect(textOf(csv.copyUpTo(csv.length))).toBe(
          rows.map((row) => csvLine(row.map(escapeCell))).join(''),
        );
      },
    ),
  );
});

test('from the parts the server reads exactly the rows that the check has accepted, whatever they hold', async () => {
  const { signal } = new AbortController();
  let rowsSent = 0;
  await fc.assert(
    fc.asyncProperty(hostileFile, fc.boolean(), async (text, blankCellsClear) => {
      const file = textFile(text);
      const choice = { ...DETECT_ALL, blankCellsClear };
      const checked = await checkFile(file, choice, {
        stored: new StoredProducts(),
        extent: 'whole',
        valuesOf: async () => new Map(),
        signal,
        onProgress: () => undefined,
      });
      if (checked.kind !== 'checked') return;
      const accepted: (readonly (string | undefined)[])[] = [];
      const parts: Part[] = [];
      const take = (part: Part) => parts.push(part);
      const builder = new PartBuilder(checked.plan, take, { bytes: 400, rows: 3 });
      await readRows(file, checked.plan, {
        signal,
        take(validated, _cells, _line, row) {
          builder.add(validated, row);
          if (validated.ok && !hasBit(checked.plan.replaced, row)) accepted.push(validated.values);
        },
      });
      builder.end();
      const read = parts.flatMap(({ csv }) => {
        const answer = readProductCsv(textOf(csv), { blankCellsClear });
        if (!answer.ok) throw new Error(answer.sentence);
        expect(answer).toMatchObject({ rejected: [], replaced: 0 });
        return answer.products.map(({ row }) => row);
      });
      // The server reads an empty value as null, and an empty size as a size.
      const stored = (value: string | undefined, column: string) =>
        value === '' && column !== 'Size' ? null : value;
      const expected = accepted.map((values) =>
        Object.fromEntries(
          IMPORT_COLUMNS.map((column, i) => [column, stored(values[i], column)] as const).filter(
            ([, value]) => value !== undefined,
          ),
        ),
      );
      expect(read).toEqual(expected);
      rowsSent += read.length;
    }),
    { numRuns: 300 },
  );
  expect(rowsSent).toBeGreaterThan(100);
});
