/** Spreads work over processes of their own: what libraries keep in memory is then theirs too. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

const CHILD = join(import.meta.dirname, '../soak.ts');

/**
 * Runs a share of a task of `npm run soak` in another process, and returns what that tells.
 *
 * @param share plain data
 * @param onTold is given each result as it comes
 * @throws when that process fails
 */
export function runElsewhere<Told>(
  task: string,
  share: object,
  onTold: (told: Told) => void = () => undefined,
): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const results: Told[] = [];
    const child = fork(CHILD, ['share', task, JSON.stringify(share)], { execArgv: [] });
    child.on('message', (message) => {
      const told = message as Told; // what that task tells
      results.push(told);
      onTold(told);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(results);
      else reject(new Error(`the process of ${JSON.stringify(share)} ended with ${code}`));
    });
  });
}

/**
 * Runs a share in one process after another, each with at most so many of its numbers, so that what a
 * process keeps of its work does not pile up.
 */
export async function runInTurns<Told>(
  task: string,
  share: Numbers,
  most: number,
  onTold?: (told: Told) => void,
): Promise<Told[]> {
  const { from, count, step } = share;
  const results: Told[] = [];
  for (let done = 0; done < count; done += most) {
    const part = { from: from + done * step, count: Math.min(most, count - done) };
    results.push(...(await runElsewhere(task, { ...share, ...part }, onTold)));
  }
  return results;
}

/** Sends a result to the process that asked for a share. */
export function tell(told: object): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('no process asked for this share');
    process.send(told, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

/** Does the work for every item, so many at a time, and returns the results in the items' order. */
export async function inParallel<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const take = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, item] = next;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return results;
}

/** Which numbers a process takes: so many, from one on, each `step`-th. */
export interface Numbers {
  readonly from: number;
  readonly count: number;
  readonly step: number;
}

/** Deals out the numbers of a task, one share for each core. */
export function deal(from: number, count: number, cores: number): Numbers[] {
  return Array.from({ length: Math.min(cores, count) }, (_, core) => {
    return { from: from + core, count: Math.ceil((count - core) / cores), step: cores };
  });
}
