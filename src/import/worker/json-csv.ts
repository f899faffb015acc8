import type { RowValues } from '../../csv/rows.ts';
import { escapeCell, FORMULA_SIGN, mayHoldFormula, SEPARATOR } from '../../csv/write.ts';

/** Codes of characters. */
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const LAST_ASCII = 0x7f;
/** The characters below a space, escaped for a JSON string (RFC 8259, section 7). */
const CONTROLS = Array.from({ length: SPACE }, (_, code) => {
  const text = JSON.stringify(String.fromCharCode(code)).slice(1, -1);
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
});
const NEWLINE = CONTROLS[LINE_FEED]!; // CONTROLS has 32 elements
/** A control character becomes `\u0001`; a quotation mark becomes two, each with a backslash. */
const MOST_BYTES_PER_UNIT = 6;
/** Bytes around a cell: a comma, two quotation marks with their backslashes, an escaped `\n`. */
const BYTES_AROUND_CELL = 7;
const [UNQUOTED, QUOTED] = [false, true];

/** Bits: what a character means for the cell that it stands in. */
const MAY_SEPARATE = 1;
const MAY_BEGIN_FORMULA = 2;
const NEEDS_QUOTES = 4;
const IS_ESCAPED = 8;
const MAY_HOLD_FORMULA = MAY_SEPARATE | MAY_BEGIN_FORMULA;
/** By the code of an ASCII character. */
const BITS = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const char = String.fromCharCode(code);
  return (
    (SEPARATOR.test(char) ? MAY_SEPARATE : 0) |
    (FORMULA_SIGN.test(char) ? MAY_BEGIN_FORMULA : 0) |
    (code === COMMA ? NEEDS_QUOTES : 0) |
    (code < SPACE || code === QUOTE || code === BACKSLASH ? IS_ESCAPED : 0)
  );
});

/**
 * Writes CSV as the inside of a JSON string in UTF-8, character by character into one buffer. The bytes
 * equal those of `csvLine` and `escapeCell` after `JSON.stringify`. These would copy each row four times
 * from one string to the next, which takes too long for a million rows.
 */
export class JsonCsv {
  /** Bytes written so far. */
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;

  /** @param expected bytes to reserve; the buffer grows when they are not enough */
  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  /**
   * Adds a row of some of these values. At least one must not be empty, and all must be well-formed
   * UTF-16.
   *
   * @param columns the indices of the values to write, in the order in which to write them
   */
  addRow(values: RowValues, columns: readonly number[]): void {
    for (let i = 0; i < columns.length; i++) {
      const value = values[columns[i]!] ?? ''; // i < columns.length
      this.#makeRoom(BYTES_AROUND_CELL);
      if (i > 0) this.#bytes[this.length++] = COMMA;
      if (value !== '') this.#addCell(value);
    }
    this.#put(NEWLINE);
  }

