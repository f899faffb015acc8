/** Product files for tests: a table of cells, written in the formats in which files come. */
import { IMPORT_COLUMNS, type ImportColumn } from '../../src/csv/columns.ts';
import type { Choice } from '../../src/import/protocol.ts';
import { NEW_RUN } from '../../src/import/run-state.ts';
import { writtenCell } from '../csv/text.ts';
import { encodedAs } from './encoded.ts';

/** A choice that leaves everything to the worker to detect. */
export const DETECT_ALL: Choice = NEW_RUN.choice;

/** Rows of cells, the headings first. */
export type Cells = readonly (readonly string[])[];

/** How a file is written. */
export interface FileFormat {
  /** UTF-16 always begins with a byte order mark (BOM). */
  readonly encoding: 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Of lines; `mixed` alternates. */
  readonly ending: '\n' | '\r\n' | 'mixed' | '\r';
  /** What stands above the headings: nothing, a title, or Excel's line `sep=;`. */
  readonly above: '' | 'title' | 'sep';
}

/** A file of these cells; where the format says nothing, it is a plain CSV in UTF-8. */
export function fileOf(cells: Cells, format: Partial<FileFormat> = {}): File {
  const { encoding = 'utf-8', ...textFormat } = format;
  return new File([encode(textOf(cells, textFormat), encoding)], 'products.csv', {
    type: 'text/csv',
  });
}

/** A file of this text, in UTF-8. */
export function textFile(text: string, name = 'products.csv'): File {
  return new File([text], name);
}

/** Rows under all ten headings; columns that are not given are blank. */
export function productRows(...rows: readonly Partial<Record<ImportColumn, string>>[]): Cells {
  return [IMPORT_COLUMNS, ...rows.map((row) => IMPORT_COLUMNS.map((column) => row[column] ?? ''))];
}

/** A cell of a row that has a value for each column, as the rows of a preview have. */
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

function textOf(cells: Cells, { delimiter = ',', ending = '\n', above = '' }: Partial<FileFormat>) {
  const lines = cells.map((row) => row.map((cell) => writtenCell(cell, delimiter)).join(delimiter));
  if (above === 'sep') lines.unshift(`sep=${delimiter}`);
  if (above === 'title') lines.unshift('Autumn list', '');
  const endOf = (i: number) => (ending === 'mixed' ? (i % 2 === 0 ? '\r\n' : '\n') : ending);
  return lines.map((line, i) => line + endOf(i)).join('');
}

function encode(text: string, encoding: FileFormat['encoding']): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding === 'utf-8 with BOM') return new TextEncoder().encode(`\ufeff${text}`);
  if (encoding === 'windows-1252') return encodedAs(encoding, text);
  const withMark = `\ufeff${text}`;
  const bytes = new DataView(new ArrayBuffer(withMark.length * 2));
  for (let i = 0; i < withMark.length; i++) {
    bytes.setUint16(i * 2, withMark.charCodeAt(i), encoding === 'utf-16le');
  }
  return new Uint8Array(bytes.buffer);
}
