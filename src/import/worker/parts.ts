import type { ImportPlan } from '../../db/import-jobs.ts';
import { columnsInFile } from '../../csv/layout.ts';
import type { ValidatedRow } from '../../csv/rows.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import { JsonCsv } from './json-csv.ts';
import { hasBit } from './key-table.ts';

/** The rows of one request. The same plan over the same file gives the same parts. */
export interface Part {
  /** From 0. */
  readonly part: number;
  /**
   * A whole CSV of its own, as `JsonCsv` writes it: the file's columns under the shop's names, and the
   * values as the shop stores them.
   */
  readonly csv: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly isLast: boolean;
}

export interface PartLimits {
  /** The most bytes of a part's CSV as it is sent, in JSON and UTF-8. */
  readonly bytes: number;
  readonly rows: number;
}

/** `bytes` is well below a function's limit of 6 MB. `rows` is the server's limit, `MAX_ROWS_PER_PART`. */
export const PART_LIMITS: PartLimits = { bytes: 1_000_000, rows: 10_000 };

/**
 * Cuts the rows of a file into parts of at most `limits` (a single row may be larger).
 *
 * Neighbouring rows of one stock code stay in one part where they fit: parts arrive in any order, and
 * the grid shows a garment's sizes in the order in which they arrived.
 */
export class PartBuilder {
  #take: (part: Part) => void;
  #plan: ImportPlan;
  #limits: PartLimits;
  /** Indices in `IMPORT_COLUMNS` of the columns that the file has. */
  #columns: readonly number[];
  #csv: JsonCsv;
  /** How many bytes the headings take, which begin every part. */
  #headerEnd: number;
  #rows = 0;
  /** The stock code of the last row. */
  #skc: string | null = null;
  /** How many rows and bytes of the part stand before the last rows with this stock code. */
  #runRow = 0;
  #runByte = 0;
  /** How many parts have been cut. */
  #parts = 0;

  constructor(plan: ImportPlan, take: (part: Part) => void, limits = PART_LIMITS) {
    this.#plan = plan;
    this.#take = take;
    this.#limits = limits;
    this.#columns = columnsInFile(plan.layout);
    this.#csv = new JsonCsv(limits.bytes * 2); // a part, and the row with which it grows too large
    this.#csv.addRow(IMPORT_COLUMNS, this.#columns);
    this.#headerEnd = this.#csv.length;
  }

  /** @param row as `TakeRow` counts */
  add(validated: ValidatedRow, row: number): void {
    if (!validated.ok || hasBit(this.#plan.replaced, row)) return;
    const { values } = validated;
    const [skc = ''] = values;
    let start = this.#csv.length;
    this.#csv.addRow(values, this.#columns);
    const isSameRun = skc === this.#skc;
    // Cuts only when another row has come, so that what is left for `end` is the last part.
    while (this.#rows > 0 && !this.#fits()) {
      const lengthBefore = this.#csv.length;
      if (isSameRun && this.#runRow > 0) this.#cut(this.#runRow, this.#runByte);
      else this.#cut(this.#rows, start);
      start -= lengthBefore - this.#csv.length; // the bytes before the row that were cut
    }
    if (!isSameRun) {
      this.#skc = skc;
      this.#runRow = this.#rows;
      this.#runByte = start;
    }
    this.#rows += 1;
  }

  end(): void {
    const isLast = true;
    if (this.#rows > 0) this.#cut(this.#rows, this.#csv.length, isLast);
  }

  #fits(): boolean {
    return this.#csv.length <= this.#limits.bytes && this.#rows < this.#limits.rows;
  }

  /** Makes a part of the first `rows` rows, which end before byte `end`. */
  #cut(rows: number, end: number, isLast = false): void {
    const part = this.#parts;
    this.#take({ part, csv: this.#csv.copyUpTo(end), rows, isLast });
    this.#parts += 1;
    this.#csv.cut(this.#headerEnd, end);
    this.#rows -= rows;
    this.#runRow = 0;
    this.#runByte = this.#headerEnd;
  }
}
