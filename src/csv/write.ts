/**
 * Writing CSV that a spreadsheet opens without harm and that reads back as it was.
 *
 * A cell that begins like a formula would be run by a spreadsheet, so it gets an apostrophe in
 * front; the same keeps white space at either end, which reading trims. Reading takes exactly one
 * apostrophe off a cell that needs one. Whether a cell needs one is asked of the text behind its
 * leading apostrophes, so escaping and unescaping always agree, however often it is done.
 *
 * Source of the characters: OWASP, "CSV Injection"; the full-width forms are what a spreadsheet
 * with a Chinese or Japanese keyboard takes for the same signs.
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

/** A lone empty cell is quoted too: as a blank line it would not be a row. */
function quote(cell: string, _: number, cells: readonly string[]): string {
  if (cell === '') return cells.length === 1 ? '""' : '';
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
