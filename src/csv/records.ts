/**
 * Reads CSV that arrives in slices, record by record.
 *
 * Papa Parse reads regular records, which every CSV parser reads alike: each quotation mark opens a cell, is
 * doubled, or closes a cell right before a delimiter or a line break. `RecordScanner` reads all other records.
 * Papa Parse must not get them: it takes quadratic time over marks that close nothing (70 s for 1 MB), and does
 * not tell whether a final `\r` stood inside the quotes.
 */
import Papa from 'papaparse';
import { MAX_COLUMNS, MAX_RECORD_CHARS } from './columns.ts';
import { type Format, type Newline, RecordScanner } from './scan.ts';

/** Why reading stopped: a sentence for the user, and the line, from 1. */
export interface CsvFault {
  readonly reason: 'unclosed-quote' | 'record-too-long' | 'too-many-columns';
  readonly line: number;
  readonly sentence: string;
}

/** @param line where the record begins, from 1, as an editor counts */
export type TakeRecord = (cells: string[], line: number) => void;

/**
 * Reads the record that begins at `at`, if it stands on one line and the caller has a faster way to read it.
 *
 * @returns where the record ends, behind its line break; null when the reader is to read it
 */
export type TakePlain = (text: string, at: number, line: number) => number | null;

export interface RecordReader {
  /** Takes the next characters of the text; ignores them after a fault. */
  push(text: string): CsvFault | null;
  /** Ends the text, and with it the last record. */
  end(): CsvFault | null;
}

/**
 * Characters per scan. The reader scans the text in the same blocks whatever slices `push` gets, so the
 * slices cannot change the result. A record that does not end in its block is scanned again with the
 * next one, at most `MAX_RECORD_CHARS / BLOCK_CHARS` times.
 */
const BLOCK_CHARS = 256 * 1024;

/** A blank line is a record with one empty cell. The last record need not end with a line break. */
export function openRecordReader(
  options: Format & { readonly firstLine: number },
  take: TakeRecord,
  takePlain: TakePlain = () => null,
): RecordReader {
  const scanner = new RecordScanner(options.delimiter, options.newline, options.firstLine);
  /** Scanned text of a record that has not ended yet. */
  let openRecord = '';
  /** Pushed text that has not been scanned yet. */
  let unscanned = '';
  let fault: CsvFault | null = null;

  function scan(): void {
    scanner.load(openRecord + unscanned);
    unscanned = '';
    // Papa Parse would read plain records too, more slowly. So it gets a block only if the block does not
    // begin with a plain record.
    if (!takePlainRecords()) takeRegular();
    while (fault === null) {
      const { at, line } = scanner;
      const cells = scanner.next();
      if (cells === null) break;
      if (scanner.isQuoteBroken) fault = unclosedQuote(line);
      else if (scanner.at - at > MAX_RECORD_CHARS) fault = recordTooLong(line);
      else fault = columnFault(cells, line);
      if (fault) return;
      take(cells, line);
      takePlainRecords();
    }
    if (fault) return;
    openRecord = scanner.text.slice(scanner.at);
    if (openRecord.length > MAX_RECORD_CHARS) {
      fault = scanner.isQuoteOpen ? unclosedQuote(scanner.line) : recordTooLong(scanner.line);
    }
  }

  /** @returns whether there was any plain record */
  function takePlainRecords(): boolean {
    const { at, text } = scanner;
    for (;;) {
      const end = takePlain(text, scanner.at, scanner.line);
      if (end === null) return scanner.at > at;
      scanner.at = end;
      scanner.line += 1;
    }
  }

  /** Lets Papa Parse read the records before the first irregular one. */
  function takeRegular(): void {
    const end = regularEnd(scanner.text, options);
    // In so long a text one record may be too long, which the scanner reports.
    if (end === 0 || end > MAX_RECORD_CHARS) return;
    const text = scanner.text.slice(0, end);
    const records = readRegular(text, options);
    const hasBreaksInCells = records.length < countOf(options.newline, text);
    for (const cells of records) {
      fault = columnFault(cells, scanner.line);
      if (fault) return;
      take(cells, scanner.line);
      scanner.line += 1 + (hasBreaksInCells ? breaksIn(cells, options.newline) : 0);
    }
    scanner.at = end;
  }

  return {
    push(text) {
      for (let at = 0; at < text.length && fault === null;) {
        const piece = text.slice(at, at + BLOCK_CHARS - unscanned.length);
        unscanned += piece;
        at += piece.length;
        if (unscanned.length === BLOCK_CHARS) scan();
      }
      return fault;
    },
    end() {
      if (fault === null) scan();
      if (fault === null && openRecord !== '') {
        // The last record lacks its line break, or its quotes are not closed.
        unscanned = options.newline;
        scan();
        if (fault === null && openRecord !== '') fault = unclosedQuote(scanner.line);
      }
      return fault;
    },
  };
}

