/**
 * Reads CSV that arrives in slices, record by record, with Papa Parse.
 *
 * A quotation mark that is the first character of a cell opens it. Inside, a doubled mark stands for one; a mark
 * that has only white space between it and the next delimiter or line break closes the cell. Any other mark
 * inside means that the marks of the file do not pair up, and the reading stops at that line. Such a text never
 * reaches Papa Parse, which takes quadratic time over marks that close nothing (70 s for 1 MB).
 */
import Papa from 'papaparse';
import { MAX_RECORD_CHARS } from './columns.ts';
import { columnFault, type CsvFault, recordTooLong, unclosedQuote } from './faults.ts';
import type { Format, Newline } from './format.ts';

/** @param line where the record begins, from 1, as an editor counts */
export type TakeRecord = (cells: string[], line: number) => void;

export interface RecordReader {
  /** Takes the next characters of the text; ignores them after a fault. */
  push(text: string): CsvFault | null;
  /** Ends the text, and with it the last record. */
  end(): CsvFault | null;
}

/** Characters per scan. An open record is scanned again with the next block, so blocks must not be small. */
const BLOCK_CHARS = 256 * 1024;

/** A blank line is a record with one empty cell. The last record need not end with a line break. */
export function openRecordReader(
  options: Format & { readonly firstLine: number },
  take: TakeRecord,
): RecordReader {
  let line = options.firstLine;
  /** The text behind the last record that was taken. */
  let rest = '';
  /** Pushed pieces that are not in `rest` yet. */
  let pieces: string[] = [];
  let pieceChars = 0;
  let fault: CsvFault | null = null;

  function scan(): void {
    rest += pieces.join('');
    pieces = [];
    pieceChars = 0;
    const whole = wholeRecords(rest, options);
    const { end, state } = whole;
    takeAll(rest.slice(0, end), whole);
    rest = rest.slice(end);
    if (fault) return;
    if (state === 'broken') fault = unclosedQuote(line);
    else if (rest.length > MAX_RECORD_CHARS)
      fault = state === 'open' ? unclosedQuote(line) : recordTooLong(line);
  }

  function takeAll(text: string, whole: WholeRecords): void {
    if (text === '') return;
    // `parseRecords` would drop a `\r` from inside the quotes of a last cell.
    const records =
      whole.quotedReturns.size > 0
        ? parseOneByOne(text, 0, options, whole).map(({ cells }) => cells)
        : parseRecords(text, options);
    const hasBreaksInCells = records.length < countOf(options.newline, text);
    const mayBeTooLong = text.length > MAX_RECORD_CHARS;
    for (const cells of records) {
      fault = columnFault(cells, line);
      if (mayBeTooLong && isTooLong(cells)) fault ??= recordTooLong(line);
      if (fault) return;
      take(cells, line);
      line += 1 + (hasBreaksInCells ? breaksIn(cells, options.newline) : 0);
    }
  }

  return {
    push(text) {
      if (fault) return fault;
      pieces.push(text);
      pieceChars += text.length;
      if (pieceChars >= BLOCK_CHARS) scan();
      return fault;
    },
    end() {
      if (fault === null) scan();
      if (fault === null && rest !== '') {
        // The last record lacks its line break, or its quotes are not closed.
        pieces = [options.newline];
        scan();
        if (fault === null && rest !== '') fault = unclosedQuote(line);
      }
      return fault;
    },
  };
}

/** A record, and what a reader needs to go on behind it. */
export interface FirstRecord {
  readonly cells: string[];
  /** From 1. */
  readonly line: number;
  /** Where the next record begins in the text, and on which line. */
  readonly end: number;
  readonly endLine: number;
}

/**
 * Reads up to `count` records from `start` on.
 *
 * @returns also the line of a quotation mark that is never closed, where it ends the records; else null
 */
export function firstRecords(
  text: string,
  start: number,
  { firstLine, ...format }: Format & { readonly firstLine: number },
  count: number,
): { readonly records: readonly FirstRecord[]; readonly unclosedAt: number | null } {
  const whole = wholeRecords(text, format, start);
  const records = parseOneByOne(text, start, format, whole, { firstLine, count });
  const isAtEnd = records.length < count && whole.state !== 'sound';
  return { records, unclosedAt: isAtEnd ? (records.at(-1)?.endLine ?? firstLine) : null };
}

