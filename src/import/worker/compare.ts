/** Compares the rows of a file with one another, and with the catalogue on this device. */
import { IMPORT_COLUMNS, KEY_COLUMNS } from '../../csv/columns.ts';
import { columnsInFile, type Layout } from '../../csv/layout.ts';
import { firstRecords } from '../../csv/records.ts';
import type { RowValues } from '../../csv/row-validator.ts';
import { csvLine, escapedLine, unescapeCell } from '../../csv/write.ts';
import { parseMinor } from '../../domain/money.ts';
import type { ProductRow } from '../../domain/product.ts';
import type { FileCheck, PriceJump } from '../protocol.ts';
import { valuesOf } from './device-catalogue.ts';

/** By `keyTextOf`. */
export type StoredProducts = ReadonlyMap<string, ProductRow>;

/** What a new product can lack for its card in the catalogue. */
type Lack = keyof FileCheck['lacking'];

/** A product as the file would leave it: its last row, whose blank cells are filled from earlier rows. */
export interface FileProduct {
  /** Of its last row. */
  readonly line: number;
  /** The row as it is sent. One text takes a fraction of the memory of its cells. */
  readonly csv: string;
  /** A hash of the cells that are not read. */
  readonly unread: number;
  readonly effect: 'new' | 'changed' | 'unchanged';
  /** Nothing where the product is stored already. */
  readonly lacks: readonly Lack[];
  /** How many stored values the row empties. */
  readonly cleared: number;
  /** The price before and after, where the row changes it. */
  readonly move: PriceJump | null;
}

/** A row that a later row of the same product has replaced. */
export interface ReplacedRow {
  readonly line: number;
  /** The line of the product's last row. */
  readonly byLine: number;
  /** Whether both say the same: in `all` columns, in the columns that are `read`, or not. */
  readonly isSameIn: 'all' | 'read' | null;
}

const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');
const NEEDED: readonly { readonly lack: Lack; readonly column: number }[] = [
  { lack: 'price', column: PRICE },
  { lack: 'category', column: IMPORT_COLUMNS.indexOf('Category 1') },
  { lack: 'picture', column: IMPORT_COLUMNS.indexOf('Images link') },
];
/** The index of `retailPrice` in a `ProductRow`, which begins with the id. */
const STORED_PRICE = PRICE + 1;
/** A decimal mark read wrongly moves a price a hundredfold; a sale hardly ever moves it fivefold. */
const JUMP_FACTOR = 5;
const MOST_EXAMPLES = 5;
const LACKS_NOTHING: readonly Lack[] = [];

export class Comparison {
  /** By `keyTextOf`, in the order of their last rows. */
  readonly products = new Map<string, FileProduct>();
  readonly #stored: StoredProducts;
  /** The positions of the columns that are not read. */
  readonly #unread: readonly number[];
  /** Indices in `IMPORT_COLUMNS` of the columns that the file has. */
  readonly #columns: readonly number[];
  readonly #replaced: { readonly key: string; readonly product: FileProduct }[] = [];

  constructor(stored: StoredProducts, layout: Layout) {
    this.#stored = stored;
    this.#unread = layout.columns.flatMap((column, i) => (column === null ? [i] : []));
    this.#columns = columnsInFile(layout);
  }

