/**
 * The layout of a file: its delimiter, the place of its headings, and their meaning.
 *
 * The delimiter is the one under which a row reads as headings with a stock code. Counting characters
 * would take `SKC;Preis` above `A1;12,50` for comma-separated.
 */
import { unclosedQuote, tooManyColumns } from './records.ts';
import { type Delimiter, DELIMITERS, type Newline, RecordScanner } from './scan.ts';
import { columnOf, IMPORT_COLUMNS, type ImportColumn, MAX_COLUMNS } from './columns.ts';

export interface Layout {
  readonly delimiter: Delimiter;
  readonly newline: Newline;
  readonly headerLine: number;
  /** By position in the file; null for a column that is not read. */
  readonly columns: readonly (ImportColumn | null)[];
  /** By position in the file, trimmed but otherwise as they stand there. */
  readonly headers: readonly string[];
  /** The headings of columns that are not read. */
  readonly ignored: readonly string[];
  /** Characters before the first record of data (byte order mark, `sep=`, titles, headings). */
  readonly bodyStart: number;
  /** The line of the first record of data. */
  readonly bodyLine: number;
}

/** A question for the user: several columns of the file could mean one field. */
export interface ColumnQuestion {
  readonly column: ImportColumn;
  readonly headers: readonly { readonly index: number; readonly header: string }[];
}

export type LayoutOutcome =
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'ask-columns'; readonly questions: readonly ColumnQuestion[] }
  | {
      readonly kind: 'fault';
      readonly fault: { readonly sentence: string; readonly line: number | null };
    };

export interface LayoutChoice {
  /** Null to detect it. */
  readonly delimiter: Delimiter | null;
  /** For fields that several columns could mean: the user's choice, counted from 0. */
  readonly columns: Readonly<Partial<Record<ImportColumn, number>>>;
}

/** One of the first rows, read under one delimiter: it may hold the headings. */
interface Candidate {
  readonly delimiter: Delimiter;
  readonly newline: Newline;
  readonly cells: readonly string[];
  readonly line: number;
  /** Where the next record begins. */
  readonly end: number;
  readonly endLine: number;
  /** The columns that its cells mean, each once. */
  readonly meant: ReadonlySet<ImportColumn>;
}

/** How many rows may hold the headings: titles, dates and blank lines may stand above them. */
const HEAD_RECORDS = 20;

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
  const detected = separator ? [separator, ...DELIMITERS] : DELIMITERS;
  const heads = (choice.delimiter ? [choice.delimiter] : detected).map((delimiter) =>
    readHead({ delimiter, newline }, sample + newline, start, firstLine),
  );
  const rows = heads.flatMap((head) => head.rows);
  const header = likeliest(rows.filter(({ meant }) => meant.has('SKC')));
  if (header) return layoutOf(header, choice, sample.length);

  const best = likeliest(rows);
  const head = heads.find(({ rows }) => best === null || rows.includes(best));
  // Where no heading is known, an open quotation mark is the likelier fault.
  const unclosedAt = best?.meant.size ? null : (head?.unclosedAt ?? null);
  if (unclosedAt !== null) return { kind: 'fault', fault: unclosedQuote(unclosedAt) };
  return missingStockCode(best);
}

/**
 * Detects the line break: the first outside quotes. If a stray quotation mark quotes the whole rest,
 * any line break counts. Programs that convert line ends twice write `\r\r\n`, which counts as `\n`.
 */
function newlineOf(sample: string, start: number): Newline {
  let isQuoted = false;
  for (const [mark] of sample.slice(start).matchAll(/"|\r*\n|\r/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) return mark === '\r' ? '\r' : '\n';
  }
  return sample.includes('\r') && !sample.includes('\n') ? '\r' : '\n';
}

/** Reads the first rows, up to a quotation mark on line `unclosedAt` that is never closed. */
function readHead(
  format: { readonly delimiter: Delimiter; readonly newline: Newline },
  text: string,
  start: number,
  firstLine: number,
): { rows: Candidate[]; unclosedAt: number | null } {
  const scanner = new RecordScanner(format.delimiter, format.newline, firstLine);
  scanner.load(text);
  scanner.at = start;
  const rows: Candidate[] = [];
  while (rows.length < HEAD_RECORDS && scanner.at < text.length) {
    const { line } = scanner;
    const cells = scanner.next();
    if (cells === null || scanner.isQuoteBroken) return { rows, unclosedAt: line };
    const meant = new Set(cells.map(columnOf).filter((column) => column !== null));
    rows.push({ ...format, cells, line, meant, end: scanner.at, endLine: scanner.line });
  }
  return { rows, unclosedAt: null };
}

/** The first row with the most known columns; among equals the one with the most filled cells. */
function likeliest(rows: readonly Candidate[]): Candidate | null {
  const filled = ({ cells }: Candidate) => cells.filter((cell) => cell.trim() !== '').length;
  const [best = null] = rows.toSorted(
    (a, b) => b.meant.size - a.meant.size || filled(b) - filled(a),
  );
  return best;
}

function layoutOf(header: Candidate, choice: LayoutChoice, sampleChars: number): LayoutOutcome {
  const headers = header.cells.map((cell) => cell.trim());
  if (headers.filter((name) => name !== '').length > MAX_COLUMNS) {
    return { kind: 'fault', fault: tooManyColumns(header.line) };
  }
  const columns = headers.map(columnOf);
  const questions: ColumnQuestion[] = [];
  for (const column of IMPORT_COLUMNS) {
    const candidates = headers.flatMap((name, index) =>
      columns[index] === column ? [{ index, header: name }] : [],
    );
    const chosen = choice.columns[column];
    if (candidates.some(({ index }) => index === chosen)) {
      for (const { index } of candidates) if (index !== chosen) columns[index] = null;
    } else if (candidates.length > 1) questions.push({ column, headers: candidates });
  }
  if (questions.length > 0) return { kind: 'ask-columns', questions };
  return {
    kind: 'layout',
    layout: {
      delimiter: header.delimiter,
      newline: header.newline,
      headerLine: header.line,
      columns,
      headers,
      ignored: headers.filter((name, i) => name !== '' && columns[i] === null),
      bodyStart: Math.min(header.end, sampleChars),
      bodyLine: header.endLine,
    },
  };
}

function missingStockCode(best: Candidate | null): LayoutOutcome {
  const names = (best?.cells ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  const shown = names.slice(0, 6).map((name) => `“${shortHeading(name)}”`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return fault(
    'There is no column with the stock code. ' +
      (best ? `Line ${best.line} reads ${shown.join(', ')}${more}. ` : '') +
      'Write “SKC” above the column with the stock codes (“Stock code”, “SKU” and “Item code” are ' +
      'understood too), save the file as CSV and choose it again.',
    best?.line ?? null,
  );
}

/** Shortens a heading for a sentence. */
export function shortHeading(name: string): string {
  const text = name.replace(/\s+/g, ' ');
  return text.length > 30 ? `${text.slice(0, 29).toWellFormed()}…` : text;
}

function fault(sentence: string, line: number | null): LayoutOutcome {
  return { kind: 'fault', fault: { sentence, line } };
}
