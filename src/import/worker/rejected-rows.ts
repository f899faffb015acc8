import { type ReadingPlan, readRows } from './read-rows.ts';
import { type Layout, positionOf } from '../../csv/layout.ts';
import { describeProblem, type ProblemCode } from '../../csv/problems.ts';
import {
  isSpilled,
  openRowValidator,
  spilledIn,
  type ValidatedRow,
} from '../../csv/row-validator.ts';
import {
  type CellProblem,
  MAX_MENDABLE_ROWS,
  type RejectedRow,
  type RejectedRows,
} from '../mending.ts';
import type { Choice } from '../protocol.ts';
import { confirmUnchanged } from './file-text.ts';

/**
 * Reads the file again for its first rejected rows.
 *
 * @throws UnreadableFile
 */
export async function rejectedRowsOf(
  file: Blob,
  plan: ReadingPlan,
  sliceBytes?: number,
): Promise<RejectedRows> {
  const { layout } = plan;
  const rows: RejectedRow[] = [];
  const atLimit = new AbortController();
  const reading = readRows(file, plan, {
    signal: atLimit.signal,
    sliceBytes,
    take(validated, cells, line) {
      if (validated.ok || rows.length === MAX_MENDABLE_ROWS) return;
      // Copies, because a substring keeps the whole slice of the file in memory.
      const copies = structuredClone(splitCells(cells, layout));
      rows.push({ line, ...copies, problems: problemsOf(validated, layout) });
      if (rows.length === MAX_MENDABLE_ROWS) atLimit.abort();
    },
  });
  await reading.catch((thrown: unknown) => {
    if (!atLimit.signal.aborted) throw thrown;
  });
  // After an abort the reading does not say whether the file has changed.
  await confirmUnchanged(file);
  const columns = layout.columns.flatMap((column, position) =>
    column === null ? [] : [{ column, position, header: layout.headers[position] ?? column }],
  );
  return { reading: readingOf(plan), columns, rows };
}

/** What the user has mended, and the rows to import alone. Both count only under the reading that the user saw. */
export function mendedUnder(
  plan: Omit<ReadingPlan, 'mended' | 'onlyLines'>,
  { mended, onlyLines }: Pick<Choice, 'mended' | 'onlyLines'>,
): Pick<ReadingPlan, 'mended' | 'onlyLines'> {
  if (mended?.reading !== readingOf(plan)) return {};
  return { mended: mended.cellsByLine, onlyLines };
}

/** @returns what is wrong with the cells of a row, by the rules for the file; nothing where it is right */
export function judgeCells(cells: readonly string[], plan: ReadingPlan): readonly CellProblem[] {
  const validated = openRowValidator(plan.layout, plan).validate(cells);
  if (validated !== null) return problemsOf(validated, plan.layout);
  return [cellProblem('skc-missing', null)]; // the user has emptied the row
}

function readingOf({ encoding, layout }: Pick<ReadingPlan, 'encoding' | 'layout'>): string {
  return JSON.stringify([encoding, layout]);
}

function splitCells(cells: readonly string[], layout: Layout) {
  const underHeadings = layout.headers.map((_, i) =>
    isSpilled(layout, i) ? '' : (cells[i] ?? ''),
  );
  return { cells: underHeadings, spilled: spilledIn(cells, layout) };
}

function problemsOf(validated: ValidatedRow, layout: Layout): readonly CellProblem[] {
  if (validated.ok) return [];
  return validated.problems.map(({ code, column }) => {
    const position = positionOf(layout, column);
    return cellProblem(code, position < 0 ? null : position);
  });
}

function cellProblem(code: ProblemCode, position: number | null): CellProblem {
  const { reason, advice } = describeProblem(code);
  return { position, reason, advice };
}
