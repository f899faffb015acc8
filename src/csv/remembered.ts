/** Which column of a file holds which field of ours, and how that is remembered for other files. */
import { fieldsOf } from '../domain/fields.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './columns.ts';
import type { Delimiter } from './format.ts';

/** By field: the column of the file, from 0, or null for none. An absent field is an open question. */
export type Match = Readonly<Partial<Record<ImportColumn, number | null>>>;

/** A match that the user of this device made, for files with the same set of headings. */
export interface RememberedMatch {
  /** All headings that are not blank, sorted by code units; equal headings as often as they occur. */
  readonly headings: readonly string[];
  /** By field: an index in `headings`, or null for none. */
  readonly columns: Match;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** In place of the line of the headings: the file begins with its first product. */
export const NO_HEADINGS = 0;

/** What is given about the layout of a file; the rest is detected. */
export interface LayoutChoice {
  /** Null to detect it. */
  readonly delimiter: Delimiter | null;
  /** The line of the headings, or `NO_HEADINGS`; null to detect it. */
  readonly headerLine: number | null;
  /** The user's choice, which the headings complete; null to match by what is remembered, or by the headings. */
  readonly columns: Match | null;
  readonly remembered: readonly RememberedMatch[];
}

/** Leaves everything to be detected. */
export const DETECT_LAYOUT: LayoutChoice = {
  delimiter: null,
  headerLine: null,
  columns: null,
  remembered: [],
};

/**
 * Returns the match as it is remembered; null where a field has a column without a heading, because nothing in
 * the next file tells which column that is.
 */
export function rememberedMatch(
  headings: readonly Heading[],
  match: Match,
  at: number,
): RememberedMatch | null {
  const sorted = sortedHeadings(headings);
  const columns: Partial<Record<ImportColumn, number | null>> = {};
  for (const field of IMPORT_COLUMNS) {
    const index = match[field];
    if (index === undefined) continue;
    const place = index === null ? null : sorted.findIndex((heading) => heading.index === index);
    if (place === -1) return null;
    columns[field] = place;
  }
  return { at, headings: sorted.map(({ header }) => header), columns };
}

/** Applies a remembered match to a file; null when its headings are others. */
export function applyRemembered(
  { headings, columns }: RememberedMatch,
  headers: readonly string[],
): Match | null {
  const sorted = sortedHeadings(headers.map((header, index) => ({ header, index })));
  const isSame =
    sorted.length === headings.length && sorted.every(({ header }, i) => header === headings[i]);
  if (!isSame) return null;
  const match: Partial<Record<ImportColumn, number | null>> = {};
  for (const field of IMPORT_COLUMNS) {
    const place = columns[field];
    if (place !== undefined) match[field] = place === null ? null : (sorted[place]?.index ?? null);
  }
  return match;
}

interface Heading {
  readonly header: string;
  /** The column of the file, from 0. */
  readonly index: number;
}

/** The headings that are not blank, in the order of `RememberedMatch.headings`. */
function sortedHeadings(headings: readonly Heading[]): Heading[] {
  return headings
    .filter(({ header }) => header !== '')
    .sort((a, b) => (a.header < b.header ? -1 : a.header > b.header ? 1 : a.index - b.index));
}

/** Parses a match from this device's storage; null for anything else. */
export function parseMatch(value: unknown): RememberedMatch | null {
  const { headings, columns, at } = fieldsOf(value);
  if (!Array.isArray(headings) || !headings.every((heading) => typeof heading === 'string'))
    return null;
  if (typeof at !== 'number') return null;
  const given = fieldsOf(columns);
  const match: Partial<Record<ImportColumn, number | null>> = {};
  for (const field of IMPORT_COLUMNS) {
    const place = given[field];
    if (place === null) match[field] = null;
    else if (isIndex(place, headings.length)) match[field] = place;
    else if (place !== undefined) return null;
  }
  return { headings, columns: match, at };
}

function isIndex(value: unknown, length: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length;
}
