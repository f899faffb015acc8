/**
 * Regular records, which every CSV parser reads alike: each quotation mark opens a cell, is doubled, or
 * closes a cell right before a delimiter or a line break. Papa Parse reads these. It must not get
 * others: it takes quadratic time over marks that close nothing (70 s for 1 MB), and does not tell
 * whether a final `\r` stood inside the quotes.
 */
import Papa from 'papaparse';
import type { Delimiter, Newline } from './scan.ts';

export interface Format {
  readonly delimiter: Delimiter;
  readonly newline: Newline;
}

/** The index at which the first record begins that is irregular or does not end. */
export function regularEnd(text: string, { delimiter, newline }: Format): number {
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
export function readRegular(text: string, { delimiter, newline }: Format): string[][] {
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
