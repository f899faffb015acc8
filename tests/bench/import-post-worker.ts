/**
 * The baseline of sending: packs and posts parts that are ready. It uses the shop's packer and uploader in a
 * loop of its own, so a change of the import's loop does not change the baseline.
 */
import { expose } from 'comlink';
import { bodyOf, importCalls } from '../../src/remote/import-calls.ts';

/** Parts that are packed or on their way at once. */
const AT_ONCE = 3;

const worker = {
  /**
   * Posts again the parts that the import on this page has just sent (the bench's host keeps them at
   * `/parts.json`), and returns the milliseconds.
   */
  async post(): Promise<number> {
    const texts = (await (await fetch('/parts.json')).json()) as string[];
    const { upload } = importCalls(location.origin, (...request) => fetch(...request));
    const { signal } = new AbortController();
    const common = {
      importId: 'bench',
      totalParts: texts.length,
      fileName: '',
      fileDigest: '0'.repeat(64),
      blankCellsClear: false,
      isRange: false,
    };
    const startMs = performance.now();
    let next = 0;
    /** Takes one part after the other until none is left. */
    async function postInTurn(): Promise<void> {
      for (let part = next++; part < texts.length; part = next++) {
        const csv = texts[part]!; // part < texts.length
        const answer = await upload('bench', await bodyOf({ ...common, csv, part }), signal);
        if (!answer.ok) throw new Error(`a part was rejected: ${JSON.stringify(answer.failure)}`);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, postInTurn));
    return performance.now() - startMs;
  },
};

export type PostWorker = typeof worker;

expose(worker);
