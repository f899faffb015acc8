import type { Layout } from '../../csv/layout.ts';
import type { DecimalMark } from '../../csv/price.ts';
import type { RowRules } from '../../csv/reading-rules.ts';

/** How a file is read. The same plan and file give the same rows and the same parts. */
export interface ReadingPlan {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  readonly layout: Layout;
  /** As given to the row validator: null to detect it from the column. */
  readonly decimalMark: DecimalMark | null;
  /** Whether a blank cell empties the stored value instead of leaving it. */
  readonly blankCellsClear: boolean;
  /** The cells with which the user has replaced a refused row, by the row's line. */
  readonly mended?: ReadonlyMap<number, readonly string[]> | undefined;
  readonly rules: RowRules;
}
