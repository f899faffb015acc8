import type { ReadingPlan } from '../../db/import-jobs.ts';
import type { Layout } from '../../csv/layout.ts';
import { describe, type RowProblem } from '../../csv/problems.ts';
import { textOf } from '../../csv/fields.ts';
import { csvLine, escapeCell, hasFormulaBehindSeparator } from '../../csv/write.ts';
import { CsvBlob } from './csv-blob.ts';
import { placeOf } from './problem-counts.ts';
import { readRows } from './rows.ts';

/** Headings that no product file has and that the import ignores. */
export const REPORT_HEADINGS = [
  'Problem in line',
  'Problem in column',
  'Problem',
  'What to do',
] as const;

/**
 * Every rejected row of a file as it stands there, with the place and kind of its problem, for the user
 * to correct in a spreadsheet and import again. The worker reads the file once more for it.
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
  // A report that the user has imported again already has the report's columns.
  const places = layout.headers.flatMap((header, place) => (isOurs(header) ? [] : [place]));
  const csv = new CsvBlob();
  csv.add(csvLine([...places.map((place) => safe(layout.headers[place])), ...REPORT_HEADINGS]));
  await readRows(file, plan, {
    ...options,
    take(validated, cells, line) {
      if (validated.ok) return;
      const own = places.map((place) => safe(cells[place]));
      const behind = cells.slice(layout.headers.length).map(safe);
      csv.add(csvLine([...own, ...reasonsFor(validated.problems, line, layout), ...behind]));
    },
  });
  return csv.end();
}

function isOurs(header: string): boolean {
  return REPORT_HEADINGS.some((heading) => heading === header);
}

function reasonsFor(problems: readonly RowProblem[], line: number, layout: Layout): string[] {
  const rejecting = problems.filter(({ code }) => describe(code).rejects);
  const columns = rejecting.map(({ column }) => layout.headers[placeOf(layout, column)] ?? '');
  return [
    String(line),
    safe([...new Set(columns)].filter((column) => column !== '').join(', ')),
    [...new Set(rejecting.map(({ code }) => describe(code).reason))].join(' '),
    [...new Set(rejecting.map(({ code }) => describe(code).advice))].join(' '),
  ];
}

/**
 * Escapes a cell that a spreadsheet would take for a formula, and leaves the others as they are. The
 * next import removes the apostrophes and reads the same value. `="000123"` stays: it computes nothing.
 */
function safe(cell = ''): string {
  const isHarmless = TEXT_FORMULA.test(cell) || !FORMULA.test(cell);
  return isHarmless && !hasFormulaBehindSeparator(cell) ? cell : escapeCell(textOf(cell));
}

const FORMULA = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** A formula that holds only one text. */
const TEXT_FORMULA = /^\s*="(?:[^"]|"")*"\s*$/;
