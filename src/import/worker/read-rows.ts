import type { Layout } from '../../csv/layout.ts';
import type { DecimalMark, PriceReader } from '../../csv/price.ts';
import { openRecordReader } from '../../csv/records.ts';
import { openRowValidator, type ValidatedRow } from '../../csv/row-validator.ts';
import { RuleApplier, type RowRules, type RuleName } from '../../csv/reading-rules.ts';
import { MAX_ROWS } from '../../csv/columns.ts';
import { formatCount } from '../../domain/count.ts';
import { type TextOptions, type TextSlice, readSlices } from './file-text.ts';
import type { Fault } from '../protocol.ts';

/** How a file is read. The same plan and file give the same rows and the same parts. */
export interface ReadingPlan {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  readonly layout: Layout;
  /** As given to the row validator: null to detect it from the column. */
  readonly decimalMark: DecimalMark | null;
  /** Whether a blank cell empties the stored value instead of leaving it. */
  readonly blankCellsClear: boolean;
  /** The cells with which the user has replaced a rejected row, by the row's line. */
  readonly mended?: ReadonlyMap<number, readonly string[]> | undefined;
  /** The lines of the rows to import; undefined for all. */
  readonly onlyLines?: ReadonlySet<number> | undefined;
  readonly rules: RowRules;
}

/**
 * @param cells those of the file after the plan's rules, or those that the user has mended
 * @param line where the row begins, from 1
 */
export type TakeRow = (validated: ValidatedRow, cells: readonly string[], line: number) => void;

export interface RowsOptions extends Omit<TextOptions, 'encoding'> {
  /** Gets every row, without empty ones and those that a rule leaves out. */
  readonly take: TakeRow;
  /** Gets every row that a rule leaves out. */
  readonly skip?: (cells: readonly string[], rule: RuleName) => void;
  readonly afterSlice?: (slice: TextSlice) => void;
}

export interface RowsRead {
  /** Why reading stopped before the end. */
  readonly fault: Fault | null;
  readonly price: PriceReader;
  /** How many rows the plan's rules have changed or left out. */
  readonly rules: Pick<RuleApplier, 'counts' | 'skipped'>;
}

/** Reads every row of a file. The same plan over the same file gives the same rows. */
export async function readRows(
  file: Blob,
  plan: ReadingPlan,
  { take, skip, afterSlice, ...options }: RowsOptions,
): Promise<RowsRead> {
  const { layout } = plan;
  const validator = openRowValidator(layout, plan);
  const { price } = validator;
  const rules = new RuleApplier(layout, plan.rules);
  let rows = 0;
  let firstLineTooMany: number | null = null;
  const reader = openRecordReader(
    { ...layout, firstLine: layout.bodyLine },
    (cellsInFile, line) => {
      if (!rules.apply(cellsInFile)) {
        if (rules.skippedBy) skip?.(cellsInFile, rules.skippedBy);
        return;
      }
      const cells = plan.mended?.get(line) ?? cellsInFile;
      const validated = validator.validate(cells);
      if (!validated) return;
      rows += 1;
      if (rows <= MAX_ROWS) take(validated, cells, line);
      else firstLineTooMany ??= line;
    },
  );
  let charsToSkip = layout.bodyStart;
  for await (const slice of readSlices(file, { ...options, encoding: plan.encoding })) {
    const text = charsToSkip === 0 ? slice.text : slice.text.slice(charsToSkip);
    charsToSkip = Math.max(0, charsToSkip - slice.text.length);
    const fault = reader.push(text) ?? tooManyRows(firstLineTooMany);
    if (fault) return { fault, price, rules };
    afterSlice?.(slice);
  }
  return { fault: reader.end() ?? tooManyRows(firstLineTooMany), price, rules };
}

function tooManyRows(line: number | null): Fault | null {
  if (line === null) return null;
  const most = formatCount(MAX_ROWS);
  const sentence =
    `This file has more than ${most} rows. Move line ${line} and everything below it to a second file ` +
    'with the same headings, then import both.';
  return { sentence, line };
}
