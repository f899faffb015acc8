/** The first rows of a file, and which of them holds the headings. */
import { meaningOf } from './aliases.ts';
import { areOwnHeadings } from './columns.ts';
import { remembersRow } from './file-table.ts';
import { type LayoutChoice, NO_HEADINGS } from './remembered.ts';
import type { Format } from './format.ts';
import { type FirstRecord, firstRecords } from './records.ts';

/** One of the first rows of a file, read under one delimiter. It may hold the headings. */
export interface Candidate extends Format, FirstRecord {
  /** How many cells are not blank. */
  readonly filled: number;
  /** How many different columns of the shop have an alias in these cells. */
  readonly knownColumns: number;
  /** Whether the stock code is one of these columns. */
  readonly hasStockCode: boolean;
}

/** The first rows of a file, read under one delimiter. */
export interface FileHead {
  readonly rows: readonly Candidate[];
  /** Where the first row begins. */
  readonly start: number;
  /** The line of a quotation mark that is never closed, which ends the rows; null for none. */
  readonly unclosedAt: number | null;
}

/** How many rows may hold the headings: titles, dates and blank lines may stand above them. */
const HEAD_RECORDS = 20;

export function readHead(format: Format, text: string, start: number, firstLine: number): FileHead {
  const read = firstRecords(text, start, { ...format, firstLine }, HEAD_RECORDS);
  const rows = read.records.map((record) => {
    const meanings = record.cells.map(meaningOf).filter((meaning) => meaning !== null);
    const columns = new Set(meanings.map((meaning) => meaning.column ?? meaning.unnumbered));
    return {
      ...format,
      ...record,
      filled: record.cells.filter((cell) => cell.trim() !== '').length,
      knownColumns: columns.size,
      hasStockCode: columns.has('SKC'),
    };
  });
  return { rows, start, unclosedAt: read.unclosedAt };
}

export type HeaderOutcome =
  | { readonly kind: 'header'; readonly header: Candidate; readonly head: FileHead }
  /** Before any heading a quotation mark opens on this line, and is never closed. */
  | { readonly kind: 'unclosed-quote'; readonly line: number };

/**
 * Finds the row with the headings: the one that the user has chosen; else a first row of the shop's own
 * headings; else one for which a match is remembered; else the likeliest. If the user says that the file has no
 * headings, it is a row of blank headings above the first row.
 *
 * @param heads the first rows of the file, once for each delimiter that it may have; at least one
 */
export function findHeader(
  heads: readonly FileHead[],
  { headerLine, columns, remembered }: LayoutChoice,
): HeaderOutcome {
  const rows = heads.flatMap((head) => head.rows);
  const likeliestRow = likeliest(rows);
  const header =
    rows.find(({ line }) => line === headerLine) ??
    heads.map((head) => head.rows[0]).find((row) => row && areOwnHeadings(row.cells)) ??
    // When the user has chosen columns, what is remembered no longer counts.
    (columns === null ? rows.find(({ cells }) => remembersRow(remembered, cells)) : undefined) ??
    likeliest(rows.filter(({ hasStockCode }) => hasStockCode)) ??
    // A title may happen to read like one heading.
    (likeliestRow && likeliestRow.knownColumns > 1 ? likeliestRow : undefined);
  const headOf = (row: Candidate) => heads.find((head) => head.rows.includes(row));
  // Where no heading is known, the delimiter is the one under which the rows are most regular.
  const [mostRegular] = heads
    .filter(({ rows: { length } }) => length > 0)
    .sort((a, b) => regularity(b) - regularity(a));
  if (headerLine === NO_HEADINGS && mostRegular) {
    return { kind: 'header', header: blankHeadings(mostRegular), head: mostRegular };
  }
  if (header) return { kind: 'header', header, head: headOf(header)! }; // `rows` are those of `heads`
  const likeliestHead = (likeliestRow && headOf(likeliestRow)) ?? heads[0];
  const line = likeliestHead?.unclosedAt ?? null;
  // No heading is known: the quotation mark that is never closed has probably swallowed them.
  if (!likeliestRow?.knownColumns && line !== null) return { kind: 'unclosed-quote', line };
  // Without any row, the first record has the open quotation mark.
  if (!mostRegular) return { kind: 'unclosed-quote', line: line ?? 1 };
  return { kind: 'header', header: firstFullRow(mostRegular), head: mostRegular };
}

/** As many blank headings as the widest of the first rows has cells. */
function blankHeadings({ rows, start }: FileHead): Candidate {
  const first = rows[0]!; // `findHeader` has left out heads without rows
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const cells = Array.from({ length: width }, () => '');
  return { ...first, cells, line: NO_HEADINGS, end: start, endLine: first.line };
}

/** The row with the most known columns; among equals the one with the most filled cells. */
function likeliest(rows: readonly Candidate[]): Candidate | null {
  const [best = null] = rows.toSorted(
    (a, b) => b.knownColumns - a.knownColumns || b.filled - a.filled,
  );
  return best;
}

/** How many rows have the most frequent number of cells. Rows of one cell do not count: they show no delimiter. */
function regularity({ rows }: FileHead): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Titles above the headings fill a cell or two, the headings at least this share of the fullest row. */
const FULL_SHARE = 0.6;

/** The first row that is nearly as full as the fullest. */
function firstFullRow({ rows }: FileHead): Candidate {
  const fullest = Math.max(...rows.map(({ filled }) => filled));
  return rows.find(({ filled }) => filled >= fullest * FULL_SHARE)!; // the fullest row has as many
}
