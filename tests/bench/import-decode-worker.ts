/**
 * The baseline of the check: reads a file in slices of a megabyte, decodes each slice while the next is read, and
 * discards the text. It uses no code of the shop, so a change of the import does not change the baseline.
 */
import { expose } from 'comlink';

const SLICE_BYTES = 1024 * 1024;

const worker = {
  /** Returns the number of characters. */
  async decode(file: File): Promise<number> {
    const decoder = new TextDecoder();
    const read = (offset: number) => file.slice(offset, offset + SLICE_BYTES).arrayBuffer();
    let chars = 0;
    let next = read(0);
    for (let offset = 0; offset < file.size; offset += SLICE_BYTES) {
      const bytes = await next;
      next = read(offset + SLICE_BYTES);
      chars += decoder.decode(bytes, { stream: true }).length;
    }
    return chars;
  },
};

export type DecodeWorker = typeof worker;

expose(worker);
