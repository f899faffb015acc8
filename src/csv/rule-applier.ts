import type { Layout } from './layout.ts';
import { READING_RULES, type ReadRow, type RowRules, type RuleName } from './reading-rules.ts';
import { sheetOf } from './sheet.ts';

/** Applies rules to rows in their order, and counts how many rows each has changed or left out. */
export class RuleApplier {
  readonly counts: Partial<Record<RuleName, number>> = {};
  /** How many rows were left out. */
  skipped = 0;
  /** The rule that has left out the last row; null where none has. */
  skippedBy: RuleName | null = null;
  readonly #rules: readonly { readonly name: RuleName; readonly read: ReadRow }[];
  /** How many columns the file itself has. */
  readonly #fileColumns: number;
  /** How many columns there are with those that the rules add. */
  readonly #allColumns: number;

  constructor(layout: Layout, { names, fileColumns }: RowRules) {
    const sheet = sheetOf(layout, fileColumns);
    this.#fileColumns = fileColumns;
    this.#allColumns = layout.columns.length;
    this.#rules = names.flatMap((name) => {
      const read = READING_RULES[name].open(sheet);
      return read ? [{ name, read }] : [];
    });
  }

  /**
   * Changes the cells in place.
   *
   * @returns false for a row to leave out
   */
  apply(cells: string[]): boolean {
    this.skippedBy = null;
    if (this.#allColumns > this.#fileColumns) this.#makeRoom(cells);
    for (let i = 0; i < this.#rules.length; i++) {
      const { name, read } = this.#rules[i]!; // i < length
      const outcome = read(cells);
      if (outcome === 'same') continue;
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      if (outcome === 'changed') continue;
      this.skipped += 1;
      this.skippedBy = name;
      return false;
    }
    return true;
  }

  /** Inserts blank cells for the columns that rules add, before any cells that stand beyond the headings. */
  #makeRoom(cells: string[]): void {
    while (cells.length < this.#fileColumns) cells.push('');
    const added = Array.from({ length: this.#allColumns - this.#fileColumns }, () => '');
    cells.splice(this.#fileColumns, 0, ...added);
  }
}
