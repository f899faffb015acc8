/** The columns of a file as the user sees them, and with which field of the shop each is matched. */
import { columnOf, isHandle, isId } from './aliases.ts';
import { areOwnHeadings, IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import { candidatesFor, matchHeadings } from './match.ts';
import {
  applyRemembered,
  type LayoutChoice,
  type Match,
  type RememberedMatch,
} from './remembered.ts';
import type { Delimiter, Format } from './format.ts';
import { firstRecords } from './records.ts';

export interface FileColumn {
  readonly index: number;
  readonly header: string;
  /** Its first values, each once, shortened. */
  readonly samples: readonly string[];
  /** Whether the first rows have at least two values, and all differ. */
  readonly isDistinct: boolean;
}

/** A field whose column the user must name; each of the `candidates` could hold it. */
export interface ColumnQuestion {
  readonly column: ImportColumn;
  readonly candidates: readonly number[];
}

export interface FileTable {
  readonly delimiter: Delimiter;
  /** The line of the headings, from 1; `NO_HEADINGS` where the file has none. */
  readonly headerLine: number;
  /** The first rows, each of which may hold the headings. */
  readonly rows: readonly { readonly line: number; readonly text: string }[];
  /** The columns with a heading or a value. Their `index` counts all columns of the file, from 0. */
  readonly columns: readonly FileColumn[];
  readonly match: Match;
  /** What the import must know before it can read the rows. */
  readonly questions: readonly ColumnQuestion[];
  /** How the match came about: by the `headings`, `chosen` for this file, or remembered. */
  readonly origin: 'headings' | 'chosen' | RememberedMatch;
}

/** How many rows are searched for samples of the columns. */
const SAMPLE_RECORDS = 50;
/** The most samples of a column, and the most characters of one. */
const MOST_SAMPLES = 3;
const SAMPLE_CHARS = 40;

/** The user's choice, else a remembered match for these headings, else what the headings mean. */
export function matchOf(
  headers: readonly string[],
  fileColumns: readonly FileColumn[],
  { headerLine, columns, remembered }: LayoutChoice,
): Pick<FileTable, 'match' | 'origin'> {
  const byHeadings = withoutPoorCode(matchHeadings(headers), fileColumns);
  if (columns !== null) {
    return { match: merged(columns, byHeadings, headers.length), origin: 'chosen' };
  }
  // The shop's own headings always mean what they say.
  for (const origin of areOwnHeadings(headers) ? [] : remembered) {
    const match = applyRemembered(origin, headers);
    if (match) return { match: { ...byHeadings, ...match }, origin };
  }
  return { match: byHeadings, origin: headerLine === null ? 'headings' : 'chosen' };
}

/**
 * Takes the stock code's column back (null), so that the user is asked, where another column serves better: a
 * shop without stock codes gets an export whose column for them is blank, and the codes of one column may repeat
 * while those of another, as `article_id`, do not.
 */
function withoutPoorCode(match: Match, fileColumns: readonly FileColumn[]): Match {
  const code = fileColumns.find(({ index }) => index === match.SKC);
  if (!code) return match;
  const others = fileColumns.filter((column) => column !== code && mayBeCode(column.header));
  const isBlank = code.samples.length === 0 && others.some(({ samples }) => samples.length > 0);
  // Beside a column of sizes a code repeats, once for each size.
  const hasSize = typeof match.Size === 'number';
  const isPoor = !hasSize && !code.isDistinct && code.samples.length > 0;
  const hasBetter = others.some(
    ({ header, isDistinct }) => isDistinct && columnOf(header) === 'SKC',
  );
  return isBlank || (isPoor && hasBetter) ? { ...match, SKC: null } : match;
}

/** Whether a column with this heading may hold the stock codes. */
function mayBeCode(heading: string): boolean {
  return isHandle(heading) || isId(heading) || columnOf(heading) === 'SKC';
}

/** Whether a match is remembered for the headings in these cells. */
export function remembersRow(
  remembered: readonly RememberedMatch[],
  cells: readonly string[],
): boolean {
  const headers = cells.map((cell) => cell.trim());
  return remembered.some((match) => applyRemembered(match, headers) !== null);
}

/** The questions about fields that are not matched yet. Only the stock code must have a column. */
export function questionsAbout(
  match: Match,
  headers: readonly string[],
  fileColumns: readonly FileColumn[],
): ColumnQuestion[] {
  return IMPORT_COLUMNS.filter(
    (column) => match[column] === undefined || (column === 'SKC' && match[column] === null),
  ).map((column) => {
    const candidates = candidatesFor(column, headers);
    // A single candidate was matched. It is asked about only if `withoutPoorCode` took it back, or if the user chose it
    // for another field.
    return {
      column,
      candidates: candidates.length > 1 ? candidates : codesFor(column, fileColumns),
    };
  });
}

/** The columns to ask about for the stock code. With handles, which name all sizes of a product: the user decides. */
function codesFor(column: ImportColumn, fileColumns: readonly FileColumn[]): number[] {
  if (column !== 'SKC') return [];
  return fileColumns
    .filter(({ header, samples }) => samples.length > 0 && mayBeCode(header))
    .map(({ index }) => index);
}

/**
 * The user's choice, completed by the headings: a field without a choice gets the column that its heading
 * means, unless the user chose that column for another field.
 */
function merged(chosen: Match, byHeadings: Match, columnCount: number): Match {
  const match: Partial<Record<ImportColumn, number | null>> = {};
  const taken = new Set(Object.values(chosen));
  for (const column of IMPORT_COLUMNS) {
    const index = chosen[column];
    const isChosen = index === null || (index !== undefined && index < columnCount);
    const meant = byHeadings[column];
    if (isChosen) match[column] = index;
    else if (typeof meant === 'number' && taken.has(meant)) match[column] = null;
    else if (meant !== undefined) match[column] = meant;
  }
  return match;
}

/** @param bodyStart where the first row below the headings begins in `text` */
export function columnsWithSamples(
  headers: readonly string[],
  text: string,
  bodyStart: number,
  format: Format,
): FileTable['columns'] {
  const samples = headers.map(() => new Set<string>());
  const values = headers.map(() => new Set<string>());
  const filled = headers.map(() => 0);
  const { delimiter, newline } = format;
  const { records } = firstRecords(
    text,
    bodyStart,
    { delimiter, newline, firstLine: 1 },
    SAMPLE_RECORDS,
  );
  for (const { cells } of records) {
    for (const [index, shown] of samples.entries()) {
      const cell = (cells[index] ?? '').trim();
      const value = shortened(cell, SAMPLE_CHARS);
      if (value !== '' && shown.size < MOST_SAMPLES) shown.add(value);
      if (cell === '') continue;
      filled[index]! += 1; // one for each heading
      values[index]?.add(cell);
    }
  }
  return headers
    .map((header, index) => ({
      index,
      header,
      samples: [...(samples[index] ?? [])],
      isDistinct: filled[index]! > 1 && values[index]?.size === filled[index], // one for each heading
    }))
    .filter(({ header, samples: shown }) => header !== '' || shown.length > 0);
}

/** The first filled cells of a row, by which the user recognises it. */
export function shownRow(cells: readonly string[]): string {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return shortened(filled.slice(0, 8).join(', '), SAMPLE_CHARS);
}

/** The questions in a sentence, for a client of the server that cannot ask its user. */
export function questionsSentence({ questions, columns, headerLine }: FileTable): string {
  const clashes = questions.flatMap(({ column, candidates }) => {
    const named = columns
      .filter(({ index }) => candidates.includes(index))
      .map(({ header, index }) => `“${shortened(header, 30)}” (column ${index + 1})`);
    return named.length < 2 ? [] : [`${named.join(' and ')} could each be “${column}”`];
  });
  if (clashes.length > 0) {
    return `${clashes.join('; ')}. Delete the extra columns and choose the file again.`;
  }
  const names = columns.map(({ header }) => header).filter((name) => name !== '');
  const shown = names.slice(0, 6).map((name) => `“${shortened(name, 30)}”`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return (
    'We couldn’t find a column with the stock code. ' +
    `Line ${headerLine} has ${shown.join(', ')}${more}. ` +
    'Name the stock code column “SKC” (“Stock code”, “SKU” and “Item code” work too). ' +
    'Save the file as CSV and choose it again.'
  );
}

function shortened(name: string, chars: number): string {
  const text = name.trim().replace(/\s+/g, ' ');
  return text.length > chars ? `${text.slice(0, chars - 1).toWellFormed()}…` : text;
}
