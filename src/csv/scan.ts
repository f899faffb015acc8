/**
 * Reads CSV one record at a time (RFC 4180, and the ways in which real files differ from it).
 *
 * A cell is quoted when a quotation mark is its first character. Inside, a doubled mark stands for
 * one; a mark that has only white space between it and the next delimiter or line break closes the
 * cell; any other mark belongs to the text, so that `"12" shelf"` can be read. A line break ends a
 * record outside quotes only. The scanner reads every character a fixed number of times, so no text
 * makes it slow.
 *
 * It reads the headings, and the records that are irregular in their quotation marks; Papa Parse reads the
 * regular records (`records.ts`).
 */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The end of a record: `\n` with or without a `\r` before it, or `\r` alone (old Macs). */
export type Newline = '\n' | '\r';

export interface Format {
  readonly delimiter: Delimiter;
  readonly newline: Newline;
}

export class RecordScanner {
  text = '';
  /** Where the next record begins. */
  at = 0;
  /** The line of the next record, from 1. */
  line: number;
  /** After `next` has returned null: whether the text ended inside quotes. */
  isQuoteOpen = false;
  /** Whether the last record has a stray mark in a cell of several lines: its quotes do not pair up. */
  isQuoteBroken = false;
  readonly #delimiter: Delimiter;
  readonly #newline: Newline;
  /** The next quotation mark at or after `at`; -1 for unknown, the text's length for none. */
  #quote = -1;

  constructor(delimiter: Delimiter, newline: Newline, firstLine: number) {
    this.#delimiter = delimiter;
    this.#newline = newline;
    this.line = firstLine;
  }

  /** Takes another text to read, and goes on counting lines. */
  load(text: string): void {
    this.text = text;
    this.at = 0;
    this.#quote = -1;
  }

  /** The cells of the next record, or null when the text ends before the record does. */
  next(): string[] | null {
    const { text, at } = this;
    this.isQuoteOpen = false;
    this.isQuoteBroken = false;
    if (this.#quote < at) {
      const quote = text.indexOf('"', at);
      this.#quote = quote < 0 ? text.length : quote;
    }
    const end = text.indexOf(this.#newline, at);
    if (this.#quote < (end < 0 ? text.length : end)) return this.#nextQuoted();
    if (end < 0) return null;
    this.at = end + 1;
    this.line += 1;
    return text.slice(at, this.#trimmedEnd(end)).split(this.#delimiter);
  }

  /** Reads a record that holds a quotation mark. */
  #nextQuoted(): string[] | null {
    const { text } = this;
    const cells: string[] = [];
    let { at, line } = this;
    let lineEnd = text.indexOf(this.#newline, at);
    for (;;) {
      let end: number;
      if (text[at] === '"') {
        const cell = this.#quotedCell(at);
        if (cell === null) return null;
        ({ end } = cell);
        cells.push(cell.value);
        if (lineEnd >= 0 && lineEnd < end) {
          line += cell.value.match(/\r\n?|\n/g)?.length ?? 0;
          this.isQuoteBroken ||= cell.hasStrayMark;
          lineEnd = text.indexOf(this.#newline, end);
        }
      } else {
        const restOfLine = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
        const length = restOfLine.indexOf(this.#delimiter);
        if (length < 0 && lineEnd < 0) return null;
        end = length < 0 ? lineEnd : at + length;
        cells.push(text.slice(at, length < 0 ? this.#trimmedEnd(end) : end));
      }
      at = end + 1;
      if (end === lineEnd) {
        this.at = at;
        this.line = line + 1;
        return cells;
      }
    }
  }

  /** Reads the quoted cell from `open` up to `end`. Null when the text ends before the cell does. */
  #quotedCell(open: number): { value: string; end: number; hasStrayMark: boolean } | null {
    const { text } = this;
    let hasStrayMark = false;
    for (let from = open + 1; ;) {
      const close = text.indexOf('"', from);
      this.isQuoteOpen = close < 0;
      if (this.isQuoteOpen) return null;
      from = close + 1;
      if (text[from] === '"') {
        from += 1;
        continue;
      }
      const end = this.#skipSpace(from);
      if (end === text.length) return null;
      if (text[end] === this.#delimiter || text[end] === this.#newline) {
        return { value: text.slice(open + 1, close).replaceAll('""', '"'), end, hasStrayMark };
      }
      hasStrayMark = true;
    }
  }

  /** Returns where the white space after a closing mark ends. */
  #skipSpace(at: number): number {
    let end = at;
    for (; end < this.text.length; end++) {
      const char = this.text[end];
      if (char !== ' ' && char !== '\t' && char !== '\r') break;
      if (char === this.#delimiter || char === this.#newline) break; // a tab or `\r` can be one
    }
    return end;
  }

  /** Leaves out the `\r` of a `\r\n`. */
  #trimmedEnd(end: number): number {
    return this.#newline === '\n' && this.text[end - 1] === '\r' ? end - 1 : end;
  }
}
