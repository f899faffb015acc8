/** Reads a whole small CSV at once: a request to the server, or the sample catalogue. */
import { questionsSentence } from './file-table.ts';
import { type Layout, positionOf, readLayout } from './layout.ts';
import type { DecimalMark } from './price.ts';
import { describeProblem } from './problems.ts';
import { openRecordReader } from './records.ts';
import { DETECT_LAYOUT } from './remembered.ts';
import {
  keyIn,
  openRowValidator,
  type RowKey,
  type RowValues,
  type ValidatedRow,
} from './row-validator.ts';
import { IMPORT_COLUMNS } from './columns.ts';

export interface ProductInFile {
  /** The line where its row begins, from 1. */
  readonly line: number;
  /** The values to write, by column; null empties the stored value. */
  readonly row: Readonly<Record<string, string | null>>;
}

export interface RejectedCsvRow {
  readonly line: number;
  /** The heading in the file; null for a problem of the whole row. */
  readonly column: string | null;
  readonly reason: string;
  readonly advice: string;
}

export type ProductCsv =
  | {
      readonly ok: true;
      /** Each product once, in the order of their last rows, which are the rows that count. */
      readonly products: readonly ProductInFile[];
      /** Each rejected row once, with its first problem. */
      readonly rejected: readonly RejectedCsvRow[];
      /** Which products the rejected rows are about, as far as that can be read. */
      readonly rejectedKeys: readonly RowKey[];
      /** Rows to which a later row of the same stock code and size has been added. */
      readonly replaced: number;
      readonly layout: Layout;
    }
  | { readonly ok: false; readonly sentence: string; readonly line: number | null };

/** @param options.blankCellsClear a blank cell empties the stored value instead of leaving it */
export function readProductCsv(
  text: string,
  options: { readonly blankCellsClear: boolean },
): ProductCsv {
  const outcome = readLayout(text, DETECT_LAYOUT);
  switch (outcome.kind) {
    case 'fault':
      return { ok: false, ...outcome.fault };
    case 'ask-columns':
      return { ok: false, sentence: questionsSentence(outcome.table), line: null };
    case 'layout':
      return readRows(text, outcome.layout, { ...options, decimalMark: null });
  }
}

function readRows(
  text: string,
  layout: Layout,
  options: { readonly blankCellsClear: boolean; readonly decimalMark: DecimalMark | null },
): ProductCsv {
  const products = new Map<string, ProductInFile>();
  const rejected: RejectedCsvRow[] = [];
  const rejectedKeys: RowKey[] = [];
  let replaced = 0;
  const validator = openRowValidator(layout, options);
  const reader = openRecordReader({ ...layout, firstLine: layout.bodyLine }, (cells, line) => {
    const validated = validator.validate(cells);
    if (validated === null) return; // an empty row
    if (!validated.ok) {
      rejected.push(rejectedRow(validated, line, layout));
      const key = keyIn(cells, layout);
      if (key) rejectedKeys.push(key);
      return;
    }
    const { values } = validated;
    const [skc, size] = values;
    const key = `${skc}\0${size}`; // the validator rejects control characters, so no stock code holds \0
    const earlier = products.get(key);
    if (products.delete(key)) replaced += 1;
    // A blank cell leaves what the earlier row says, as it would leave what is stored.
    products.set(key, { line, row: { ...earlier?.row, ...rowOf(values) } });
  });
  const fault = reader.push(text.slice(layout.bodyStart)) ?? reader.end();
  if (fault) return { ok: false, sentence: fault.sentence, line: fault.line };
  // All prices together may say which decimal mark the ambiguous ones have.
  const mark = validator.price.markForRereading;
  if (mark !== null) return readRows(text, layout, { ...options, decimalMark: mark });
  return { ok: true, products: [...products.values()], rejected, rejectedKeys, replaced, layout };
}

function rowOf(values: RowValues): Record<string, string | null> {
  const row: Record<string, string | null> = {};
  for (const [i, column] of IMPORT_COLUMNS.entries()) {
    const value = values[i];
    // A product without a size has the size ''.
    if (value !== undefined) row[column] = value === '' && column !== 'Size' ? null : value;
  }
  return row;
}

function rejectedRow(
  { problems }: Extract<ValidatedRow, { ok: false }>,
  line: number,
  layout: Layout,
): RejectedCsvRow {
  const { code, column } = problems[0]!; // a rejected row has at least one problem
  const { reason, advice } = describeProblem(code);
  return { line, column: layout.headers[positionOf(layout, column)] ?? null, reason, advice };
}
