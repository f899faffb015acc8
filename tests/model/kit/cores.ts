/** Spreads a task over processes, one for each core. A process has libraries and memory of its own. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

const CHILD = join(import.meta.dirname, '../soak.ts');

/**
 * Runs a share of a task of `npm run soak` in another process, and returns the results that it sends.
 *
 * @param share plain data
 * @param onResult called with each result when it comes
 * @throws when that process fails
 */
export function runInOtherProcess<Result>(
  task: string,
  share: object,
  onResult: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const results: Result[] = [];
    // Without the flags of this process, which may be one of Vitest's.
    const child = fork(CHILD, ['share', task, JSON.stringify(share)], { execArgv: [] });
    child.on('message', (message) => {
      const result = message as Result; // the task sends nothing else
      results.push(result);
      onResult(result);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(results);
      else reject(new Error(`the process of ${JSON.stringify(share)} ended with ${code}`));
    });
  });
}

/**
 * Runs a share in one process after another, because a process does not free all its memory.
 *
 * @param maxPerProcess how many numbers of the share one process takes at most
 */
export async function runInTurns<Result>(
  task: string,
  share: NumberShare,
  maxPerProcess: number,
  onResult?: (result: Result) => void,
): Promise<Result[]> {
  const { from, count, step } = share;
  const results: Result[] = [];
  for (let done = 0; done < count; done += maxPerProcess) {
    const part = { from: from + done * step, count: Math.min(maxPerProcess, count - done) };
    results.push(...(await runInOtherProcess(task, { ...share, ...part }, onResult)));
  }
  return results;
}

/** Sends a result to the process that started this one with `runInOtherProcess`. */
export function sendResult(result: object): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('no other process started this one');
    process.send(result, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

/** Runs a task for every item, `atOnce` at a time. Returns the results in the order of the items. */
export async function inParallel<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const takeFromQueue = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, item] = next;
      results[index] = await task(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeFromQueue));
  return results;
}

/** The numbers that one process takes: `count` numbers, the first `from`, each larger by `step`. */
export interface NumberShare {
  readonly from: number;
  readonly count: number;
  readonly step: number;
}

/** Splits `count` consecutive numbers, the first of which is `from`, into one share for each core. */
export function shareOut(from: number, count: number, cores: number): NumberShare[] {
  return Array.from({ length: Math.min(cores, count) }, (_, core) => {
    return { from: from + core, count: Math.ceil((count - core) / cores), step: cores };
  });
}
