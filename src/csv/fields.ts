/**
 * The rules for one cell: the value to store, and the problems with it. Made for a million rows: usual
 * texts pass one scan of their characters, and only unusual ones run a regular expression.
 */
import type { ProblemCode } from './problems.ts';
import { isNoValue } from './price.ts';
import { unescapeCell } from './write.ts';
import { TEXT_LIMITS } from './columns.ts';

/** The outcome for one cell. With a problem, the value has no meaning. */
export interface Verdict {
  /** The value to store; '' for none. */
  readonly value: string;
  readonly problem: ProblemCode | null;
  readonly warning: ProblemCode | null;
}

export type ReadCell = (cell: string) => Verdict;

const EMPTY: Verdict = { value: '', problem: null, warning: null };
const reject = (problem: ProblemCode): Verdict => ({ value: '', problem, warning: null });

const EXCEL_ERROR =
  /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|FIELD!|BUSY!|BLOCKED!|UNKNOWN!|CONNECT!|GETTING_DATA|NV|BEZUG!|WERT!|ZAHL!|VALEUR!|NOM\?|NOMBRE!|#+)$/i;
/** `1.23E+11`: the form in which Excel shows and saves a long number. */
const EXCEL_NUMBER = /^\d(?:[.,]\d+)?E\+\d+$/i;
const EQUALS = 61;

/** Bits for the unusual characters in a text. */
const BREAK = 1;
const CONTROL = 2;
const HIDDEN = 4;
const LOST = 8;
const SURROGATE = 16;

/**
 * Removes from a cell what is not part of its value: the apostrophes of `escapeCell`, white space around
 * it, or the formula `="000123"` that some programs write so that Excel keeps the zeros.
 */
export function textOf(cell: string): string {
  const { length } = cell;
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(length - 1);
  const isPlain = first > 39 && first < 127 && first !== EQUALS && last > 32 && last < 127;
  if (isPlain && !cell.includes("'")) return cell;
  const unescaped = unescapeCell(cell);
  if (unescaped !== cell) return unescaped;
  const text = cell.trim();
  if (!text.startsWith('="') || !text.endsWith('"') || text.length < 3) return text;
  return text.slice(2, -1).replaceAll('""', '"').trim();
}

/** Reads a stock code as text: `000123` keeps its zeros. */
export function readSkc(cell: string): Verdict {
  const text = textOf(cell);
  // `textOf` keeps white space behind an apostrophe, so a cell of white space alone is caught here.
  if (text.trim() === '') return reject('skc-missing');
  if (text.includes('+') && EXCEL_NUMBER.test(text)) return reject('skc-excel-number');
  return readKey(text, TEXT_LIMITS.SKC, 'skc-too-long');
}

export function readSize(cell: string): Verdict {
  return readKey(textOf(cell), TEXT_LIMITS.Size, 'size-too-long');
}

/** Reads SKC or Size. They identify the product, so invisible characters in them are reported. */
function readKey(text: string, limit: number, tooLong: ProblemCode): Verdict {
  const verdict = readPlain(text, limit, tooLong, BREAK | HIDDEN);
  return verdict.warning === 'excel-error' ? reject('key-excel-error') : verdict;
}

export function readText(cell: string, limit: number): Verdict {
  return readPlain(textOf(cell), limit, 'text-too-long', 0);
}

function readPlain(text: string, limit: number, tooLong: ProblemCode, reported: number): Verdict {
  if (text === '') return EMPTY;
  if (text.length > limit && isLonger(text, limit)) return reject(tooLong);
  const marks = marksOf(text);
  if (marks & CONTROL) return reject('control-character');
  if (marks & SURROGATE && !text.isWellFormed()) return reject('broken-character');
  if (isExcelError(text)) return { ...EMPTY, warning: 'excel-error' };
  const warning = marks & LOST ? 'lost-letters' : marks & reported ? 'hidden-character' : null;
  return { value: text, problem: null, warning };
}

/** Reads a picture's link, or the first of several: `http(s)` or a path (`/pictures/tee.svg`). */
export function readPicture(cell: string): Verdict {
  const text = textOf(cell);
  if (text === '' || isNoValue(text)) return EMPTY;
  if (isPlainLink(text) && text.length <= TEXT_LIMITS['Images link']) {
    return { value: text, problem: null, warning: null };
  }
  const link = firstLink(text);
  const verdict = readPlain(link, TEXT_LIMITS['Images link'], 'picture-too-long', 0);
  if (verdict.value === '') return verdict;
  const problem = problemOfLink(link);
  if (problem !== null) return reject(problem);
  return link === text ? verdict : { ...verdict, warning: 'picture-several' };
}

/** Cuts the text before a second link. A comma or semicolon without a link after it stays in. */
function firstLink(text: string): string {
  for (const { index } of text.slice(1).matchAll(/[\s,;|]https?:\/\//gi)) {
    let end = index + 1;
    while (end > 0 && /[\s,;|]/.test(text.charAt(end - 1))) end -= 1;
    if (end > 0) return text.slice(0, end);
  }
  return text;
}

/** Whether a text is `http(s)://`, a host of letters, digits, dots and hyphens, and usual characters. */
function isPlainLink(text: string): boolean {
  if (!text.startsWith('https://') && !text.startsWith('http://')) return false;
  const host = text.indexOf('/') + 2;
  let at = host;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 47) break;
    if (!isLetterOrDigit(code) && code !== 45 && code !== 46) return false;
  }
  if (at === host) return false;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Not from `!` to `~`, or one of , ; | that may separate links.
    if (code < 33 || code > 126 || code === 44 || code === 59 || code === 124) return false;
  }
  return true;
}

function problemOfLink(link: string): ProblemCode | null {
  if (/^\/(?![/\\])/.test(link)) return null;
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return 'picture-not-a-link';
  const { username, password } = new URL(link);
  return username + password === '' ? null : 'picture-password';
}

/** Whether the cell holds one of Excel's errors, or the `####` of a column that was too narrow. */
export function isExcelError(text: string): boolean {
  return text.charCodeAt(0) === 35 && text.length < 16 && EXCEL_ERROR.test(text);
}

/** Counts characters as people do, not UTF-16 units. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit * 2 || Array.from(text).length > limit;
}

function isLetterOrDigit(code: number): boolean {
  return (code > 96 && code < 123) || (code > 47 && code < 58) || (code > 64 && code < 91);
}

function marksOf(text: string): number {
  let marks = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 31 && code < 127) continue;
    if (code < 160) marks |= code === 9 || code === 10 || code === 13 ? BREAK : CONTROL;
    else if (code >= 0xd800 && code < 0xe000) marks |= SURROGATE;
    else if (code === 0xfffd) marks |= LOST;
    else if (isInvisible(code)) marks |= HIDDEN;
  }
  return marks;
}

/** Soft hyphen, zero-width spaces and joiners, direction marks, byte order mark. */
function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  );
}
