/** The parts in which an import is sent: each a small CSV, within limits of characters and rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { readProductCsv } from '../../src/csv/products.ts';
import type { RowValues } from '../../src/csv/row-validator.ts';
import { type Checked, checkFile } from '../../src/import/worker/check.ts';
import { type PartLimits, withKeys } from '../../src/import/worker/parts.ts';
import { readRows } from '../../src/import/worker/read-rows.ts';
import { hostileFile } from './hostile-files.ts';
import { AWKWARD, DETECT_ALL, fileOf, textFile } from './product-files.ts';

const { signal } = new AbortController();

/** How a file is checked; the sizes of parts are the shop's own by default. */
interface CheckOptions {
  readonly limits?: PartLimits;
  readonly sliceBytes?: number;
  readonly blankCellsClear?: boolean;
}

/** @throws where the file is not read */
async function checkedOf(file: File, options?: CheckOptions) {
  const checked = await check(file, options);
  if (checked.kind !== 'checked') throw new Error(JSON.stringify(checked));
  return checked;
}

function check(
  file: File,
  { limits, sliceBytes = 1024, blankCellsClear = false }: CheckOptions = {},
): Promise<Checked> {
  return checkFile(
    file,
    { ...DETECT_ALL, blankCellsClear },
    { stored: new Map(), extent: 'whole', signal, onProgress: () => undefined, sliceBytes, limits },
  );
}

/** The parts of a file, each with its CSV. */
async function partsOf(file: File, options?: CheckOptions) {
  const { parts } = await checkedOf(file, options);
  return parts.map(({ part, rows, csv }) => ({ part, rows, csv: csv() }));
}

/** The products in a part, as the server reads them. */
const productsIn = (csv: string) => {
  const read = readProductCsv(csv, { blankCellsClear: false });
  if (!read.ok) throw new Error(read.sentence);
  return read.products;
};

test('parts hold the rows to store in the file’s order, without rejected and replaced ones', async () => {
  const file = textFile('SKC,Note,Price\nA,x,1\n,x,2\nB,x,3\nA,x,4\n\nC,x,-5\nD,x,6\n');
  expect(await partsOf(file)).toEqual([
    { part: 0, rows: 3, csv: 'SKC,Retail Price\nB,3.00\nA,4.00\nD,6.00\n' },
  ]);
});

test.each([
  { chars: 200, rows: 100 },
  { chars: 10_000, rows: 12 },
])('no part has more than $chars characters or $rows rows', async (limits) => {
  const rows = Array.from({ length: 100 }, (_, i) => `X${i},"Töpfe, ""groß""",${i}\n`);
  const parts = await partsOf(textFile(`SKC,Material,Price\n${rows.join('')}`), { limits });
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, i) => i));
  for (const { csv, rows } of parts) {
    expect(csv.length).toBeLessThanOrEqual(limits.chars);
    expect(rows).toBeLessThanOrEqual(limits.rows);
  }
});

test('the same file gives the same parts and digest, however it is sliced', async () => {
  const file = fileOf([...AWKWARD, ...Array.from({ length: 200 }, (_, i) => [`Ü${i}`, 'M'])]);
  const limits = { chars: 700, rows: 50 };
  const inOneSlice = await partsOf(file, { limits, sliceBytes: 1 << 20 });
  for (const sliceBytes of [1, 7, 4096]) {
    expect(await partsOf(file, { limits, sliceBytes })).toEqual(inOneSlice);
  }
});

test('the sizes of a garment stay in one part, unless they are too many for one', async () => {
  const inFourSizes = Array.from({ length: 60 }, (_, i) => `G${Math.floor(i / 4)},${i}`);
  const inTooManySizes = Array.from({ length: 25 }, (_, i) => `H,${i}`);
  const file = textFile(`SKC,Size\n${[...inFourSizes, ...inTooManySizes].join('\n')}\n`);
  const MAX_ROWS = 10;
  const parts = await partsOf(file, { limits: { chars: 100_000, rows: MAX_ROWS } });
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
  const parts = await partsOf(file, { limits: { chars: 200, rows: 100 } });
  expect(parts.map(({ rows }) => rows)).toEqual([1, 1, 1]);
});

