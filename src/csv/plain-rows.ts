/**
 * Rows of plain cells, as most rows are. One regular expression finds the cells of such a row and
 * validates them at once. Measured: to read the cells first, and validate each, takes three times as long.
 */
import {
  IMPORT_COLUMNS,
  type ImportColumn,
  KEY_COLUMNS,
  MAX_RECORD_CHARS,
  TEXT_LIMITS,
} from './columns.ts';
import type { Layout } from './layout.ts';
import { plainPattern } from './plain-cells.ts';
import type { PriceReader } from './price.ts';
import { isExcelDate, isTotal } from './fields.ts';
import type { RowValues } from './rows.ts';

/** The values of columns that the file lacks. */
const ABSENT: RowValues = IMPORT_COLUMNS.map((_, column) =>
  column < KEY_COLUMNS ? '' : undefined,
);

/** Reads rows that have a cell for each heading, all of them plain or blank, and name no total and no date. */
export class PlainRows {
  /** Where the row that was read last ends, behind its line break. */
  end = 0;
  /** The values of the row that was read last. */
  values: RowValues = ABSENT;
  readonly #row: RegExp;
  /** By group of the regular expression: the column, as an index of `IMPORT_COLUMNS`. */
  readonly #columns: readonly number[];
  readonly #blank: '' | undefined;
  readonly #price: PriceReader;

  /** @param blank the value of a blank cell */
  constructor(layout: Layout, blank: '' | undefined, price: PriceReader) {
    const { columns, delimiter, newline } = layout;
    const cells = columns.map((column) => plainCell(column, delimiter));
    const lineBreak = newline === '\n' ? '\r?\n' : '\r';
    this.#row = new RegExp(cells.join(`[${delimiter}]`) + lineBreak, 'y');
    const inFile = columns.filter((column) => column !== null);
    this.#columns = inFile.map((column) => IMPORT_COLUMNS.indexOf(column));
    this.#blank = blank;
    this.#price = price;
  }

  /** Reads the row that begins at `at`. Returns false for another row, and for one that does not end in the text. */
  read(text: string, at: number): boolean {
    const row = this.#row;
    row.lastIndex = at;
    const match = row.exec(text);
    if (match === null) return false;
    const columns = this.#columns;
    const values = ABSENT.slice();
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!; // i < length
      let cell = match[i + 1]!; // no group is optional
      if (cell.charCodeAt(0) === QUOTE) cell = cell.slice(1, -1);
      if (cell.length > LIMITS[column]!) return false; // a limit for each column
      values[column] = cell === '' && column >= KEY_COLUMNS ? this.#blank : cell;
    }
    const end = row.lastIndex;
    const [skc = '', size = ''] = values;
    if (end - at > MAX_RECORD_CHARS || isTotal(skc)) return false;
    if (isExcelDate(skc) || isExcelDate(size)) return false;
    // Last, because the price reader counts what it reads. It can read every plain price.
    const price = values[PRICE] ? this.#price.read(values[PRICE]) : null;
    if (price?.ok) values[PRICE] = price.text;
    this.end = end;
    this.values = values;
    return true;
  }
}

const QUOTE = 0x22;
const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');
const LIMITS = Uint32Array.from(IMPORT_COLUMNS, (column) =>
  column === 'Retail Price' ? MAX_RECORD_CHARS : TEXT_LIMITS[column],
);

/** The source of a regular expression for a plain cell, with a group for a column that is read. */
function plainCell(column: ImportColumn | null, delimiter: string): string {
  if (column === null) return `(?:[^"${delimiter}\r\n]+|"[^"\r\n]*")?`;
  const unquoted = plainPattern(column, `"${delimiter}`);
  const quoted = plainPattern(column, '"');
  return column === 'SKC' ? `(${unquoted}|"${quoted}")` : `((?:${unquoted}|"(?:${quoted})?")?)`;
}
