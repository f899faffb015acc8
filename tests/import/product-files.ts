/** Product files for tests. */
import { IMPORT_COLUMNS, type ImportColumn } from '../../src/csv/columns.ts';
import type { Delimiter } from '../../src/csv/format.ts';
import type { Choice } from '../../src/import/protocol.ts';
import { NEW_RUN } from '../../src/import/run-state.ts';
import { writtenCell } from '../csv/text.ts';

/** A choice that leaves everything to the worker to detect. */
export const DETECT_ALL: Choice = NEW_RUN.choice;

/** Rows of cells, the headings first. */
export type Cells = readonly (readonly string[])[];

/** The text of a file of these cells, with quotation marks where CSV demands them. */
export function textOf(cells: Cells, delimiter: Delimiter = ','): string {
  const lines = cells.map((row) => row.map((cell) => writtenCell(cell, delimiter)).join(delimiter));
  return lines.map((line) => `${line}\n`).join('');
}

/** A CSV of these cells. */
export const fileOf = (cells: Cells) => textFile(textOf(cells));

/** A file of this text, in UTF-8. */
export function textFile(text: string, name = 'products.csv'): File {
  return new File([text], name);
}

/** Rows under all ten headings; columns that are not given are blank. */
export function productRows(...rows: readonly Partial<Record<ImportColumn, string>>[]): Cells {
  return [IMPORT_COLUMNS, ...rows.map((row) => IMPORT_COLUMNS.map((column) => row[column] ?? ''))];
}

/** The cell of this column in a row that has all columns, such as a row of the preview. */
export function cellOf(row: readonly string[] | undefined, column: ImportColumn) {
  return row?.[IMPORT_COLUMNS.indexOf(column)];
}

/** Products that are hard to write as CSV: accents, quotes, delimiters, line breaks, leading zeros. */
export const AWKWARD: Cells = productRows(
  {
    SKC: '000123',
    Size: 'M',
    'Images link': 'https://pictures.example/a.jpg?x=1&y=2',
    'Category 1': 'Été, léger; très | large',
    'Retail Price': '1234.50',
    Material: 'Coton "bio"',
  },
  { SKC: '000123', Size: 'L', 'Category 1': 'Größe', 'Category 2': 'x\ny', Material: '’œ€' },
  { SKC: 'ÄÖÜ-1', 'Category 4': 'ß', 'Retail Price': '9.99', 'Fabric Composition': '100 % lin' },
  { SKC: 'B 2', Size: '', 'Retail Price': '' },
);