  /** Copies the bytes before `end`. */
  copyUpTo(end: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, end);
  }

  /** Removes the bytes from `from` to before `to`. */
  cut(from: number, to: number): void {
    this.#bytes.copyWithin(from, to, this.length);
    this.length -= to - from;
  }

  #addCell(value: string): void {
    this.#makeRoom(value.length * MOST_BYTES_PER_UNIT + BYTES_AROUND_CELL);
    // No formula begins with a letter or digit, and trimming removes neither.
    const hasSafeEnds =
      isLetterOrDigit(value.charCodeAt(0)) && isLetterOrDigit(value.charCodeAt(value.length - 1));
    if (hasSafeEnds && this.#addAscii(value)) return;
    const cell = hasSafeEnds && !mayHoldFormula(value) ? value : escapeCell(value);
    this.#makeRoom(cell.length * MOST_BYTES_PER_UNIT + BYTES_AROUND_CELL);
    const start = this.length;
    if (this.#writeCell(cell, UNQUOTED)) return;
    this.length = start;
    this.#putQuote();
    this.#writeCell(cell, QUOTED);
    this.#putQuote();
  }

  /** Adds a cell of ASCII without formulas, and without characters that need an escape; returns false for others. */
  #addAscii(cell: string): boolean {
    const bytes = this.#bytes;
    const start = this.length;
    let at = start;
    let bits = 0;
    let codes = 0; // all codes joined by OR: greater than LAST_ASCII when one of them is
    for (let i = 0; i < cell.length; i++) {
      const code = cell.charCodeAt(i);
      bytes[at++] = code;
      codes |= code;
      bits |= BITS[code & LAST_ASCII]!; // the index is a code of ASCII
    }
    const needsFormulaTest = (bits & MAY_HOLD_FORMULA) === MAY_HOLD_FORMULA;
    if (codes > LAST_ASCII || bits & IS_ESCAPED || needsFormulaTest) return false;
    this.length = at;
    if (bits & NEEDS_QUOTES) {
      bytes.copyWithin(start + 2, start, at);
      this.length = start;
      this.#putQuote();
      this.length = at + 2;
      this.#putQuote();
    }
    return true;
  }

  /** Writes a cell. Stops and returns false when a cell that is not quoted turns out to need quotation marks. */
  #writeCell(cell: string, isQuoted: boolean): boolean {
    const bytes = this.#bytes;
    let at = this.length;
    for (let i = 0; i < cell.length; i++) {
      const code = cell.charCodeAt(i);
      if (needsNoEscape(code)) {
        bytes[at++] = code;
        continue;
      }
      this.length = at;
      if (code > LAST_ASCII) {
        i += this.#putMultibyte(cell, i);
      } else {
        const isLineBreak = code === LINE_FEED || code === CARRIAGE_RETURN;
        const needsQuotes = code === QUOTE || code === COMMA || isLineBreak;
        if (needsQuotes && !isQuoted) return false;
        if (code === QUOTE) this.#putQuote();
        this.#putEscaped(code);
      }
      at = this.length;
    }
    this.length = at;
    return true;
  }

  #putEscaped(code: number): void {
    if (code === QUOTE) this.#putQuote();
    else if (code < SPACE) this.#put(CONTROLS[code]!); // CONTROLS has SPACE elements
    else {
      if (code === BACKSLASH) this.#bytes[this.length++] = BACKSLASH;
      this.#bytes[this.length++] = code;
    }
  }

  /**
   * Writes a character of two to four bytes of UTF-8 (RFC 3629, section 3). Returns 1 if it takes two UTF-16
   * units, else 0.
   */
  #putMultibyte(cell: string, i: number): 0 | 1 {
    const bytes = this.#bytes;
    const point = cell.codePointAt(i) ?? 0;
    const continuation = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
    let at = this.length;
    if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        bytes[at++] = 0xe0 | (point >> 12);
      } else {
        bytes[at++] = 0xf0 | (point >> 18);
        bytes[at++] = continuation(12);
      }
      bytes[at++] = continuation(6);
    }
    bytes[at++] = continuation(0);
    this.length = at;
    return point < 0x10000 ? 0 : 1;
  }

  /** Writes a quotation mark as JSON escapes it. */
  #putQuote(): void {
    this.#bytes[this.length++] = BACKSLASH;
    this.#bytes[this.length++] = QUOTE;
  }

  #put(sequence: Uint8Array): void {
    for (const byte of sequence) this.#bytes[this.length++] = byte;
  }

  #makeRoom(bytes: number): void {
    let { length } = this.#bytes;
    if (this.length + bytes <= length) return;
    while (this.length + bytes > length) length *= 2;
    const longer = new Uint8Array(length);
    longer.set(this.#bytes.subarray(0, this.length));
    this.#bytes = longer;
  }
}

/** Whether a character needs no escape in CSV or JSON. */
function needsNoEscape(code: number): boolean {
  const isSpecial = code === QUOTE || code === COMMA || code === BACKSLASH;
  return code >= SPACE && code <= LAST_ASCII && !isSpecial;
}

/** Whether a code is that of an ASCII letter or digit. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
