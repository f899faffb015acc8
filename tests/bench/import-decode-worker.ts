/**
 * The baselines of the check: reads a file in slices of a megabyte, decodes each slice while the next is read, and
 * discards the text, or does one thing with it. It uses no code of the shop, so a change of the import does not
 * change the baselines.
 */
import { expose } from 'comlink';
import Papa from 'papaparse';

const SLICE_BYTES = 1024 * 1024;

async function* textsOf(file: File): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const read = (offset: number) => file.slice(offset, offset + SLICE_BYTES).arrayBuffer();
  let next = read(0);
  for (let offset = 0; offset < file.size; offset += SLICE_BYTES) {
    const bytes = await next;
    next = read(offset + SLICE_BYTES);
    yield decoder.decode(bytes, { stream: true });
  }
}

/** The text in pieces of whole lines. The file has no line breaks in its cells. */
async function* linesOf(file: File): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textsOf(file)) {
    rest += text;
    const end = rest.lastIndexOf('\n') + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
}

const worker = {
  /** Returns the number of characters. */
  async decode(file: File): Promise<number> {
    let chars = 0;
    for await (const text of textsOf(file)) chars += text.length;
    return chars;
  },

  /** Parses the text with Papa Parse alone. Returns the number of rows. */
  async parse(file: File): Promise<number> {
    let rows = 0;
    for await (const lines of linesOf(file)) {
      const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });
      const { data } = parser.parse(lines, 0, true) as Papa.ParseResult<string[]>;
      rows += data.length;
    }
    return rows;
  },

  /** Keeps each line in a map, by its first two cells. Returns the number of rows. */
  async collect(file: File): Promise<number> {
    const map = new Map<string, string>();
    for await (const lines of linesOf(file)) {
      for (const line of lines.split('\n')) {
        const key = line.slice(0, line.indexOf(',', line.indexOf(',') + 1));
        map.set(key, line);
      }
    }
    return map.size;
  },
};

export type DecodeWorker = typeof worker;

expose(worker);
