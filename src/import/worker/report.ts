import type { ReadingPlan } from '../../db/import-jobs.ts';
import type { Layout } from '../../csv/layout.ts';
import { describeProblem, type RowProblem } from '../../csv/problems.ts';
import { unwrapCell } from '../../csv/fields.ts';
import { csvLine, escapeCell, hasFormulaBehindSeparator } from '../../csv/write.ts';
import { CsvBlob } from './csv-blob.ts';
import { positionOf } from './problem-counts.ts';
import { readRows } from './rows.ts';

/** Headings that no product file has and that the import ignores. */
export const REPORT_HEADINGS = [
  'Problem in line',
  'Problem in column',
  'Problem',
  'What to do',
] as const;

/**
 * A CSV with every rejected row as it stands in the file, and with its problems. The user can correct it
 * in a spreadsheet and import it. The worker reads the file once more for it.
 *
 * Cells without a heading come after the report's own columns, so that a row with too many cells still
 * has too many when the user imports it uncorrected.
 *
 * @throws UnreadableFile
 */
export async function reportOf(
  file: Blob,
  plan: ReadingPlan,
  options: { readonly signal: AbortSignal; readonly sliceBytes?: number | undefined },
): Promise<Blob> {
  const { layout } = plan;
  // The file may itself be a report, which already has the report's columns.
  const positions = layout.headers.flatMap((header, i) => (isReportHeading(header) ? [] : [i]));
  const csv = new CsvBlob();
  csv.add(csvLine([...positions.map((i) => safeCell(layout.headers[i])), ...REPORT_HEADINGS]));
  await readRows(file, plan, {
    ...options,
    take(validated, cells, line) {
      if (validated.ok) return;
      const underHeadings = positions.map((i) => safeCell(cells[i]));
      const reasons = reasonCells(validated.problems, line, layout);
      const extra = cells.slice(layout.headers.length).map(safeCell);
      csv.add(csvLine([...underHeadings, ...reasons, ...extra]));
    },
  });
  return csv.end();
}

function isReportHeading(header: string): boolean {
  return REPORT_HEADINGS.some((heading) => heading === header);
}

/** The cells under `REPORT_HEADINGS`. */
function reasonCells(problems: readonly RowProblem[], line: number, layout: Layout): string[] {
  const rejecting = problems.filter(({ code }) => describeProblem(code).rejects);
  const columns = rejecting.map(({ column }) => layout.headers[positionOf(layout, column)] ?? '');
  return [
    String(line),
    safeCell([...new Set(columns)].filter((column) => column !== '').join(', ')),
    [...new Set(rejecting.map(({ code }) => describeProblem(code).reason))].join(' '),
    [...new Set(rejecting.map(({ code }) => describeProblem(code).advice))].join(' '),
  ];
}

/**
 * Escapes a cell that a spreadsheet would take for a formula, and leaves the others as they are. The
 * next import removes the apostrophes and reads the same value. `="000123"` stays: it only holds a text.
 */
function safeCell(cell = ''): string {
  const isHarmless = TEXT_FORMULA.test(cell) || !FORMULA.test(cell);
  return isHarmless && !hasFormulaBehindSeparator(cell) ? cell : escapeCell(unwrapCell(cell));
}

const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** A formula that holds only one text. */
const TEXT_FORMULA = /^\s*="(?:[^"]|"")*"\s*$/;
