/**
 * Reads prices as people and programs write them, and returns text as the database takes it (`12.50`),
 * never by way of a floating-point number.
 *
 * Most texts show which mark is the decimal one: `1.234,56`, `12,5`, `1 234,00`. A text like `1,234`
 * does not, so it is rejected as ambiguous unless the caller fixes the mark. The reader counts the texts
 * that show a mark; afterwards the caller can read the column again under the mark that they agree on.
 * So the reading of a price depends on its text and the fixed mark, not on the prices before it.
 */
export type DecimalMark = '.' | ',';

export type PriceProblem =
  | 'price-not-a-number'
  | 'price-ambiguous'
  | 'price-decimals'
  | 'price-negative'
  | 'price-too-high';

/** A price as the database takes it, '' for none, or what is wrong with it. */
export type PriceReading =
  | {
      readonly ok: true;
      readonly text: string;
      /** Whether the price had more decimals than the shop stores. */
      readonly isRounded: boolean;
    }
  | { readonly ok: false; readonly problem: PriceProblem };

export interface PriceReader {
  read(text: string): PriceReading;
  /** The decimal mark that most prices so far show; a point where none shows one. */
  readonly mark: DecimalMark;
  /**
   * After the last price: the mark under which to read the whole column again, when the clear prices say
   * which mark the ambiguous ones have; otherwise null. Always null with a fixed mark.
   */
  readonly markForRereading: DecimalMark | null;
  /** The prices in another currency. Their amounts are stored as if they were in the shop's. */
  readonly foreign: ForeignPrices;
}

export interface ForeignPrices {
  readonly count: number;
  /** The first of them as it stands in the file. */
  readonly example: string;
}

/** The reading of one text, and the decimal mark that it shows. */
interface Parsed {
  readonly reading: PriceReading;
  readonly shows: DecimalMark | null;
}

/** A mark decides for a column when it is shown more than 100 times as often as the other mark. */
const CLEAR_MAJORITY = 100;

/** Whole digits of `numeric(12,2)`. */
const MAX_WHOLE_DIGITS = 10;

/** A regular expression, because lower case and a set would take a new text for each cell. */
const NO_VALUE = /^(?:-{1,3}|[–—?]|nan|n\/?a|n\.a\.|none|null|nil|undefined|unknown|tb[acd])$/i;

/** A longer text is no price; the regular expressions below need not search it. */
const MAX_PRICE_CHARS = 64;

/** Codes and words for currencies, as they stand before or behind an amount, or in a heading. */
const CODES =
  'AED AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KRW LKR MAD ' +
  'MXN MYR NOK NZD PHP PKR PLN RMB RON RUB SAR SEK SGD THB TND TRY TWD UAH USD VND ZAR ' +
  'Kč zł Ft lei грн TL RM R euro euros Euro Euros EURO dollar dollars';
/** Those that name another currency in a heading, where a single letter may mean anything. */
const FOREIGN_CODES = new Set([...CODES.split(' ').filter((code) => code.length > 1), 'Rs']);
for (const ours of ['USD', 'dollar', 'dollars']) FOREIGN_CODES.delete(ours);
/** Currencies that people also write with a full stop: `Rs.50` is fifty. */
const ABBREVIATIONS = 'Rs Fr SFr kr лв руб р Dh Dhs Rp';
const anyOf = (words: string) => words.replaceAll(' ', '|');
const CURRENCY = String.raw`(?:[a-z]{0,2}\p{Sc}(?:[a-z]{2})?|${anyOf(CODES)}|(?:${anyOf(ABBREVIATIONS)})\.?)`;
const CURRENCY_BEFORE = new RegExp(String.raw`^([-+]?)\s*${CURRENCY}(?=[-+\s\d.,\p{Sc}])\s*`, 'iu');
const CURRENCY_BEHIND = new RegExp(String.raw`(?<=[\s\d.,-])\s*${CURRENCY}$`, 'iu');

const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g;
const FULL_WIDTH = /[！-～]/g;
/** From an ASCII character to its full-width form. */
const FULL_WIDTH_OFFSET = 0xfee0;

