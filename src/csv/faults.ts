/** Why a text cannot be read as CSV. */
import { formatCount } from '../domain/count.ts';
import { MAX_COLUMNS, MAX_RECORD_CHARS } from './columns.ts';

/** Why reading stopped: a sentence for the user, and the line, from 1. */
export interface CsvFault {
  readonly reason: 'unclosed-quote' | 'record-too-long' | 'too-many-columns';
  readonly line: number;
  readonly sentence: string;
}

export function columnFault(cells: readonly string[], line: number): CsvFault | null {
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
      `The opening quotation mark (") on line ${line} is never closed. Open the file in a text ` +
      'editor and remove the mark, or write it twice if it’s part of the text. Then choose the ' +
      'file again.',
  };
}

export function recordTooLong(line: number): CsvFault {
  return {
    reason: 'record-too-long',
    line,
    sentence:
      `The row on line ${line} has more than ${formatCount(MAX_RECORD_CHARS)} characters, ` +
      'so the file probably isn’t a product list. Save it again as CSV and choose the new file.',
  };
}

export function tooManyColumns(line: number): CsvFault {
  return {
    reason: 'too-many-columns',
    line,
    sentence:
      `The row on line ${line} has more than ${MAX_COLUMNS} columns. Remove the columns ` +
      'you don’t need and choose the file again.',
  };
}
