/**
 * Builds a CSV file. Text of a million characters becomes a blob of its own, because the browser may move a blob
 * out of memory.
 */
export class CsvBlob {
  #pieces: Blob[] = [];
  #lines: string[] = [];
  #chars = 0;

  constructor() {
    // Without the byte order mark Excel takes the file for Windows-1252.
    this.add('\ufeff');
  }

  /** @param line with its line break */
  add(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#chars >= PIECE_CHARS) this.#flush();
  }

  end(): Blob {
    this.#flush();
    return new Blob(this.#pieces, { type: 'text/csv;charset=utf-8' });
  }

  #flush(): void {
    this.#pieces.push(new Blob(this.#lines));
    this.#lines = [];
    this.#chars = 0;
  }
}

const PIECE_CHARS = 1024 * 1024;