/** `1 234,50`, `1'234.50`: groups whose separator is no decimal mark. */
const SPACED = /^(\d{1,3}(?:([^\S\t\r\n]|['’])\d{3})(?:\2\d{3})*)(?:([.,])(\d*))?$/;
const ONE_MARK = /^(\d*)(?:([.,])(\d*))?$/;
/** Includes the Indian form: `12,34,567.00`. */
const COMMA_GROUPS = /^(\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d*))?$/;
const DOT_GROUPS = /^(\d{1,3}(?:\.\d{2,3})*\.\d{3})(?:,(\d*))?$/;

/** Whether a text is one of the words for "none": `n/a`, `-`, `nan` … */
export function isNoValue(text: string): boolean {
  return text.length <= 'undefined'.length && NO_VALUE.test(text);
}

/** How prices name the shop's currency, the US dollar; in lower case. */
const OURS = new Set(['$', 'us$', 'us', 'usd', 'dollar', 'dollars']);
const SIGNS_AND_WORDS = /[A-Z]{0,2}\p{Sc}|\p{L}+/gu; // `R$` and `NZ$` are one sign

/** Whether a price that could be read names a currency other than the shop's. */
function isForeign(price: string): boolean {
  return signsAndWordsOf(price).some((word) => !OURS.has(word.toLowerCase()));
}

/** Whether a heading, such as `Price EUR` or `MRP (₹)`, names a currency other than the shop's. */
export function namesForeignCurrency(heading: string): boolean {
  return signsAndWordsOf(heading).some(
    (word) => FOREIGN_CODES.has(word) || (/\p{Sc}/u.test(word) && !OURS.has(word.toLowerCase())),
  );
}

/** Whether a cell in a column of currencies names another than the shop's: `EUR`, `€`. */
export function isForeignCurrency(cell: string): boolean {
  const words = signsAndWordsOf(cell);
  return words.length > 0 && words.every((word) => !OURS.has(word.toLowerCase()));
}

function signsAndWordsOf(text: string): readonly string[] {
  return asHalfWidth(text).match(SIGNS_AND_WORDS) ?? [];
}

/** Replaces the full-width forms of ASCII characters, as in `＄１２`. */
function asHalfWidth(text: string): string {
  return text.replace(FULL_WIDTH, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) - FULL_WIDTH_OFFSET),
  );
}

/** @param fixed the mark that the user or a first reading has chosen; null to detect it */
export function openPriceReader(fixed: DecimalMark | null): PriceReader {
  /** How many prices show each mark. */
  const shown = { '.': 0, ',': 0 };
  let hasAmbiguous = false;
  let foreign: ForeignPrices = { count: 0, example: '' };
  const majorityMark = () => (shown[','] > shown['.'] ? ',' : '.');

  return {
    read(text) {
      const plain = plainPrice(text);
      if (plain !== null) {
        if (text.includes('.')) shown['.'] += 1;
        return { ok: true, text: plain, isRounded: false };
      }
      const { reading, shows } = parsePrice(text, fixed);
      if (shows !== null) shown[shows] += 1;
      if (!reading.ok && reading.problem === 'price-ambiguous') hasAmbiguous = true;
      if (reading.ok && reading.text !== '' && isForeign(text)) {
        foreign = { count: foreign.count + 1, example: foreign.example || text };
      }
      return reading;
    },
    get foreign() {
      return foreign;
    },
    get mark() {
      return fixed ?? majorityMark();
    },
    get markForRereading() {
      const mark = majorityMark();
      const other = mark === ',' ? '.' : ',';
      return hasAmbiguous && shown[mark] > shown[other] * CLEAR_MAJORITY ? mark : null;
    },
  };
}

const [DOT, DIGIT_0, DIGIT_9] = [0x2e, 0x30, 0x39];

/** Reads the usual `12`, `12.5` and `12.50` without a regular expression; null for anything else. */
function plainPrice(text: string): string | null {
  const { length } = text;
  let dot = -1;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && dot < 0) dot = i;
    else if (code < DIGIT_0 || code > DIGIT_9) return null;
  }
  const wholeDigits = dot < 0 ? length : dot;
  if (wholeDigits === 0 || wholeDigits > MAX_WHOLE_DIGITS) return null;
  if (wholeDigits > 1 && text.startsWith('0')) return null;
  if (dot < 0) return `${text}.00`;
  const decimals = length - dot - 1;
  if (decimals === 2) return text;
  return decimals === 1 ? `${text}0` : null;
}