/** Reads whole records with the places at which they end. Slower than `parseRecords`. */
function parseOneByOne(
  text: string,
  start: number,
  { delimiter, newline }: Format,
  { end, quotedReturns }: WholeRecords,
  { firstLine = 1, count = Number.POSITIVE_INFINITY } = {},
): FirstRecord[] {
  const parser = new Papa.Parser({ delimiter, newline, preview: 1, fastMode: false });
  const records: FirstRecord[] = [];
  let at = start;
  let line = firstLine;
  while (records.length < count && at < end) {
    // A piece, because Papa Parse searches what it is given to its end. A longer record is read from the whole.
    const piece = text.slice(at, Math.min(end, at + PREVIEW_CHARS));
    const isWhole = wholeRecords(piece, { delimiter, newline }).end > 0;
    const source = isWhole ? piece : text.slice(at, end);
    const { data, meta } = parser.parse(source, 0, IS_LAST_IGNORED) as Papa.ParseResult<string[]>;
    const cells = data[0] ?? [''];
    at += meta.cursor;
    if (!quotedReturns.has(at)) dropReturns(cells, newline);
    const endLine = line + 1 + breaksIn(cells, newline);
    records.push({ cells, line, end: at, endLine });
    line = endLine;
  }
  return records;
}

const PREVIEW_CHARS = 64 * 1024;
/** Papa Parse then leaves out the empty record behind the last line break. */
const IS_LAST_IGNORED = true;

interface WholeRecords {
  /** Where the first record begins that does not end in the text, or is broken. */
  readonly end: number;
  /** Whether that record has a cell whose quotation marks are `open`, or do not pair up (`broken`). */
  readonly state: 'sound' | 'open' | 'broken';
  /** The ends of records whose last cell has a `\r` just before the mark that closes it. */
  readonly quotedReturns: ReadonlySet<number>;
}

/** Reads every character a fixed number of times, whatever the text. */
function wholeRecords(text: string, { delimiter, newline }: Format, start = 0): WholeRecords {
  const quotedReturns = new Set<number>();
  let end = start;
  let at = start;
  for (;;) {
    const open = text.indexOf('"', at);
    // Searches only after the last quotes, because a line break inside them ends no record.
    const lineEnd = lastBetween(text, newline, at, open < 0 ? text.length : open);
    if (lineEnd >= 0) end = Math.max(end, lineEnd + 1);
    if (open < 0) return { end, state: 'sound', quotedReturns };
    if (open > end && text[open - 1] !== delimiter) {
      at = open + 1; // a letter like any other, in a cell without quotes
      continue;
    }
    let close = text.indexOf('"', open + 1);
    while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close < 0) return { end, state: 'open', quotedReturns };
    const next = skipSpace(text, close + 1, { delimiter, newline });
    if (next === text.length) return { end, state: 'open', quotedReturns };
    if (text[next] === newline) {
      end = next + 1;
      if (text[close - 1] === '\r') quotedReturns.add(end);
    } else if (text[next] !== delimiter) return { end, state: 'broken', quotedReturns };
    at = next + 1;
  }
}

/** Returns where the white space after a closing mark ends. */
function skipSpace(text: string, at: number, { delimiter, newline }: Format): number {
  let end = at;
  for (; end < text.length; end++) {
    const char = text[end];
    if (char !== ' ' && char !== '\t' && char !== '\r') break;
    if (char === delimiter || char === newline) break; // a tab or `\r` can be one
  }
  return end;
}

/** @param text whole records, each with its line break, whose quotation marks pair up */
function parseRecords(text: string, format: Format): string[][] {
  const parser = new Papa.Parser(format);
  // Papa Parse declares `any`; without headings or conversions a record is a list of strings.
  const { data } = parser.parse(text, 0, IS_LAST_IGNORED) as { data: string[][] };
  if (text.includes('\r\n')) for (const cells of data) dropReturns(cells, format.newline);
  return data;
}

/** Removes the `\r` of a `\r\n`. Programs that convert line ends twice write `\r\r\n`. */
function dropReturns(cells: string[], newline: Newline): void {
  const last = cells.at(-1) ?? '';
  if (newline === '\r' || !last.endsWith('\r')) return;
  let end = last.length;
  while (last[end - 1] === '\r') end -= 1;
  cells[cells.length - 1] = last.slice(0, end);
}

function lastBetween(text: string, newline: Newline, start: number, end: number): number {
  const index = text.slice(start, end).lastIndexOf(newline);
  return index < 0 ? -1 : start + index;
}

function countOf(newline: Newline, text: string): number {
  let count = 0;
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Counts the line breaks inside cells, `\r\n` as one. A cell without a break of the file's kind counts none. */
function breaksIn(cells: readonly string[], newline: Newline): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes(newline)) breaks += cell.match(/\r\n?|\n/g)?.length ?? 0;
  }
  return breaks;
}

function isTooLong(cells: readonly string[]): boolean {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0) > MAX_RECORD_CHARS;
}
