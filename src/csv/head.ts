/** The first rows of a file, and which of them holds the headings. */
import { meaningOf } from './aliases.ts';
import { areOwnHeadings } from './columns.ts';
import { remembersRow } from './file-table.ts';
import type { LayoutChoice } from './remembered.ts';
import { type Format, RecordScanner } from './scan.ts';

/** One of the first rows, read under one delimiter: it may hold the headings. */
export interface Candidate extends Format {
  readonly cells: readonly string[];
  readonly line: number;
  /** Where the next record begins. */
  readonly end: number;
  readonly endLine: number;
  /** How many cells are not blank. */
  readonly filled: number;
  /** How many different fields its cells name, and whether one is the stock code. */
  readonly meant: number;
  readonly hasStockCode: boolean;
}

export interface Head {
  readonly rows: readonly Candidate[];
  /** The line of a quotation mark that is never closed. */
  readonly unclosedAt: number | null;
}

/** How many rows may hold the headings: titles, dates and blank lines may stand above them. */
const HEAD_RECORDS = 20;

/** Reads the first rows, up to a quotation mark on line `unclosedAt` that is never closed. */
export function readHead(format: Format, text: string, start: number, firstLine: number): Head {
  const scanner = new RecordScanner(format.delimiter, format.newline, firstLine);
  scanner.load(text);
  scanner.at = start;
  const rows: Candidate[] = [];
  while (rows.length < HEAD_RECORDS && scanner.at < text.length) {
    const { line } = scanner;
    const cells = scanner.next();
    if (cells === null || scanner.isQuoteBroken) return { rows, unclosedAt: line };
    const meanings = cells.map(meaningOf).filter((meaning) => meaning !== null);
    const meant = new Set(meanings.map((meaning) => meaning.column ?? meaning.loose));
    rows.push({
      ...format,
      cells,
      line,
      end: scanner.at,
      endLine: scanner.line,
      filled: cells.filter((cell) => cell.trim() !== '').length,
      meant: meant.size,
      hasStockCode: meant.has('SKC'),
    });
  }
  return { rows, unclosedAt: null };
}

/** The row with the headings, or the line of the quotation mark that opens before it and is never closed. */
export function headerAmong(
  heads: readonly Head[],
  { headerLine, columns, remembered }: LayoutChoice,
): { readonly header: Candidate; readonly head: Head } | number {
  const rows = heads.flatMap((head) => head.rows);
  const known = likeliest(rows);
  const header =
    rows.find(({ line }) => line === headerLine) ??
    heads.map((head) => head.rows[0]).find((row) => row && areOwnHeadings(row.cells)) ??
    (columns === null ? rows.find(({ cells }) => remembersRow(remembered, cells)) : undefined) ??
    likeliest(rows.filter(({ hasStockCode }) => hasStockCode)) ??
    // A title may happen to read like one heading.
    (known && known.meant > 1 ? known : undefined);
  const headOf = (row: Candidate) => heads.find((head) => head.rows.includes(row));
  if (header) return { header, head: headOf(header)! }; // `rows` are those of `heads`
  // Where no heading is known, an open quotation mark is the likelier fault.
  const bestHead = (known && headOf(known)) ?? heads[0];
  if (!known?.meant && bestHead && bestHead.unclosedAt !== null) return bestHead.unclosedAt;
  const [head] = heads
    .filter(({ rows: { length } }) => length > 0)
    .sort((a, b) => regularity(b) - regularity(a));
  return head ? { header: firstFullRow(head), head } : 1; // without a row, the mark is in the first
}

/** The row with the most known columns; among equals the one with the most filled cells. */
function likeliest(rows: readonly Candidate[]): Candidate | null {
  const [best = null] = rows.toSorted((a, b) => b.meant - a.meant || b.filled - a.filled);
  return best;
}

/** How many rows have the commonest number of cells; rows of a single cell show no delimiter. */
function regularity({ rows }: Head): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The first row that is nearly as full as the fullest: titles have a cell or two. */
function firstFullRow({ rows }: Head): Candidate {
  const fullest = Math.max(...rows.map(({ filled }) => filled));
  return rows.find(({ filled }) => filled >= fullest * 0.6)!; // the fullest row is one
}
