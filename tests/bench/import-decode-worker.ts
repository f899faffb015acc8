/**
 * The baseline of the check: reads a file in slices of a megabyte, the next one while it decodes one, and
 * discards the text. It uses nothing of the shop, so a change of the import does not change the baseline.
 */
import { expose } from 'comlink';

const SLICE_BYTES = 1024 * 1024;

const worker = {
  /** Returns the number of characters. */
  async decode(file: File): Promise<number> {
    const decoder = new TextDecoder();
    const read = (at: number) => file.slice(at, at + SLICE_BYTES).arrayBuffer();
    let next = read(0);
    let chars = 0;
    for (let at = 0; at < file.size; at += SLICE_BYTES) {
      const bytes = await next;
      next = read(at + SLICE_BYTES);
      chars += decoder.decode(bytes, { stream: true }).length;
    }
    return chars;
  },
};

export type DecodeWorker = typeof worker;

expose(worker);
