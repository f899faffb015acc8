/** What page and worker tell each other about refused rows that the user mends on the page. */
import type { ImportColumn } from '../csv/columns.ts';
import type { RuleName } from '../csv/remembered.ts';

export const MAX_MENDABLE_ROWS = 1000;

/** The first refused rows of a file, at most `MAX_MENDABLE_ROWS`. */
export interface RefusedRows {
  /** Names the way in which the file was read; the positions below hold for it only. */
  readonly reading: string;
  /** The columns that are imported, in the order of the file. */
  readonly columns: readonly {
    readonly column: ImportColumn;
    /** In a row's cells, from 0. */
    readonly position: number;
    readonly header: string;
  }[];
  readonly rows: readonly RefusedRow[];
}

export interface RefusedRow {
  /** Where the row begins, from 1. */
  readonly line: number;
  /** As they stand in the file, one for each heading. */
  readonly cells: readonly string[];
  /** The cells that have no heading and are not blank. */
  readonly spilled: readonly string[];
  readonly problems: readonly CellProblem[];
}

export interface CellProblem {
  /** The position of the cell; null for a problem of the whole row. */
  readonly position: number | null;
  readonly reason: string;
  readonly advice: string;
}

/** The rows that the user has mended: all cells by position, the rows by line. */
export interface MendedRows {
  /** That of the `RefusedRows`. Under another reading the mended rows do not count. */
  readonly reading: string;
  readonly cellsByLine: ReadonlyMap<number, readonly string[]>;
}

/** A file of mended rows, and how to read it so that the shop stores what was judged. */
export interface MendedFile {
  readonly csv: Blob;
  readonly choice: { readonly blankCellsClear: boolean; readonly rulesOff: readonly RuleName[] };
  readonly rows: number;
  /** Mended rows that are not in it, because a later row of their file replaces them. */
  readonly replaced: number;
}

/** Adds the rows that were mended earlier, under the same reading. */
export function withEarlier(mended: MendedRows, earlier: MendedRows | undefined): MendedRows {
  if (earlier?.reading !== mended.reading) return mended;
  return { ...mended, cellsByLine: new Map([...earlier.cellsByLine, ...mended.cellsByLine]) };
}
