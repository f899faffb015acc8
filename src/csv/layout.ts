/**
 * The layout of a file: its delimiter, the place of its headings, and their meaning.
 *
 * The delimiter is the one under which a row reads as headings with a stock code. Counting characters
 * would take `SKC;Preis` above `A1;12,50` for comma-separated. Where no heading is known, it is the one
 * that cuts the first rows into equally many cells.
 */
import { IMPORT_COLUMNS, type ImportColumn, MAX_COLUMNS } from './columns.ts';
import {
  columnsWithSamples,
  type FileTable,
  matchOf,
  questionsAbout,
  shownRow,
} from './file-table.ts';
import { headerAmong, readHead } from './head.ts';
import { unclosedQuote, tooManyColumns } from './records.ts';
import type { LayoutChoice } from './remembered.ts';
import { DELIMITERS, type Format, type Newline } from './scan.ts';

export interface Layout extends Format {
  readonly headerLine: number;
  /** By position in the file; null for a column that is not read. */
  readonly columns: readonly (ImportColumn | null)[];
  /** By position in the file, trimmed but otherwise as they stand there. */
  readonly headers: readonly string[];
  /** Characters before the first record of data (byte order mark, `sep=`, titles, headings). */
  readonly bodyStart: number;
  /** The line of the first record of data. */
  readonly bodyLine: number;
}

/** Where a column of `IMPORT_COLUMNS` stands in the file; -1 if it is missing or `WHOLE_ROW`. */
export function positionOf(layout: Layout, column: number): number {
  const name = IMPORT_COLUMNS[column];
  return name === undefined ? -1 : layout.columns.indexOf(name);
}

/** The columns that the file has, as indices of `IMPORT_COLUMNS`. */
export function columnsInFile({ columns }: Layout): number[] {
  return IMPORT_COLUMNS.flatMap((column, i) => (columns.includes(column) ? [i] : []));
}

export type LayoutOutcome =
  | { readonly kind: 'layout'; readonly layout: Layout; readonly table: FileTable }
  /** The user must say which column holds the stock code, or a field that several headings name. */
  | { readonly kind: 'ask-columns'; readonly table: FileTable }
  | {
      readonly kind: 'fault';
      readonly fault: { readonly sentence: string; readonly line: number | null };
    };

/** A first line such as `sep=;`, which tells Excel the delimiter. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i;

/** @param sample the first MiB of the text or more, or all of it */
export function readLayout(sample: string, choice: LayoutChoice): LayoutOutcome {
  const byteOrderMark = sample.startsWith('\ufeff') ? 1 : 0;
  const separatorLine = SEPARATOR_LINE.exec(sample.slice(byteOrderMark, byteOrderMark + 100));
  const separator = DELIMITERS.find((delimiter) => delimiter === separatorLine?.[1]);
  const start = byteOrderMark + (separatorLine?.[0].length ?? 0);
  const firstLine = separatorLine ? 2 : 1;
  if (sample.slice(start).trim() === '') return fault('This file is empty.', null);

  const newline = newlineOf(sample, start);
  const text = sample + newline; // the scanner ends a row at a line break only
  const detected = separator ? [separator, ...DELIMITERS] : DELIMITERS;
  const heads = (choice.delimiter ? [choice.delimiter] : detected).map((delimiter) =>
    readHead({ delimiter, newline }, text, start, firstLine),
  );
  const found = headerAmong(heads, choice);
  if (typeof found === 'number') return { kind: 'fault', fault: unclosedQuote(found) };
  const { header, head } = found;
  const headers = header.cells.map((cell) => cell.trim());
  if (headers.filter((name) => name !== '').length > MAX_COLUMNS) {
    return { kind: 'fault', fault: tooManyColumns(header.line) };
  }
  const fileColumns = columnsWithSamples(headers, text, header.end, header);
  const { match, origin } = matchOf(headers, fileColumns, choice);
  const table: FileTable = {
    delimiter: header.delimiter,
    headerLine: header.line,
    rows: head.rows
      .filter(({ filled }) => filled > 0)
      .map(({ line, cells }) => ({ line, text: shownRow(cells) })),
    columns: fileColumns,
    match,
    questions: questionsAbout(match, headers),
    origin,
  };
  if (table.questions.length > 0) return { kind: 'ask-columns', table };
  const columns: (ImportColumn | null)[] = headers.map(() => null);
  for (const column of IMPORT_COLUMNS) {
    const index = match[column] ?? null;
    if (index !== null) columns[index] = column;
  }
  return {
    kind: 'layout',
    layout: {
      delimiter: header.delimiter,
      newline: header.newline,
      headerLine: header.line,
      columns,
      headers,
      bodyStart: Math.min(header.end, sample.length),
      bodyLine: header.endLine,
    },
    table,
  };
}

/**
 * Detects the line break: the first outside quotes. If a stray quotation mark quotes the whole rest,
 * any line break counts. Programs that convert line ends twice write `\r\r\n`, which counts as `\n`.
 */
function newlineOf(sample: string, start: number): Newline {
  let isQuoted = false;
  for (const [mark] of sample.slice(start).matchAll(/"|\r+\n?|\n/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) return mark.endsWith('\n') ? '\n' : '\r';
  }
  return sample.includes('\r') && !sample.includes('\n') ? '\r' : '\n';
}

function fault(sentence: string, line: number | null): LayoutOutcome {
  return { kind: 'fault', fault: { sentence, line } };
}
