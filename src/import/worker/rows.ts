import type { ReadingPlan } from './plan.ts';
import { PlainRows } from '../../csv/plain-rows.ts';
import type { PriceReader } from '../../csv/price.ts';
import { openRecordReader } from '../../csv/records.ts';
import { isSpilled, NO_WARNINGS, openRowValidator, type ValidatedRow } from '../../csv/rows.ts';
import { RuleApplier } from '../../csv/rule-applier.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../../csv/columns.ts';
import { type TextOptions, readSlices } from './file-text.ts';
import type { Fault } from '../protocol.ts';

/**
 * @param cells those of the file after the plan's rules, or those that the user has mended; none for a plain row
 *   when `take` does not need them
 * @param line where the row begins, from 1
 * @param row counted from 0, without empty rows and those that a rule leaves out
 */
export type TakeRow = (
  validated: ValidatedRow,
  cells: readonly string[],
  line: number,
  row: number,
) => void;

export interface RowsOptions extends Omit<TextOptions, 'encoding'> {
  readonly take: TakeRow;
  /**
   * Whether `take` needs the cells of every row. Where it needs only those of rows with problems, plain rows
   * are read several times as fast.
   */
  readonly needsCells?: boolean;
  /** Called after each slice with the bytes read so far; reading continues when it has resolved. */
  readonly afterSlice?: (bytes: number) => Promise<void> | void;
}

export interface RowsRead {
  /** Why reading stopped before the end. */
  readonly fault: Fault | null;
  readonly price: PriceReader;
  /** How many rows the plan's rules have changed or left out. */
  readonly rules: Pick<RuleApplier, 'counts' | 'skipped'>;
}

const NO_CELLS: readonly string[] = [];

/** Reads every row of a file. The same plan over the same file gives the same rows. */
export async function readRows(
  file: Blob,
  plan: ReadingPlan,
  { take, needsCells = true, afterSlice, ...options }: RowsOptions,
): Promise<RowsRead> {
  const { layout } = plan;
  const validator = openRowValidator(layout, plan);
  const { price } = validator;
  const rules = new RuleApplier(layout, plan.rules);
  let rows = 0;
  let firstLineTooMany: number | null = null;
  function takeRow(validated: ValidatedRow, cells: readonly string[], line: number): void {
    if (rows < MAX_ROWS) take(validated, cells, line, rows);
    else firstLineTooMany ??= line;
    rows += 1;
  }
  /** The value of a blank cell: it empties the stored value, or leaves it. */
  const blank = plan.blankCellsClear ? '' : undefined;
  const plainRows =
    !needsCells && mayReadPlainRows(plan, rules) ? new PlainRows(layout, blank, price) : null;

  const reader = openRecordReader(
    { ...layout, firstLine: layout.bodyLine },
    (cellsInFile, line) => {
      if (!rules.apply(cellsInFile)) return;
      const cells = plan.mended?.get(line) ?? cellsInFile;
      const validated = validator.validate(cells);
      if (validated) takeRow(validated, cells, line);
    },
    (text, at, line) => {
      if (!plainRows?.read(text, at)) return null;
      takeRow({ ok: true, values: plainRows.values, warnings: NO_WARNINGS }, NO_CELLS, line);
      return plainRows.end;
    },
  );
  let charsToSkip = layout.bodyStart;
  for await (const slice of readSlices(file, { ...options, encoding: plan.encoding })) {
    const text = charsToSkip === 0 ? slice.text : slice.text.slice(charsToSkip);
    charsToSkip = Math.max(0, charsToSkip - slice.text.length);
    const fault = reader.push(text) ?? tooManyRows(firstLineTooMany);
    if (fault) return { fault, price, rules };
    await afterSlice?.(slice.bytes);
  }
  return { fault: reader.end() ?? tooManyRows(firstLineTooMany), price, rules };
}

/** Whether plain rows are stored as they stand in the file. */
function mayReadPlainRows({ layout, mended }: ReadingPlan, rules: RuleApplier): boolean {
  const { columns } = layout;
  return (
    // `PlainRows` knows totals itself, and no other rule.
    rules.findsOnlyTotals &&
    // The user's cells replace those in the file.
    (mended?.size ?? 0) === 0 &&
    // A report has columns for cells beyond a file's headings. A row with such a cell must be rejected.
    !columns.some((_, i) => isSpilled(layout, i)) &&
    // The regular expression for more columns, such as a spreadsheet's full width, is too long for engines.
    columns.length <= MAX_COLUMNS
  );
}

function tooManyRows(line: number | null): Fault | null {
  if (line === null) return null;
  const sentence = `There are more than ${MAX_ROWS.toLocaleString('en-US')} rows, from line ${line} on. Split the file.`;
  return { sentence, line };
}
