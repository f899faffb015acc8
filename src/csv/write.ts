/**
 * Writes CSV that a spreadsheet opens without harm and that reads back as it was.
 *
 * A spreadsheet would run a cell that begins like a formula, so such a cell gets an apostrophe in
 * front. A cell with white space at either end gets one too, because reading trims. Reading removes
 * exactly one apostrophe from a cell that needs one. The text after the leading apostrophes decides
 * whether a cell needs one, so escaping and unescaping agree however often they run.
 *
 * A spreadsheet with another list separator splits a cell at it, and one that does not see the quotation
 * marks at a line break too. So an apostrophe also goes behind each separator that a formula follows.
 *
 * Source of the characters: OWASP, "CSV Injection". Spreadsheets take the full-width forms of Chinese
 * and Japanese keyboards for the same signs.
 */
const APOSTROPHE = 39;
const FORMULA_SIGNS = '=+-@＝＋－＠';
/** Where a spreadsheet may split a cell. Not at a comma, because a cell with one is quoted. */
const SEPARATORS = ';\t|\r\n';
export const SEPARATOR = /[;\t|\r\n]/;
/** What a spreadsheet may skip before a formula, and the apostrophe that is put there. */
const SKIPPED = /[\s"']/;

/** One line of a CSV file, with its line break. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\n`;
}

/** @returns the text as a cell that no spreadsheet takes for a formula */
export function escapeCell(text: string): string {
  const cell = piecesOf(text, formulasBehindSeparators(text)).join("'");
  return needsApostrophe(text) ? `'${cell}` : cell;
}

/**
 * The text that `escapeCell` was given; a cell that it cannot have written stays as it is. Builds before
 * escaped only the beginning of a cell, and their files are read, too.
 */
export function unescapeCell(cell: string): string {
  const isLed = cell.charCodeAt(0) === APOSTROPHE;
  const needsOne = needsApostrophe(cell);
  let text = cell;
  if ((isLed || !needsOne) && !hasFormulaBehindSeparator(cell)) {
    const [first = '', ...others] = piecesOf(cell, formulasBehindSeparators(cell));
    text = first + others.map((piece) => piece.slice(1)).join('');
  }
  return isLed && needsOne ? text.slice(1) : text;
}

/** Whether a formula follows a separator without an apostrophe between them. */
export function hasFormulaBehindSeparator(cell: string): boolean {
  return formulasBehindSeparators(cell).some((at) => cell.charCodeAt(at) !== APOSTROPHE);
}

function piecesOf(text: string, places: readonly number[]): string[] {
  return [0, ...places].map((at, i) => text.slice(at, places[i]));
}

/** The places behind separators where a formula begins. Apostrophes there change none. */
function formulasBehindSeparators(text: string): number[] {
  const places: number[] = [];
  if (!SEPARATOR.test(text)) return places;
  let isFormula = false;
  for (let i = text.length - 1; i >= 0; i -= 1) {
    const char = text.charAt(i);
    if (isFormula && SEPARATORS.includes(char)) places.push(i + 1);
    isFormula = FORMULA_SIGNS.includes(char) || (isFormula && SKIPPED.test(char));
  }
  return places.reverse();
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
