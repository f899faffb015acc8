import { type ReadingPlan, readRows } from './read-rows.ts';
import { columnOf, meaningOf } from '../../csv/aliases.ts';
import { MAX_COLUMNS } from '../../csv/columns.ts';
import { hasFormulaBehindSeparator, csvLine, escapeCell } from '../../csv/write.ts';
import { type Layout, positionOf } from '../../csv/layout.ts';
import { describeProblem, type RowProblem } from '../../csv/problems.ts';
import { openPriceReader } from '../../csv/price.ts';
import { unwrapCell } from '../../csv/cells.ts';
import { SPILLED_HEADING, spilledIn, type ValidatedRow } from '../../csv/row-validator.ts';
import { sheetOf } from '../../csv/sheet.ts';
import type { ReplacedRow } from './compare.ts';
import { csvBlob } from './device-catalogue.ts';

/** The report's last headings, which no product file has and the import ignores. */
export const REPORT_HEADINGS = [
  'Problem on line',
  'What happened',
  'Problem in column',
  'Problem',
  'What to do',
] as const;

/**
 * A CSV of every row that was rejected, replaced or stored with a warning, as it stands in the file, and
 * of the rows that replaced others. The user can correct it in a spreadsheet and import it: the rows are
 * in the order of the file, so the same rows win again. The worker reads the file twice more: first it counts the
 * cells without a heading.
 *
 * Cells without a heading come under headings of their own (`SPILLED_HEADING`) before the report's
 * columns, so that a row with too many cells still has too many when the user imports it uncorrected.
 *
 * @throws UnreadableFile
 */
export async function reportOf(
  file: Blob,
  plan: ReadingPlan,
  replacedRows: readonly ReplacedRow[],
  sliceBytes?: number,
): Promise<Blob> {
  const { layout } = plan;
  const replaced = new Map(replacedRows.map((row) => [row.line, row]));
  const lastLines = new Set(replacedRows.map(({ byLine }) => byLine));
  let mostSpilled = 0;
  await readRows(file, plan, {
    sliceBytes,
    take(validated, cells) {
      if (!validated.ok) mostSpilled = Math.max(mostSpilled, spilledIn(cells, layout).length);
    },
  });

  const positions = reportedPositions(layout, mostSpilled);
  const lines: string[] = [];
  const add = (cells: readonly string[]) => lines.push(csvLine(cells, layout.delimiter));
  const ofExport = exportPositions(plan);
  const headings = positions.map((i) =>
    safeCell(ofExport.includes(i) ? notImported(layout.headers[i]) : headingAt(layout, i)),
  );
  const spilledHeadings = Array.from({ length: mostSpilled }, () => SPILLED_HEADING);
  add([...headings, ...spilledHeadings, ...REPORT_HEADINGS]);
  const pricePosition = layout.columns.indexOf('Retail Price');
  await readRows(file, plan, {
    sliceBytes,
    take(validated, cells, line) {
      const replacedBy = replaced.get(line) ?? null;
      const fate = fateOf(validated, replacedBy, lastLines.has(line));
      if (fate === null) return;
      const underHeadings = positions.map((i) =>
        safeCell(i === pricePosition ? unambiguousPrice(cells[i] ?? '', plan) : cells[i]),
      );
      const spilled = validated.ok ? [] : spilledIn(cells, layout);
      const padded = spilledHeadings.map((_, i) => safeCell(spilled[i]));
      const problems = validated.ok ? validated.warnings : validated.problems;
      const [columns, reason, advice] = problemCells(problems, layout);
      const allAdvice =
        replacedBy && replacedBy.isSameIn !== 'all' ? `${GIVE_SIZES} ${advice}`.trim() : advice;
      add([...underHeadings, ...padded, String(line), fate, columns, reason, allAdvice]);
    },
  });
  return csvBlob(lines);
}

const GIVE_SIZES = 'If they’re different products, give each its own size.';

/** What happened to a row; null for one that the report need not show. */
function fateOf(
  validated: ValidatedRow,
  replacedBy: ReplacedRow | null,
  isLast: boolean,
): string | null {
  if (!validated.ok) return 'Rejected';
  if (replacedBy !== null) {
    const { byLine, isSameIn } = replacedBy;
    const how = isSameIn === 'all' ? 'which is the same' : 'which has different values';
    return `Replaced by line ${byLine}, ${how}`;
  }
  if (isLast) return 'Imported instead of an earlier row';
  return validated.warnings.length > 0 ? 'Imported with a warning' : null;
}

/**
 * The columns of the file that the report repeats. A file that is itself a report already has the report's
 * own columns, which are left out. Of a file that is too wide, only the imported columns are repeated.
 */
function reportedPositions({ headers, columns }: Layout, mostSpilled: number): readonly number[] {
  const reportColumns = new Set<string>([SPILLED_HEADING, ...REPORT_HEADINGS]);
  const positions = headers.flatMap((header, i) => (reportColumns.has(header) ? [] : [i]));
  const isTooWide = positions.length + mostSpilled + REPORT_HEADINGS.length > MAX_COLUMNS;
  return isTooWide ? positions.filter((i) => columns[i] !== null) : positions;
}

/**
 * The columns that are not imported and by which an export of shop software is known. Its rules have read these rows
 * already. Without these headings the next import applies none of them.
 */
function exportPositions({ layout, rules }: ReadingPlan): readonly number[] {
  const { shopify, woo, options } = sheetOf(layout, rules.fileColumns);
  const positions = [shopify?.handle ?? woo?.type ?? -1, ...options.map(({ name }) => name)];
  return positions.filter((i) => layout.columns[i] === null);
}

/** The heading in the file, or one that says what the user has chosen the column to be. */
function headingAt({ headers, columns }: Layout, position: number): string {
  const header = headers[position] ?? '';
  const column = columns[position] ?? null;
  // Headings such as Gender mean a category without naming one, so `columnOf` does not know them.
  const isBare = column === null ? meaningOf(header) === null : columnOf(header) === column;
  if (isBare) return header;
  return column ?? notImported(header);
}

/** A heading that means nothing to the next import. */
function notImported(header = ''): string {
  return `${header} – not imported`;
}

/** The cells under the last three of `REPORT_HEADINGS`. */
function problemCells(problems: readonly RowProblem[], layout: Layout) {
  const rejecting = problems.filter(({ code }) => describeProblem(code).rejects);
  const shown = rejecting.length > 0 ? rejecting : problems;
  const columns = shown.map(({ column }) => headingAt(layout, positionOf(layout, column)));
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  return [
    safeCell(unique(columns.filter((column) => column !== '')).join(', ')),
    unique(shown.map(({ code }) => describeProblem(code).reason)).join(' '),
    unique(shown.map(({ code }) => describeProblem(code).advice)).join(' '),
  ] as const;
}

/** Writes out an ambiguous price such as `1.234`: the file's other prices show its mark, the report's may not. */
function unambiguousPrice(cell: string, { decimalMark }: ReadingPlan): string {
  const text = unwrapCell(cell);
  if (decimalMark === null || openPriceReader(null).read(text).ok) return cell;
  const reading = openPriceReader(decimalMark).read(text);
  return reading.ok ? reading.text.replace('.', decimalMark) : cell;
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
