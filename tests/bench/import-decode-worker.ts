/**
 * The import's baseline, which changes no more when the import does: reads a file in slices of a megabyte,
 * the next one while it decodes one, and discards the text.
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
