/**
 * The rules for one cell: the value to store, and the problems with it. One scan of the characters decides which
 * of the slower rules a text needs.
 */
import type { ProblemCode } from './problems.ts';
import { isNoValue } from './price.ts';
import { unescapeCell } from './write.ts';
import { TEXT_LIMITS } from './columns.ts';

/** How one cell reads. */
export interface CellReading {
  /** The value to store; '' for none, and for a rejected cell. */
  readonly value: string;
  /** Why the whole row is rejected. */
  readonly problem: ProblemCode | null;
  readonly warning: ProblemCode | null;
}

const EMPTY: CellReading = { value: '', problem: null, warning: null };
/** The reading of a cell that holds one of Excel's errors: blank, with a warning. */
export const EXCEL_ERROR: CellReading = { ...EMPTY, warning: 'excel-error' };
const reject = (problem: ProblemCode): CellReading => ({ ...EMPTY, problem });

/**
 * `#REF!`, `#NAME?` and `#DIV/0!` in any language, the words for a missing value in those of our headings, the
 * `####` of a column that was too narrow, and LibreOffice's `Err:502`.
 */
const ERROR_TEXT =
  /^(?:#(?:[¡¿]?[\p{Lu}_]+(?:\/0)?[!?]|N\/[ABD]!?|n\/a|NV|YOK|GETTING_DATA|#+)|Err:\d{3})$/u;
/** `1.23E+11`: the form in which Excel shows and saves a long number. */
const EXCEL_NUMBER = /^\d(?:[.,]\d+)?E\+\d+$/i;
/** How the months begin in short, in the languages of our headings. */
const MONTHS =
  'jan feb mar apr may jun jul aug sep oct nov dec mär mrz mai okt dez fév avr jui aoû déc ene abr ago dic ' +
  'gen mag giu lug set ott fev out mrt mei sty lut kwi maj cze lip sie wrz paź lis gru oca şub nis haz tem ' +
  'ağu eyl eki kas ara';
/** `Oct` or `oct`. Excel writes none in capitals, so a stock code `OCT-12` is what somebody has typed. */
const MONTH = `(?:${MONTHS.replace(/(\S)(\S+)/g, (_, first: string, rest: string) => `[${first}${first.toUpperCase()}]${rest}`).replaceAll(' ', '|')})`;
const YEAR = String.raw`(?:19|20)\d\d`;
/** The forms in which spreadsheets save what they have taken for a date: `10-12` becomes `12-Oct` or `10. Dez`. */
const DATE = new RegExp(
  [
    // `12-Oct`, `10. Dez 26`, `10-févr.`
    String.raw`^(?:\d{1,2}[-./] ?${MONTH}\p{Ll}?\.?(?:[-./ ]\d\d(?:\d\d)?)?`,
    // `Oct-12`, `Jun 36`
    String.raw`${MONTH}(?:\p{Ll}?\.?[-./]| )\d\d(?:\d\d)?`,
    String.raw`\d{1,2}(?<mark>[-./])\d{1,2}\k<mark>${YEAR}`,
    String.raw`${YEAR}-\d\d-\d\d(?: 00:00:00)?`,
    String.raw`\d{1,2}月\d{1,2}日)$`,
  ].join('|'),
  'u',
);

/*
 * Plain cells, which are stored as they stand where they are not too long. Most cells are plain, so that they need
 * none of the rules below.
 */
/** Without `+`, which is in the long numbers of Excel. */
export const PLAIN_CODE = /^[\w./-]+$/;
/** A plain host, and without the space and , ; | that may separate links. */
export const PLAIN_LINK = /^https?:\/\/[A-Za-z0-9.-]+(?:\/[!-+\--:<-{}~]*)?$/;
/**
 * For a character class: the letters of most scripts, and punctuation that a phone's keyboard writes. White space
 * and invisible characters lie in the gaps between these ranges.
 */
const LETTERS = String.raw`\u00a1-\u00ac\u00ae-\u024f\u0370-\u167f\u2010-\u2027\u3041-\u9fff\uac00-\ud7a3`;
/** Printable ASCII without the apostrophe, which `escapeCell` may have written, and without `<` and `&` of markup. */
const OTHER = `[ -%(-;=-~${LETTERS}]`;
/**
 * No white space at the ends. Errors of spreadsheets begin with `#` or `Err:`, and formulas with `=`. An apostrophe
 * may follow a letter.
 */
export const PLAIN_TEXT = new RegExp(`^(?!Err:|[ #=])${OTHER}+(?:(?<=[A-Za-z])'${OTHER}*)*(?<! )$`);

/** The kinds of unusual characters that a text can hold; a bit each. */
const LINE_BREAK_OR_TAB = 1;
const CONTROL = 2;
const INVISIBLE = 4;
/** U+FFFD, which a decoder writes in place of bytes that it cannot read. */
const REPLACEMENT = 8;
const SURROGATE = 16;
const HIDDEN = LINE_BREAK_OR_TAB | INVISIBLE;

/**
 * Removes from a cell what is not part of its value: the apostrophes of `escapeCell`, white space around
 * it, or the formula `="000123"` that some programs write so that Excel keeps the zeros.
 */
export function unwrapCell(cell: string): string {
  if (cell === '') return cell;
  const first = cell.charAt(0);
  const last = cell.charAt(cell.length - 1);
  // Printable ASCII at both ends needs no trimming; `=` may begin `="000123"`.
  const isPlain = first >= '!' && first <= '~' && first !== '=' && last >= '!' && last <= '~';
  if (isPlain && !cell.includes("'")) return cell;
  const unescaped = unescapeCell(cell);
  if (unescaped !== cell) return unescaped;
  const text = cell.trim();
  if (!text.startsWith('="') || !text.endsWith('"') || text.length < 3) return text;
  return text.slice(2, -1).replaceAll('""', '"').trim();
}

/** Reads a stock code as text: `000123` keeps its zeros. */
export function readSkc(cell: string): CellReading {
  const text = unwrapCell(cell);
  // `unwrapCell` keeps white space behind an apostrophe, so the text may be white space alone.
  if (text.trim() === '') return reject('skc-missing');
  if (text.includes('+') && EXCEL_NUMBER.test(text)) return reject('skc-excel-number');
  const reading = readKey(text, TEXT_LIMITS.SKC, 'skc-too-long');
  return unusualIn(reading.value) & LINE_BREAK_OR_TAB ? reject('skc-line-break') : reading;
}

export function readSize(cell: string): CellReading {
  const text = unwrapCell(cell);
  return isNoValue(text) ? EMPTY : readKey(text, TEXT_LIMITS.Size, 'size-too-long');
}

/** Reads a stock code or size. They identify the product, so dates and invisible characters in them are reported. */
function readKey(text: string, limit: number, tooLong: ProblemCode): CellReading {
  const reading = readLimited(text, limit, tooLong);
  if (reading === EXCEL_ERROR) return reject('key-excel-error');
  if (reading.warning !== null) return reading;
  if (isExcelDate(reading.value)) return { ...reading, warning: 'key-excel-date' };
  return unusualIn(reading.value) & HIDDEN ? { ...reading, warning: 'hidden-character' } : reading;
}

export function readText(cell: string, limit: number): CellReading {
  const text = withoutMarkup(unwrapCell(cell));
  return isNoValue(text) ? EMPTY : readLimited(text, limit, 'text-too-long');
}

/** The characters that programs write as entities, without the ampersand and semicolon. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text of a cell that holds HTML, as exports of shop systems do: `Tops &amp; Tees`, `<ul><li>Cotton</li></ul>`. */
function withoutMarkup(cell: string): string {
  if (!/<[a-z/!]|&(?:#\d|\w)/i.test(cell)) return cell;
  return cell
    .replace(/<[a-z/!][^<>]{0,1000}>/gi, ' ')
    .replace(/&(?:#(\d{1,6})|(\w{2,4}));/g, (whole, code?: string, name?: string) =>
      code === undefined ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param tooLong the problem of a text with more characters than `limit` */
function readLimited(text: string, limit: number, tooLong: ProblemCode): CellReading {
  if (text === '') return EMPTY;
  if (text.length > limit && hasMoreCharacters(text, limit)) return reject(tooLong);
  const unusual = unusualIn(text);
  if (unusual & CONTROL) return reject('control-character');
  if (unusual & SURROGATE && !text.isWellFormed()) return reject('broken-character');
  if (isExcelError(text)) return EXCEL_ERROR;
  return { value: text, problem: null, warning: unusual & REPLACEMENT ? 'lost-letters' : null };
}

/** Reads a picture's link, or the first of several: `http(s)` or a path (`/pictures/tee.svg`). */
export function readPicture(cell: string): CellReading {
  const text = unwrapCell(cell);
  if (text === '' || isNoValue(text)) return EMPTY;
  const limit = TEXT_LIMITS['Images link'];
  if (PLAIN_LINK.test(text) && text.length <= limit) return { ...EMPTY, value: text };
  const link = firstLink(text);
  const reading = readLimited(link, limit, 'picture-too-long');
  // A product without its picture is worth more than no product.
  if (reading.problem === 'picture-too-long') return { ...EMPTY, warning: reading.problem };
  if (reading.value === '') return reading;
  const problem = problemOfLink(link);
  if (problem === 'picture-password') return reject(problem);
  if (problem !== null) return { ...EMPTY, warning: problem };
  const isAlone = text.slice(link.length).trim().length < 2;
  return isAlone ? reading : { ...reading, warning: 'picture-several' };
}

/** The text before a second link. A comma or semicolon that no link follows belongs to the link. */
function firstLink(text: string): string {
  const next = text.startsWith('/') ? /[\s,;|]\// : /[\s,;|]https?:\/\//i;
  let end = text.search(next);
  if (end <= 0) end = text.length;
  while (end > 0 && /[\s,;|]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function problemOfLink(link: string): ProblemCode | null {
  // A path of the shop itself. A browser takes `//host` and `/\host` for other sites.
  if (/^\/(?![/\\])/.test(link)) return null;
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return 'picture-not-a-link';
  const { username, password } = new URL(link);
  return username + password === '' ? null : 'picture-password';
}

/** Whether the cell holds an error that Excel or another spreadsheet has written in place of a value. */
export function isExcelError(text: string): boolean {
  return (text.startsWith('#') || text.startsWith('Err:')) && ERROR_TEXT.test(text);
}

/** Whether a stock code or size is a date, as which spreadsheets read and save `10-12`. */
export function isExcelDate(text: string): boolean {
  const { length } = text;
  // Most sizes are shorter, and the regular expression need not be tried.
  return length > 3 && length < 20 && DATE.test(text);
}

/** The labels of rows with totals, which are no products. */
const TOTAL =
  /^\s*(?:(?:grand|sub|net)?[\s-]*totals?|sum|(?:gesamt)?summe|gesamt|insgesamt|zwischensumme|totaux|sous-total|totale|totales|suma|soma|totaal|razem|ogółem|toplam|genel toplam|合计|总计|小计)[\s:.]*$/i;

/** Whether a cell in the column of stock codes holds the label of a total, such as `Total` or `Summe:`. */
export function isTotal(code: string): boolean {
  // Most stock codes end in a digit, and then the regular expression need not be tried.
  const last = code.charCodeAt(code.length - 1);
  return code.length < 30 && !(last >= 48 && last <= 57) && TOTAL.test(code);
}

/** Counts code points, not UTF-16 units, so that an emoji is one character. */
function hasMoreCharacters(text: string, limit: number): boolean {
  return text.length > limit * 2 || Array.from(text).length > limit;
}

/** The bits of the unusual characters in a text. */
function unusualIn(text: string): number {
  let unusual = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x20 && code <= 0x7e) continue; // printable ASCII
    if (isLineBreakOrTab(code)) unusual |= LINE_BREAK_OR_TAB;
    else if (code < 0xa0) unusual |= CONTROL;
    else if (code >= 0xd800 && code < 0xe000) unusual |= SURROGATE;
    else if (code === 0xfffd) unusual |= REPLACEMENT;
    else if (isInvisible(code)) unusual |= INVISIBLE;
  }
  return unusual;
}

/** The line breaks are those that `.` in a regular expression does not match. */
function isLineBreakOrTab(code: number): boolean {
  return code === 0x09 || code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

/** Unusual spaces, soft hyphen, zero-width spaces and joiners, direction marks, byte order mark. */
function isInvisible(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0xad ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x3000 ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  );
}
