/**
 * Runs many schedules of a model over several cores, or one of them with its log. Each core has a process of its own,
 * which has libraries and memory of its own.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Model } from './model.ts';
import { failureLine, type Outcome, Totals } from './totals.ts';

/** The options of `npm run soak`. */
export interface SoakOptions {
  /** How many processes work at once. */
  readonly cores: number;
  /** The first seed. */
  readonly from: number;
  /** The only seed to run. */
  readonly seed?: number | undefined;
}

/** The seeds that one process runs, as plain data: `count` seeds, the first `from`, each larger by `step`. */
export interface Share {
  readonly from: number;
  readonly count: number;
  readonly step: number;
  /** A copy of the project in which to run; the project itself when absent. */
  readonly project?: string;
  /** Whether the first violation ends the share. */
  readonly stopsAtViolation?: boolean;
}

/**
 * Runs `count` schedules, or only the one of `options.seed`, and prints what came of them. Returns whether none
 * violates an invariant and, after many schedules, the model finds no shortcomings.
 */
export async function soak(model: Model, count: number, options: SoakOptions): Promise<boolean> {
  if (options.seed !== undefined) return runOneSeed(model, options.seed);
  let printed = 0;
  const totals = await runOverCores(model, count, options, ({ schedules, failing }) => {
    for (const failure of failing.slice(printed)) console.log(failureLine(model.task, failure));
    printed = failing.length;
    if (schedules % 1000 === 0) console.log(`${schedules} schedules, ${printed} violations`);
  });
  const shortcomings = model.shortcomings(totals);
  console.log([...totals.lines(), ...shortcomings].join('\n'));
  return totals.failing.length + shortcomings.length === 0;
}

async function runOneSeed(model: Model, seed: number): Promise<boolean> {
  const opened = await model.open();
  const outcome = await opened.run(seed, (line) => console.log(line));
  await opened.close();
  const totals = new Totals();
  totals.add(outcome);
  console.log(totals.lines().join('\n'));
  for (const failure of totals.failing) console.log(failureLine(model.task, failure));
  return totals.failing.length === 0;
}

/** The most schedules that one process runs, because it does not free all its memory: each leaves about 0.7 MB. */
const MAX_PER_PROCESS = 1000;

/** Runs `count` schedules, shared out over cores. */
export async function runOverCores(
  { task }: Model,
  count: number,
  { from, cores }: SoakOptions,
  onOutcome: (totals: Totals) => void = () => undefined,
): Promise<Totals> {
  const totals = new Totals();
  const add = (outcome: Outcome) => {
    totals.add(outcome);
    onOutcome(totals);
  };
  const runOnCore = async (core: number) => {
    const seeds = Math.ceil((count - core) / cores);
    for (let done = 0; done < seeds; done += MAX_PER_PROCESS) {
      const first = from + core + done * cores;
      const share = { from: first, count: Math.min(MAX_PER_PROCESS, seeds - done), step: cores };
      await runInOtherProcess(task, share, add);
    }
  };
  await Promise.all(Array.from({ length: cores }, (_, core) => runOnCore(core)));
  return totals;
}

/**
 * Runs a share of a task of `npm run soak` in another process.
 *
 * @param onOutcome called with each outcome when it comes
 * @throws when that process fails
 */
export function runInOtherProcess(
  task: string,
  share: Share,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, '../soak.ts');
    // Without the flags of this process, which may be one of Vitest's.
    const child = fork(script, ['share', task, JSON.stringify(share)], { execArgv: [] });
    child.on('message', (message) => onOutcome(message as Outcome)); // `runShare` sends nothing else
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the process of ${JSON.stringify(share)} ended with ${code}`));
    });
  });
}

/** Runs a share in this process and sends each outcome to the process that started this one. */
export async function runShare(model: Model, share: Share): Promise<void> {
  const { from, count, step, project, stopsAtViolation } = share;
  const opened = await model.open(project);
  for (let i = 0; i < count; i += 1) {
    const outcome = await opened.run(from + i * step);
    await send(outcome);
    if (stopsAtViolation && outcome.violations.length > 0) break;
  }
  await opened.close();
}

function send(outcome: Outcome): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('no other process started this one');
    process.send(outcome, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