/** The index at which the first record begins that is irregular or does not end. */
function regularEnd(text: string, { delimiter, newline }: Format): number {
  let recordStart = 0;
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    // Searches only after the last quotes, because a line break inside them ends no record.
    const lineEnd = lastBetween(text, newline, at, open < 0 ? text.length : open);
    if (lineEnd >= 0) recordStart = Math.max(recordStart, lineEnd + 1);
    if (open < 0 || (open > recordStart && text[open - 1] !== delimiter)) return recordStart;

    let close = text.indexOf('"', open + 1);
    while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close < 0) return recordStart;
    at = close + 2;
    if (text[close + 1] === newline && text[close - 1] !== '\r') recordStart = at;
    else if (text[close + 1] !== delimiter) return recordStart;
  }
}

/** @param text regular records, each with its line break */
function readRegular(text: string, { delimiter, newline }: Format): string[][] {
  const parser = new Papa.Parser({ delimiter, newline });
  const isLastIgnored = true; // the empty record behind the last line break
  // Papa Parse declares `any`; without headings or conversions a record is a list of strings.
  const { data } = parser.parse(text, 0, isLastIgnored) as { data: string[][] };
  // Removes the `\r` of a `\r\n`. It is never inside quotes, or the record would be irregular.
  if (newline === '\n' && text.includes('\r\n')) data.forEach(withoutReturn);
  return data;
}

function withoutReturn(cells: string[]): void {
  const last = cells.at(-1);
  if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1);
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

/** Counts the line breaks inside the cells of a record. */
function breaksIn(cells: readonly string[], newline: Newline): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes(newline)) breaks += cell.match(/\r\n?|\n/g)?.length ?? 0;
  }
  return breaks;
}

function columnFault(cells: readonly string[], line: number): CsvFault | null {
  if (cells.length <= MAX_COLUMNS) return null;
  // Spreadsheets pad rows with any number of empty cells.
  return cells.some((cell, i) => i >= MAX_COLUMNS && cell !== '') ? tooManyColumns(line) : null;
}

/** Also used when quotation marks do not pair up: a guess where they close could lose rows. */
export function unclosedQuote(line: number): CsvFault {
  return {
    reason: 'unclosed-quote',
    line,
    sentence:
      `A quotation mark (") that opens in the row on line ${line} is never closed, so the rows ` +
      'below would run into it. Open the file in a text editor, remove that mark, or write it ' +
      'twice where it belongs to the text, and choose the file again.',
  };
}

function recordTooLong(line: number): CsvFault {
  return {
    reason: 'record-too-long',
    line,
    sentence:
      `The row on line ${line} has more than ${MAX_RECORD_CHARS.toLocaleString('en')} characters, ` +
      'so this is probably not a table of products. Save it again as CSV and choose the new file.',
  };
}

export function tooManyColumns(line: number): CsvFault {
  return {
    reason: 'too-many-columns',
    line,
    sentence:
      `The row on line ${line} has more than ${MAX_COLUMNS} columns. Remove the columns that the ` +
      'shop does not need, and choose the file again.',
  };
}
