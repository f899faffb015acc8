/**
 * Validates a row of the file. The same rules run in the worker and on the server.
 *
 * Most cells are stored as they stand, which one regular expression recognises; only the others go through the
 * rules of `cells.ts`. Measured: this halves the time of a large file.
 */
import {
  type CellReading,
  EXCEL_ERROR,
  isExcelDate,
  isExcelError,
  PLAIN_CODE,
  PLAIN_LINK,
  PLAIN_TEXT,
  readPicture,
  readSize,
  readSkc,
  readText,
  unwrapCell,
} from './cells.ts';
import type { Layout } from './layout.ts';
import { type DecimalMark, isNoValue, openPriceReader, type PriceReader } from './price.ts';
import { type RowProblem, WHOLE_ROW } from './problems.ts';
import { IMPORT_COLUMNS, type ImportColumn, KEY_COLUMNS, TEXT_LIMITS } from './columns.ts';

/** By index of `IMPORT_COLUMNS`: the text to store; '' empties the stored value, undefined leaves it. */
export type RowValues = readonly (string | undefined)[];

export type ValidatedRow =
  | {
      readonly ok: true;
      readonly values: RowValues;
      readonly warnings: readonly RowProblem[];
    }
  | { readonly ok: false; readonly problems: readonly RowProblem[] };

export interface RowValidator {
  /** Null for an empty row, which does not count as a row. */
  validate(cells: readonly string[]): ValidatedRow | null;
  readonly price: PriceReader;
}

/** What the rules for a row read of the layout. */
type Headings = Pick<Layout, 'columns' | 'headers'>;

/** How to read the cells of one column. */
interface Field {
  /** The column of the file, from 0; -1 where it is absent. */
  readonly position: number;
  /** Matches cells that are stored as they stand, if they are not longer than `limit`; null for none. */
  readonly plain: RegExp | null;
  readonly limit: number;
  readonly read: (cell: string) => CellReading;
}

/**
 * The heading under which a report repeats spilled cells: those that stand beyond a file's last heading.
 * When the user imports the report, a row that still has spilled cells is rejected again.
 */
export const SPILLED_HEADING = 'Extra cell';

/** Whether a cell at this position is a spilled one, in the file itself or as a report repeats it. */
export function isSpilled({ headers }: Headings, position: number): boolean {
  return (headers[position] ?? SPILLED_HEADING) === SPILLED_HEADING;
}

/** The spilled cells of a row that are not blank. */
export function spilledIn(cells: readonly string[], layout: Headings): string[] {
  return cells.filter((cell, i) => isSpilled(layout, i) && !isBlankCell(cell));
}

const NO_WARNINGS: readonly RowProblem[] = [];

/**
 * @param options.blankCellsClear a blank cell empties the stored value instead of leaving it; an
 *   absent column leaves it in any case
 */
export function openRowValidator(
  layout: Headings,
  options: { readonly decimalMark: DecimalMark | null; readonly blankCellsClear: boolean },
): RowValidator {
  const price = openPriceReader(options.decimalMark);
  const firstSpilled = layout.headers.indexOf(SPILLED_HEADING);
  const cellsWithHeading = firstSpilled < 0 ? layout.columns.length : firstSpilled;
  const skcPosition = layout.columns.indexOf('SKC');
  const fields = IMPORT_COLUMNS.map((column) => fieldOf(column, layout, price));
  const blank = options.blankCellsClear ? '' : undefined;

  function validate(cells: readonly string[]): ValidatedRow | null {
    if (isBlankRow(cells, skcPosition)) return null;
    if (cells.length > cellsWithHeading && spilledIn(cells, layout).length > 0) {
      return { ok: false, problems: [{ code: 'row-shifted', column: WHOLE_ROW }] };
    }
    const values: (string | undefined)[] = [];
    let problems: RowProblem[] | null = null;
    let warnings: RowProblem[] | null = null;
    for (let column = 0; column < fields.length; column++) {
      const { position, plain, limit, read } = fields[column]!; // column < fields.length
      // Compares the length first, because reading an array beyond its end is slow.
      const cell = position < 0 || position >= cells.length ? '' : cells[position]!;
      const isPlain = plain !== null && cell.length <= limit && plain.test(cell);
      const mayBeDate = column < KEY_COLUMNS;
      const mayBeNone = column > 0; // a stock code must be there
      if (isPlain && !(mayBeDate && isExcelDate(cell)) && !(mayBeNone && isNoValue(cell))) {
        values.push(cell);
        continue;
      }
      const { value, problem, warning } = read(cell);
      if (problem !== null) (problems ??= []).push({ code: problem, column });
      if (warning !== null) (warnings ??= []).push({ code: warning, column });
      // A product without sizes has the size '' in its key.
      if (value !== '' || column < KEY_COLUMNS) values.push(value);
      else values.push(position < 0 ? undefined : blank);
    }
    if (problems !== null) return { ok: false, problems };
    return { ok: true, values, warnings: warnings ?? NO_WARNINGS };
  }

  return { validate, price };
}

/** Which product a row is about; a size that cannot be read is null. */
export type RowKey = readonly [skc: string, size: string | null];

/** Null where the stock code cannot be read. */
export function keyIn(cells: readonly string[], { columns }: Headings): RowKey | null {
  const cellOf = (column: ImportColumn) => cells[columns.indexOf(column)] ?? '';
  const skc = readSkc(cellOf('SKC'));
  const size = readSize(cellOf('Size'));
  return skc.problem === null ? [skc.value, size.problem === null ? size.value : null] : null;
}

function fieldOf(column: ImportColumn, layout: Headings, price: PriceReader): Field {
  const position = layout.columns.indexOf(column);
  if (column === 'Retail Price') {
    // The price reader must see all prices to find the decimal mark, also the plain ones.
    return { position, plain: null, limit: 0, read: (cell) => readPrice(cell, price) };
  }
  const limit = TEXT_LIMITS[column];
  switch (column) {
    case 'SKC':
      return { position, plain: PLAIN_CODE, limit, read: readSkc };
    case 'Size':
      return { position, plain: PLAIN_TEXT, limit, read: readSize };
    case 'Images link':
      return { position, plain: PLAIN_LINK, limit, read: readPicture };
    case 'Category 1':
    case 'Category 2':
    case 'Category 3':
    case 'Category 4':
    case 'Material':
    case 'Fabric Composition':
      return { position, plain: PLAIN_TEXT, limit, read: (cell) => readText(cell, limit) };
  }
}

function readPrice(cell: string, price: PriceReader): CellReading {
  const text = unwrapCell(cell);
  if (isExcelError(text)) return EXCEL_ERROR;
  const reading = price.read(text);
  return reading.ok
    ? {
        value: reading.text,
        problem: null,
        warning: reading.isRounded ? 'price-rounded' : null,
      }
    : { value: '', problem: reading.problem, warning: null };
}

/** Tests the stock code first, which decides for most rows. */
function isBlankRow(cells: readonly string[], skcPosition: number): boolean {
  return isBlankCell(cells[skcPosition] ?? '') && cells.every(isBlankCell);
}

/** A cell that begins with a visible character of ASCII is not blank; only the others are trimmed. */
function isBlankCell(cell: string): boolean {
  const first = cell.charAt(0);
  return cell === '' || ((first < '!' || first > '~') && cell.trim() === '');
}
