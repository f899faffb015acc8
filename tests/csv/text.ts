import fc from 'fast-check';
import { type CsvFault, openRecordReader } from '../../src/csv/records.ts';
import type { Delimiter, Newline } from '../../src/csv/scan.ts';

export interface Records {
  readonly rows: string[][];
  readonly lines: number[];
  readonly fault: CsvFault | null;
}

interface Format {
  readonly delimiter?: Delimiter;
  readonly newline?: Newline;
}

/** Reads slices of a text as the worker does, up to the first fault. */
export function recordsOf(slices: Iterable<string>, format: Format = {}): Records {
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

export function* sliced(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

/** A cell as any program may write it: in quotes where it must be, or where it likes. */
export function written(cell: string, delimiter: Delimiter, likesQuotes: boolean): string {
  const must = /["\r\n]/.test(cell) || cell.includes(delimiter);
  return must || likesQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

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

export const someTable = fc.array(fc.array(someText, { minLength: 1, maxLength: 5 }), {
  maxLength: 8,
});