function parsePrice(text: string, fixed: DecimalMark | null): Parsed {
  const visible = asHalfWidth(text.trim().replace(INVISIBLE, '')).trim();
  if (visible === '' || isNoValue(visible))
    return { reading: { ok: true, text: '', isRounded: false }, shows: null };
  // `50¢` is half a dollar, not 50.
  if (visible.length > MAX_PRICE_CHARS || /[¢￠]/.test(visible))
    return reject('price-not-a-number');
  const { amount, isNegative } = withoutCurrency(visible);
  const parts = partsOf(amount, fixed);
  if (typeof parts === 'string') return reject(parts);
  const whole = parts.whole.replace(/\D/g, '').replace(/^0+/, '') || '0';
  const decimals = parts.decimals.padEnd(2, '0');
  const { shows } = parts;
  if (isNegative && /[1-9]/.test(whole + decimals)) return reject('price-negative', shows);
  if (whole.length > MAX_WHOLE_DIGITS) return reject('price-too-high', shows);
  const cut = `${whole}.${decimals.slice(0, 2)}`;
  const isRounded = /[1-9]/.test(decimals.slice(2));
  if (!isRounded) return { reading: { ok: true, text: cut, isRounded }, shows };
  // Three decimals may be meant for thousands. Shop systems write net prices with four or more.
  if (decimals.length < 4) return reject('price-decimals', shows);
  const cents = BigInt(cut.replace('.', '')) + (decimals[2]! >= '5' ? 1n : 0n); // it has four decimals
  const digits = String(cents).padStart(3, '0');
  const rounded = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return { reading: { ok: true, text: rounded, isRounded }, shows };
}

function reject(problem: PriceProblem, shows: DecimalMark | null = null): Parsed {
  return { reading: { ok: false, problem }, shows };
}

/** Strips `Rs.`, `€`, `USD`, the dash of `49,-` and `49/-`, and notes a minus sign or an accountant's `(12.50)`. */
function withoutCurrency(text: string): { amount: string; isNegative: boolean } {
  let amount = text.replace(/[−–—]/g, '-');
  const inBrackets = /^\(([^()]*)\)$/.exec(amount)?.[1];
  if (inBrackets !== undefined) amount = inBrackets.trim();
  // Twice, for `US$ 12.50 USD`.
  for (let i = 0; i < 2; i++) {
    amount = amount.replace(CURRENCY_BEFORE, '$1').replace(CURRENCY_BEHIND, '').trim();
  }
  amount = amount.replace(/(?<=\d)(?:[.,]-{1,2}|\/-)$/, '');
  const signed = /^([-+]?)\s*(.*?)\s*(-?)$/s.exec(amount) ?? [];
  const isNegative = inBrackets !== undefined || signed[1] === '-' || signed[3] === '-';
  return { amount: signed[2] ?? '', isNegative };
}

/** Splits an amount into the digits on both sides of the decimal mark, and the mark that it shows. */
function partsOf(
  amount: string,
  fixed: DecimalMark | null,
): { whole: string; decimals: string; shows: DecimalMark | null } | PriceProblem {
  const simple = ONE_MARK.exec(amount);
  if (simple) {
    const [, whole = '', mark, decimals = ''] = simple;
    if (whole + decimals === '') return 'price-not-a-number';
    // `1,234` could mean thousands or decimals; `0,234`, `1234,567` and `1,23` could not.
    if (decimals.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole)) {
      return { whole, decimals, shows: decimals === '' ? null : asMark(mark) };
    }
    if (fixed === null) return 'price-ambiguous';
    if (fixed === mark) return { whole, decimals, shows: null };
    return { whole: whole + decimals, decimals: '', shows: null };
  }
  const spaced = SPACED.exec(amount);
  if (spaced) {
    const [, whole = '', , mark, decimals = ''] = spaced;
    return { whole, decimals, shows: asMark(mark) };
  }
  const commas = COMMA_GROUPS.exec(amount);
  if (commas) return { whole: commas[1] ?? '', decimals: commas[2] ?? '', shows: '.' };
  const dots = DOT_GROUPS.exec(amount);
  if (dots) return { whole: dots[1] ?? '', decimals: dots[2] ?? '', shows: ',' };
  return 'price-not-a-number';
}

function asMark(mark: string | undefined): DecimalMark | null {
  return mark === '.' || mark === ',' ? mark : null;
}
