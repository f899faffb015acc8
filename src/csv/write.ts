/**
 * Writes CSV that a spreadsheet opens without harm and that reads back as it was.
 *
 * A spreadsheet would run a cell that begins like a formula, so such a cell gets an apostrophe in
 * front. A cell with white space at either end gets one too, because reading trims. The text after the
 * leading apostrophes decides whether a cell needs one. Reading removes exactly one apostrophe from such a
 * cell, so escaping and unescaping agree however often they run.
 *
 * A spreadsheet that expects another delimiter does not see the quotation marks, and splits a cell at its own
 * delimiter and at line breaks. So an apostrophe also goes behind each separator that a formula follows.
 *
 * Source of the characters: OWASP, "CSV Injection". Spreadsheets take the full-width forms of Chinese
 * and Japanese keyboards for the same signs.
 */
import type { Delimiter } from './format.ts';

const FORMULA_SIGN = /[=+\-@＝＋－＠]/;
/** Cells that are written as they stand, as most are: without separators, and with a letter or digit at each end. */
const PLAIN = /^(?:\w(?:[^,;|"\t\r\n]*\w)?)?$/;
/** Where a spreadsheet may split a cell. */
const SEPARATOR = /[,;\t|\r\n]/;
/** Between a separator and a formula: what a spreadsheet may skip, and the apostrophe of `escapeCell`. */
const SKIPPED = /[\s"']/;

/** One line of a CSV file, with its line break. The caller escapes formulas (`escapeCell`). */
export function csvLine(cells: readonly string[], delimiter: Delimiter = ','): string {
  return lineOf(
    cells.map((cell) => quote(cell, delimiter)),
    delimiter,
  );
}

/** One line of a CSV file with commas, from texts that a spreadsheet may take for formulas. */
export function escapedLine(texts: readonly string[]): string {
  const cells = texts.map((text) => (PLAIN.test(text) ? text : quote(escapeCell(text), ',')));
  return lineOf(cells, ',');
}

function lineOf(cells: readonly string[], delimiter: Delimiter): string {
  // A lone empty cell is quoted, because a blank line is no row.
  return cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.join(delimiter)}\n`;
}

/** @returns the text as a cell that no spreadsheet takes for a formula */
export function escapeCell(text: string): string {
  const cell = mayHoldFormula(text)
    ? splitAt(text, formulasBehindSeparators(text)).join("'")
    : text;
  return needsApostrophe(text) ? `'${cell}` : cell;
}

/**
 * The text that `escapeCell` was given. A cell that is not from `escapeCell` stays as it is, but loses an apostrophe
 * before a formula at its beginning, which WooCommerce writes too.
 */
export function unescapeCell(cell: string): string {
  const hasApostrophe = cell.startsWith("'");
  const isApostropheNeeded = needsApostrophe(cell);
  let text = cell;
  // A cell that lacks the apostrophe which it needs is not from `escapeCell`.
  if ((hasApostrophe || !isApostropheNeeded) && !hasFormulaBehindSeparator(cell)) {
    const [first = '', ...others] = splitAt(cell, formulasBehindSeparators(cell));
    text = first + others.map((piece) => piece.slice(1)).join('');
  }
  return hasApostrophe && isApostropheNeeded ? text.slice(1) : text;
}

/** Whether a formula follows a separator without an apostrophe between them. */
export function hasFormulaBehindSeparator(cell: string): boolean {
  return formulasBehindSeparators(cell).some((index) => cell[index] !== "'");
}

/** A quick test, false for most texts: whether a formula may stand behind a separator. */
function mayHoldFormula(text: string): boolean {
  return SEPARATOR.test(text) && FORMULA_SIGN.test(text);
}

function splitAt(text: string, indices: readonly number[]): string[] {
  return [0, ...indices].map((start, i) => text.slice(start, indices[i]));
}

/** The indices behind separators where a formula begins, with or without an apostrophe before it. */
function formulasBehindSeparators(text: string): number[] {
  const indices: number[] = [];
  if (!mayHoldFormula(text)) return indices;
  /** Whether a formula begins at the character last read, or behind it after characters that are skipped. */
  let isFormula = false;
  for (let i = text.length - 1; i >= 0; i -= 1) {
    const char = text.charAt(i);
    if (isFormula && SEPARATOR.test(char)) indices.push(i + 1);
    isFormula = FORMULA_SIGN.test(char) || (isFormula && SKIPPED.test(char));
  }
  return indices.reverse();
}

function needsApostrophe(text: string): boolean {
  let start = 0;
  while (text[start] === "'") start += 1;
  if (start === text.length) return false;
  const first = text.charAt(start);
  if (FORMULA_SIGN.test(first) || first.trim() === '') return true;
  return text.charAt(text.length - 1).trim() === '';
}

/** Puts quotation marks around a cell that needs them. */
function quote(cell: string, delimiter: Delimiter): string {
  return cell.includes(delimiter) || /[",\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
