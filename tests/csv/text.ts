/** Texts and tables for the tests of the CSV reader, and how they are read in slices. */
import fc from 'fast-check';
import { readLayout } from '../../src/csv/layout.ts';
import type { CsvFault } from '../../src/csv/faults.ts';
import { openRecordReader } from '../../src/csv/records.ts';
import { DETECT_LAYOUT, type LayoutChoice } from '../../src/csv/remembered.ts';
import type { Delimiter, Format } from '../../src/csv/format.ts';

/** What the reader has read; `lines` has the line on which each row begins. */
interface Records {
  readonly rows: string[][];
  readonly lines: number[];
  readonly fault: CsvFault | null;
}

/** Reads slices of a text as the worker does, up to the first fault. */
export function recordsOf(slices: Iterable<string>, format: Partial<Format> = {}): Records {
  const { delimiter = ',', newline = '\n' } = format;
  const rows: string[][] = [];
  const lines: number[] = [];
  const reader = openRecordReader({ delimiter, newline, firstLine: 1 }, (cells, line) => {
    rows.push(cells);
    lines.push(line);
  });
  for (const slice of slices) {
    const fault = reader.push(slice);
    if (fault) return { rows, lines, fault };
  }
  return { rows, lines, fault: reader.end() };
}

/** The layout of a file and its columns; what is not chosen is detected. @throws where it has none */
export function layoutIn(text: string, choice: Partial<LayoutChoice> = {}) {
  const outcome = readLayout(text, { ...DETECT_LAYOUT, ...choice });
  if (outcome.kind !== 'layout') throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** The text in slices of this length. */
export function* sliced(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

/** A cell as a program may write it: in quotes where CSV demands them, or always. */
export function writtenCell(cell: string, delimiter: Delimiter, alwaysQuotes = false): string {
  const needsQuotes = /["\r\n]/.test(cell) || cell.includes(delimiter);
  return needsQuotes || alwaysQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A price as the shop stores it: `12.50`. `Intl.NumberFormat` takes this type without rounding. */
export const somePrice = fc
  .bigInt({ min: 0n, max: 999_999_999_999n })
  .map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}` as `${number}`);

/** Texts full of what CSV treats specially, and of characters beyond ASCII and the BMP. */
export const someText = fc
  .array(
    fc.constantFrom(
      ...Array.from('",;\t|\n\r \'=+-@#aB0éß中ي＝\u00a0\u200b\ufffd👗'),
      '""',
      '\r\n',
      '12.50',
      '👩‍🦱',
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

/** Tables of such texts. */
export const someTable = fc.array(fc.array(someText, { minLength: 1, maxLength: 5 }), {
  maxLength: 8,
});
