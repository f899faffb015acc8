/** What page and worker tell each other about rejected rows that the user mends on the page. */
import type { ImportColumn } from '../csv/columns.ts';

export const MAX_MENDABLE_ROWS = 1000;

/** The first rejected rows of a file, at most `MAX_MENDABLE_ROWS`. */
export interface RejectedRows {
  /** Identifies the way in which the file was read. Lines and positions hold for this reading only. */
  readonly reading: string;
  /** The columns that are imported, in the order of the file. */
  readonly columns: readonly {
    readonly column: ImportColumn;
    /** The index in a row's cells. */
    readonly position: number;
    readonly header: string;
  }[];
  readonly rows: readonly RejectedRow[];
}

export interface RejectedRow {
  /** Where the row begins, from 1. */
  readonly line: number;
  /** The cells as they stand in the file, one for each heading. */
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

export interface MendedRows {
  /** `RejectedRows.reading`. Under another reading the mended rows do not count. */
  readonly reading: string;
  /** By the line of a mended row: its cells, one for each heading. */
  readonly cellsByLine: ReadonlyMap<number, readonly string[]>;
}

/** Adds the rows that were mended earlier, under the same reading. */
export function withEarlier(mended: MendedRows, earlier: MendedRows | undefined): MendedRows {
  if (earlier?.reading !== mended.reading) return mended;
  return { ...mended, cellsByLine: new Map([...earlier.cellsByLine, ...mended.cellsByLine]) };
}
