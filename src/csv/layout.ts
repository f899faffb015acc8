/**
 * The layout of a file: its delimiter, the place of its headings, and their meaning.
 *
 * The delimiter is the one under which a row reads as headings with a stock code. Counting characters does
 * not tell: a file with semicolons can have as many commas, in prices such as `12,50`. Where no heading is
 * known, the delimiter is the one under which most of the first rows have the same number of cells.
 */
import { IMPORT_COLUMNS, type ImportColumn, MAX_COLUMNS } from './columns.ts';
import {
  columnsWithSamples,
  type FileTable,
  matchOf,
  questionsAbout,
  shownRow,
} from './file-table.ts';
import { findHeader, readHead } from './head.ts';
import { unclosedQuote, tooManyColumns } from './faults.ts';
import type { LayoutChoice } from './remembered.ts';
import { DELIMITERS, type Format, type Newline } from './format.ts';

export interface Layout extends Format {
  /** The line of the headings, from 1. */
  readonly headerLine: number;
  /** By position in the file: the shop's column; null where the file's column is not read. */
  readonly columns: readonly (ImportColumn | null)[];
  /** The headings by position in the file, trimmed. */
  readonly headers: readonly string[];
  /** Whether the first categories are paths, such as `Women > Dresses` or `Default Category/Men`. */
  readonly hasPaths: boolean;
  /** How many characters stand before the first record of data (byte order mark, `sep=`, titles, headings). */
  readonly bodyStart: number;
  /** The line of the first record of data. */
  readonly bodyLine: number;
}

/**
 * Where a column stands in the file; -1 if the file has no such column.
 *
 * @param column an index of `IMPORT_COLUMNS`, or `WHOLE_ROW`, which stands nowhere
 */
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

/** A first line such as `sep=;`, which tells Excel the delimiter; `[^\S\r\n]` is white space within the line. */
const SEPARATOR_LINE = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i;

/** Detects what the user has not chosen. @param sample the first MiB of the text or more, or all of it */
export function readLayout(sample: string, choice: LayoutChoice): LayoutOutcome {
  const byteOrderMark = sample.startsWith('\ufeff') ? 1 : 0;
  const separatorLine = SEPARATOR_LINE.exec(sample.slice(byteOrderMark));
  const separator = DELIMITERS.find((delimiter) => delimiter === separatorLine?.[1]);
  const start = byteOrderMark + (separatorLine?.[0].length ?? 0);
  const firstLine = separatorLine ? 2 : 1;
  if (sample.slice(start).trim() === '') return fault('This file is empty.', null);

  const newline = newlineOf(sample, start);
  const text = sample + newline; // the scanner ends a row at a line break only
  const likely = separator ? [separator, ...DELIMITERS] : DELIMITERS;
  const heads = (choice.delimiter ? [choice.delimiter] : likely).map((delimiter) =>
    readHead({ delimiter, newline }, text, start, firstLine),
  );
  const outcome = findHeader(heads, choice);
  if (outcome.kind === 'unclosed-quote') {
    return { kind: 'fault', fault: unclosedQuote(outcome.line) };
  }
  const { header, head } = outcome;
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
    questions: questionsAbout(match, headers, fileColumns),
    origin,
  };
  if (table.questions.length > 0) return { kind: 'ask-columns', table };
  const columnAt = (index: number) => IMPORT_COLUMNS.findLast((column) => match[column] === index);
  return {
    kind: 'layout',
    layout: {
      delimiter: header.delimiter,
      newline: header.newline,
      headerLine: header.line,
      columns: headers.map((_, index) => columnAt(index) ?? null),
      headers,
      hasPaths: fileColumns.some(
        ({ index, samples }) => index === match['Category 1'] && samples.some(isPath),
      ),
      bodyStart: Math.min(header.end, sample.length),
      bodyLine: header.endLine,
    },
    table,
  };
}

function isPath(category: string): boolean {
  return / > |^Default Category(?:\/|,|$)/.test(category);
}

/**
 * Detects the line break by the first one outside quotes. If a stray quotation mark makes all of the sample
 * look quoted, any line break counts. Programs that convert line ends twice write `\r\r\n`, which counts as `\n`.
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
