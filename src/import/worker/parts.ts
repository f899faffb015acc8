import { csvLine } from '../../csv/write.ts';
import type { KeysAside } from '../../remote/import-calls.ts';
import type { FileProduct } from './compare.ts';

/** The rows of one request. */
export interface Part {
  /** From 0. */
  readonly part: number;
  readonly rows: number;
  /** Makes a whole CSV of its own, with the shop's names as headings. */
  readonly csv: () => string;
  /** The keys of products whose rows no part holds, for the server's end of a whole range; see `KeysAside`. */
  readonly aside?: KeysAside;
}

export interface PartLimits {
  readonly chars: number;
  readonly rows: number;
}

/** In UTF-8 a part is well below a function's limit of 6 MB. `rows` is the server's limit, `MAX_ROWS_PER_PART`. */
const PART_LIMITS: PartLimits = { chars: 1_000_000, rows: 10_000 };

/**
 * Cuts the products of a file into parts of at most `limits` (a single row may be larger). The same products in
 * the same order give the same parts.
 *
 * Neighbouring rows of one stock code stay in one part where they fit: parts arrive in any order, and
 * the grid shows a garment's sizes in the order in which they arrived.
 *
 * @param products by `keyTextOf`
 */
export function partsOf(
  header: string,
  products: ReadonlyMap<string, Pick<FileProduct, 'csv'>>,
  limits = PART_LIMITS,
): Part[] {
  const lines: string[] = [];
  /** Where each part begins among the lines. */
  const starts: number[] = [];
  /** Where the rows of the last stock code begin. */
  let runStart = 0;
  let runSkc: string | null = null;
  /** How long the last part is. */
  let chars = 0;
  for (const [key, { csv }] of products) {
    const skc = key.slice(0, key.indexOf('\0'));
    if (skc !== runSkc) {
      runSkc = skc;
      runStart = lines.length;
    }
    const start = starts.at(-1);
    const isFull =
      start === undefined ||
      lines.length - start >= limits.rows ||
      (lines.length > start && chars + csv.length > limits.chars);
    if (isFull) {
      // The rows of the stock code move to the new part, unless they fill the last one alone.
      const cut = start !== undefined && runStart > start ? runStart : lines.length;
      starts.push(cut);
      chars = header.length;
      for (const line of lines.slice(cut)) chars += line.length;
    }
    lines.push(csv);
    chars += csv.length;
  }
  return starts.map((start, part) => {
    const end = starts[part + 1] ?? lines.length;
    return { part, rows: end - start, csv: () => header + lines.slice(start, end).join('') };
  });
}

/** A CSV without rows, for a part that has only keys. */
const NO_ROWS = csvLine(['SKC']);

/** Adds parts that hold the keys of rows that are not sent, each of at most `limits`. */
export function withKeys(
  parts: readonly Part[],
  { kept, hidden }: KeysAside,
  limits = PART_LIMITS,
): Part[] {
  const asides = [
    ...cutKeys(kept, limits).map((keys) => ({ kept: keys, hidden: [] })),
    ...cutKeys(hidden, limits).map((keys) => ({ kept: [], hidden: keys })),
  ];
  const keyParts = asides.map((aside, i) => ({
    part: parts.length + i,
    rows: 0,
    csv: () => NO_ROWS,
    aside,
  }));
  return [...parts, ...keyParts];
}

function cutKeys<Key>(keys: readonly Key[], limits: PartLimits): Key[][] {
  const lists: Key[][] = [];
  let chars = 0;
  for (const key of keys) {
    const size = JSON.stringify(key).length + 1; // with a comma
    const last = lists.at(-1);
    if (last && last.length < limits.rows && chars + size <= limits.chars) {
      last.push(key);
      chars += size;
    } else {
      lists.push([key]);
      chars = size;
    }
  }
  return lists;
}
