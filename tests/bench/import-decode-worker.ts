/** The import's baseline: reads and decodes a file as the import does, and discards the text. */
import { expose } from 'comlink';
import { readSlices } from '../../src/import/worker/file-text.ts';

const worker = {
  /** Returns the number of characters. */
  async decode(file: File): Promise<number> {
    const { signal } = new AbortController();
    let chars = 0;
    for await (const { text } of readSlices(file, { encoding: 'utf-8', signal })) {
      chars += text.length;
    }
    return chars;
  },
};

export type DecodeWorker = typeof worker;

expose(worker);
