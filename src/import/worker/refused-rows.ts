import type { ReadingPlan } from './rows.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import { columnsInFile, type Layout, positionOf } from '../../csv/layout.ts';
import { describeProblem, type ProblemCode } from '../../csv/problems.ts';
import { isSpilled, openRowValidator, spilledIn, type ValidatedRow } from '../../csv/rows.ts';
import { csvLine, escapeCell } from '../../csv/write.ts';
import {
  type CellProblem,
  type MendedFile,
  type MendedRows,
  MAX_MENDABLE_ROWS,
  type RefusedRow,
  type RefusedRows,
} from '../mending.ts';
import { csvBlob, keyTextOf } from './device-catalogue.ts';
import { confirmUnchanged } from './file-text.ts';
import { readRows } from './rows.ts';

/**
 * Reads the file again for its first refused rows.
 *
 * @throws UnreadableFile
 */
export async function refusedRowsOf(
  file: Blob,
  plan: ReadingPlan,
  sliceBytes?: number,
): Promise<RefusedRows> {
  const { layout } = plan;
  const rows: RefusedRow[] = [];
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

/** The rows that the user has mended, if it was under this reading of the file; else undefined. */
export function mendedUnder(plan: ReadingPlan, mended: MendedRows | undefined) {
  return mended?.reading === readingOf(plan) ? mended.cellsByLine : undefined;
}

/** @returns what is wrong with the cells of a row, by the rules for the file; nothing where it is right */
export function judgeCells(cells: readonly string[], plan: ReadingPlan): readonly CellProblem[] {
  const validated = openRowValidator(plan.layout, plan).validate(cells);
  if (validated !== null) return problemsOf(validated, plan.layout);
  return [cellProblem('skc-missing', null)]; // the user has emptied the row
}

/**
 * A file of mended rows alone, for an import of their own after the import of the other rows. Leaves out a
 * mended row whose product comes again further down in `file`: the later row counts, and is stored already.
 *
 * @throws UnreadableFile
 */
export async function mendedFileOf(
  { cellsByLine }: MendedRows,
  file: Blob,
  plan: ReadingPlan,
  sliceBytes?: number,
): Promise<MendedFile> {
  const columns = columnsInFile(plan.layout);
  /** By product, the mended row that counts so far, as CSV. */
  const csvLines = new Map<string, string>();
  let replaced = 0;
  const mendedPlan = { ...plan, mended: new Map([...(plan.mended ?? []), ...cellsByLine]) };
  await readRows(file, mendedPlan, {
    sliceBytes,
    take(validated, _cells, line) {
      if (!validated.ok) return;
      const { values } = validated;
      const key = keyTextOf(values);
      if (csvLines.delete(key)) replaced += 1;
      if (!cellsByLine.has(line)) return;
      csvLines.set(key, csvLine(columns.map((i) => escapeCell(values[i] ?? ''))));
    },
  });
  const header = csvLine(columns.map((i) => IMPORT_COLUMNS[i] ?? ''));
  const csv = csvBlob([header, ...csvLines.values()]);
  const choice = { blankCellsClear: plan.blankCellsClear };
  return { csv, choice, rows: csvLines.size, replaced };
}

function readingOf({ encoding, layout }: ReadingPlan): string {
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