  /** The headings of what is sent. */
  get header(): string {
    return csvLine(this.#columns.map((i) => IMPORT_COLUMNS[i] ?? ''));
  }

  /**
   * @param key `keyTextOf` the row
   * @returns the values of the product after this row
   */
  add(key: string, rowValues: RowValues, cells: readonly string[], line: number): RowValues {
    const earlier = this.products.get(key);
    const values = earlier ? this.#withEarlier(earlier, rowValues) : rowValues;
    if (earlier) {
      this.#replaced.push({ key, product: earlier });
      this.products.delete(key);
    }
    const csv = escapedLine(this.#columns.map((i) => values[i] ?? ''));
    const unread = hashOf(cells, this.#unread);
    const { effect, lacks, cleared, move } = effectOf(values, this.#stored.get(key));
    this.products.set(key, { line, csv, unread, effect, lacks, cleared, move });
    return values;
  }

  /** A blank cell leaves what an earlier row says, as it would leave what is stored. */
  #withEarlier({ csv }: FileProduct, values: RowValues): RowValues {
    const format = { delimiter: ',', newline: '\n', firstLine: 1 } as const;
    const cells = firstRecords(csv, 0, format, 1).records[0]?.cells ?? [];
    const merged = [...values];
    for (const [position, column] of this.#columns.entries()) {
      const cell = cells[position];
      if (merged[column] === undefined && cell) merged[column] = unescapeCell(cell);
    }
    return merged;
  }

  /** In the order of the file. Call it after the last row. */
  replacedRows(): ReplacedRow[] {
    return this.#replaced
      .map(({ key, product }): ReplacedRow => {
        const last = this.products.get(key)!; // it has replaced the row
        const isSame = product.csv === last.csv;
        const isSameIn = isSame ? (product.unread === last.unread ? 'all' : 'read') : null;
        return { line: product.line, byLine: last.line, isSameIn };
      })
      .sort((a, b) => a.line - b.line);
  }

  /** Counts new products that differ from another product only in capital letters. */
  #alike() {
    const stored = this.#stored;
    // Keys with small letters, by the same key in capitals. Many shops have none, so this takes little memory.
    const smallInShop = new Map<string, string>();
    const smallInFile = new Map<string, string>();
    for (const key of stored.keys()) {
      const capitals = key.toUpperCase();
      if (key !== capitals) smallInShop.set(capitals, key);
    }
    let count = 0;
    let example = '';
    for (const key of this.products.keys()) {
      if (stored.has(key)) continue;
      const capitals = key.toUpperCase();
      let other = smallInShop.get(capitals);
      // Of a new pair the key in capitals does not count, but the one with small letters does.
      if (key !== capitals) {
        if (stored.has(capitals) || this.products.has(capitals)) other = capitals;
        other ??= smallInFile.get(capitals);
        smallInFile.set(capitals, key);
      }
      if (other === undefined) continue;
      count += 1;
      example ||= [other, key].map((text) => text.replace('\0', ' ').trim()).join('” and “');
    }
    return { count, example };
  }

  figures() {
    const effects = { new: 0, changed: 0, unchanged: 0 };
    const lacking = { price: 0, category: 0, picture: 0 };
    const moves: PriceJump[] = [];
    let cleared = 0;
    for (const product of this.products.values()) {
      effects[product.effect] += 1;
      for (const lack of product.lacks) lacking[lack] += 1;
      if (product.move) moves.push(product.move);
      cleared += product.cleared;
    }
    const alike = this.#alike();
    const isJump = ({ from, to }: PriceJump) =>
      Math.max(from, to) >= JUMP_FACTOR * Math.min(from, to);
    const jumps = moves.filter(isJump);
    return {
      added: effects.new,
      changed: effects.changed,
      unchanged: effects.unchanged,
      replaced: this.#replaced.length,
      cleared,
      lacking,
      alike,
      prices: {
        moved: moves.length,
        jumps: jumps.length,
        examples: jumps.slice(0, MOST_EXAMPLES),
      },
    };
  }
}

/** What an import of these values does to a product. The server decides what it stores. */
function effectOf(
  values: RowValues,
  stored: ProductRow | undefined,
): Pick<FileProduct, 'effect' | 'lacks' | 'cleared' | 'move'> {
  if (!stored) {
    const lacks = NEEDED.every(({ column }) => values[column])
      ? LACKS_NOTHING // one list for all: a product takes memory until its file is sent
      : NEEDED.filter(({ column }) => !values[column]).map(({ lack }) => lack);
    return { effect: 'new', lacks, cleared: 0, move: null };
  }
  const storedValues = valuesOf(stored);
  let isChanged = false;
  let cleared = 0;
  for (let column = KEY_COLUMNS; column < values.length; column++) {
    const value = values[column];
    if (value === undefined || value === storedValues[column]) continue;
    isChanged = true;
    if (value === '') cleared += 1;
  }
  const effect = isChanged ? 'changed' : 'unchanged';
  return { effect, lacks: LACKS_NOTHING, cleared, move: moveOf(values, stored) };
}

/** Null where the row does not change a stored price. */
function moveOf(values: RowValues, stored: ProductRow): PriceJump | null {
  const from = parseMinor(stored[STORED_PRICE]);
  const price = values[PRICE];
  if (from === null || !price) return null;
  const to = Math.round(Number(price) * 100);
  const [skc = '', size = ''] = values;
  return from === to ? null : { skc, size, from, to };
}

/** Changes with any letter of these cells. Two rows have equal hashes by chance once in four billion. */
function hashOf(cells: readonly string[], positions: readonly number[]): number {
  let hash = 0;
  for (const position of positions) {
    const cell = cells[position] ?? '';
    for (let i = 0; i < cell.length; i++) hash = (Math.imul(hash, 31) + cell.charCodeAt(i)) | 0;
    hash = Math.imul(hash, 31);
  }
  return hash;
}
