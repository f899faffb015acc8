/**
 * Writes CSV that a spreadsheet opens without harm and that reads back as it was.
 *
 * A spreadsheet would run a cell that begins like a formula, so such a cell gets an apostrophe in
 * front. A cell with white space at either end gets one too, because reading trims. Reading removes
 * exactly one apostrophe from a cell that needs one. The text after the leading apostrophes decides
 * whether a cell needs one, so escaping and unescaping agree however often they run.
 *
 * Source of the characters: OWASP, "CSV Injection". Spreadsheets take the full-width forms of Chinese
 * and Japanese keyboards for the same signs.
 */
const APOSTROPHE = 39;
const FORMULA_SIGNS = '=+-@＝＋－＠';

/** One line of a CSV file, with its line break. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\n`;
}

/** @returns the text as a cell that no spreadsheet takes for a formula */
export function escapeCell(text: string): string {
  return needsApostrophe(text) ? `'${text}` : text;
}

/** The text that `escapeCell` was given; a cell that it cannot have written stays as it is. */
export function unescapeCell(cell: string): string {
  return cell.charCodeAt(0) === APOSTROPHE && needsApostrophe(cell) ? cell.slice(1) : cell;
}

function needsApostrophe(text: string): boolean {
  let start = 0;
  while (text.charCodeAt(start) === APOSTROPHE) start += 1;
  if (start === text.length) return false;
  const first = text.charAt(start);
  if (FORMULA_SIGNS.includes(first) || first.trim() === '') return true;
  return text.charAt(text.length - 1).trim() === '';
}

/** Quotes a cell where needed, and a lone empty cell too, because a blank line is no row. */
function quote(cell: string, _: number, cells: readonly string[]): string {
  if (cell === '') return cells.length === 1 ? '""' : '';
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