/** The products that rows leave behind: a blank cell leaves what an earlier row of the product says. */
function mergedRows(rows: readonly RowValues[]): readonly object[] {
  const products = new Map<string, object>();
  for (const values of rows) {
    const [skc, size] = values;
    const key = `${skc}\0${size}`;
    const said = IMPORT_COLUMNS.flatMap((column, i) => {
      const value = values[i];
      // The server reads an empty value as null, and an empty size as a size.
      if (value === undefined) return [];
      return [[column, value === '' && column !== 'Size' ? null : value] as const];
    });
    const merged = { ...products.get(key), ...Object.fromEntries(said) };
    products.delete(key);
    products.set(key, merged);
  }
  return [...products.values()];
}

test('from the parts the server reads exactly the rows that the check has accepted, whatever they hold', async () => {
  let rowsSent = 0;
  await fc.assert(
    fc.asyncProperty(hostileFile, fc.boolean(), async (text, blankCellsClear) => {
      const file = textFile(text);
      const checked = await check(file, { limits: { chars: 400, rows: 3 }, blankCellsClear });
      if (checked.kind !== 'checked') return;
      const accepted: RowValues[] = [];
      await readRows(file, checked.plan, {
        signal,
        take: (validated) => validated.ok && void accepted.push(validated.values),
      });
      const read = checked.parts.flatMap(({ csv }) => {
        const answer = readProductCsv(csv(), { blankCellsClear });
        if (!answer.ok) throw new Error(answer.sentence);
        expect(answer).toMatchObject({ rejected: [], replaced: 0 });
        return answer.products.map(({ row }) => row);
      });
      expect(read).toEqual(mergedRows(accepted));
      rowsSent += read.length;
    }),
    { numRuns: 300 },
  );
  expect(rowsSent).toBeGreaterThan(100);
});

test('the keys of rejected and hidden rows go in parts of their own, each of a bounded size', () => {
  const limits = { chars: 400, rows: 12 };
  const kept = Array.from({ length: 100 }, (_, i) => [`"K${i}`, i % 3 ? null : 'ü'] as const);
  const hidden = Array.from({ length: 30 }, (_, i) => [`H${i}`, ''] as const);
  const row = { part: 0, rows: 5, csv: () => 'SKC\nA\n' };
  const [first, ...others] = withKeys([row], { kept, hidden }, limits);
  expect(first).toBe(row);
  expect(others.map(({ part }) => part)).toEqual(others.map((_, i) => i + 1));
  expect(others.flatMap(({ aside }) => aside?.kept ?? [])).toEqual(kept);
  expect(others.flatMap(({ aside }) => aside?.hidden ?? [])).toEqual(hidden);
  for (const { aside = { kept: [], hidden: [] }, csv, rows } of others) {
    const keys = [...aside.kept, ...aside.hidden];
    expect(keys.length).toBeLessThanOrEqual(limits.rows);
    // The limit counts a comma for each key, and not the brackets.
    expect(JSON.stringify(keys).length).toBeLessThanOrEqual(limits.chars + 1);
    expect([rows, productsIn(csv())]).toEqual([0, []]);
  }
});

test('a product that one row hides and another row sells stays on sale', async () => {
  const heading = 'SKU,Price,Option1 Name,Option1 Value,Status';
  const rows = ['A,5,Color,Red,draft', 'A,5,Color,Red,active', 'B,5,Color,Red,draft'];
  const { aside } = await checkedOf(textFile([heading, ...rows, ''].join('\n')));
  expect(aside).toEqual({ kept: [], hidden: [['B', '']] });
});
