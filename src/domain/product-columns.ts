/**
 * Products on their way to a phone, by columns. Neighbours in the shop's order are alike, so columns compress to half
 * the size of rows, and less when numbers stand as differences from the one before.
 */
import { parseEach } from './fields.ts';
import { parseProductRow, PRODUCT_COLUMNS, type ProductRow } from './product.ts';

/**
 * Ids as differences from the one before. Of each stock code the number of characters that it shares with the one
 * before, and the rest. Every other column as its distinct values, and for each row the index of its value.
 */
export type ProductColumns = readonly [
  ids: readonly number[],
  codes: readonly [shared: readonly number[], rests: readonly string[]],
  ...others: (readonly [values: readonly unknown[], indexes: readonly number[]])[],
];

/** Columns before this one are written in ways of their own. */
const FIRST_OTHER = PRODUCT_COLUMNS.indexOf('Size');

export function columnsOf(rows: readonly ProductRow[]): ProductColumns {
  const codes = rows.map((row) => row[1]);
  const shared = codes.map((code, i) => sharedLength(codes[i - 1] ?? '', code));
  return [
    differences(rows.map((row) => row[0])),
    [shared, codes.map((code, i) => code.slice(shared[i]))],
    ...PRODUCT_COLUMNS.slice(FIRST_OTHER).map((_, i) => {
      const indexOf = new Map<unknown, number>();
      const indexes = rows.map((row) => {
        const value = row[FIRST_OTHER + i];
        const index = indexOf.get(value) ?? indexOf.size;
        indexOf.set(value, index);
        return index;
      });
      return [[...indexOf.keys()], differences(indexes)] as const;
    }),
  ];
}

/** The rows in columns from outside; null for anything else. */
export function rowsIn(columns: unknown): ProductRow[] | null {
  const [ids, codes, ...others] = listIn(columns);
  if (others.length !== PRODUCT_COLUMNS.length - FIRST_OTHER) return null;
  const [shared, rests] = listIn(codes).map(listIn);
  const pairs = others.map(listIn).map(([values, indexes]) => {
    return { values: listIn(values), indexes: sums(listIn(indexes)) };
  });
  let code = '';
  const rows = sums(listIn(ids)).map((id, i) => {
    code = code.slice(0, Number(shared?.[i])) + String(rests?.[i]);
    return [id, code, ...pairs.map(({ values, indexes }) => values[indexes[i] ?? -1])];
  });
  return parseEach(rows, (row) => parseProductRow(row as readonly unknown[]));
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, i) => number - (numbers[i - 1] ?? 0));
}

function sums(numbers: readonly unknown[]): number[] {
  let sum = 0;
  return numbers.map((number) => (sum += Number(number)));
}

/** With how many equal characters two texts begin. */
export function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
