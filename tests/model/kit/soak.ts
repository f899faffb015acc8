/** Runs many schedules of a model over several cores, or one of them with its log. */
import { type NumberShare, runInTurns, sendResult, shareOut } from './cores.ts';
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
  /** A copy of the project in which to run; the project itself when absent. */
  readonly project?: string | undefined;
}

/** The seeds that one process runs. */
export interface Share extends NumberShare {
  readonly project?: string | undefined;
  /** Whether the first violation ends the share. */
  readonly stopsAtViolation?: boolean;
}

/**
 * Runs `count` schedules, or only the one of `options.seed`, and prints what came of them. Returns whether none
 * violates an invariant and, after many schedules, the model finds no shortcomings.
 */
export async function soak(model: Model, count: number, options: SoakOptions): Promise<boolean> {
  if (options.seed !== undefined) return runOneSeed(model, options.seed, options.project);
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

async function runOneSeed(model: Model, seed: number, project?: string): Promise<boolean> {
  const opened = await model.open(project);
  const outcome = await opened.run(seed, (line) => console.log(line));
  await opened.close();
  const totals = new Totals();
  totals.add(outcome);
  console.log(totals.lines().join('\n'));
  for (const failure of totals.failing) console.log(failureLine(model.task, failure));
  return totals.failing.length === 0;
}

/** Runs `count` schedules, shared out over cores. */
export async function runOverCores(
  { task }: Model,
  count: number,
  { from, cores, project }: SoakOptions,
  onOutcome: (totals: Totals) => void = () => undefined,
): Promise<Totals> {
  const totals = new Totals();
  const add = (outcome: Outcome) => {
    totals.add(outcome);
    onOutcome(totals);
  };
  const shares = shareOut(from, count, cores).map((numbers): Share => ({ ...numbers, project }));
  await Promise.all(shares.map((share) => runInTurns(task, share, MAX_PER_PROCESS, add)));
  return totals;
}

/** The most schedules that one process runs: each leaves about 0.7 MB in its memory. */
const MAX_PER_PROCESS = 1000;

/** Runs a share in this process and sends each outcome to the process that started this one. */
export async function runShare(model: Model, share: Share): Promise<void> {
  const { from, count, step, project, stopsAtViolation } = share;
  const opened = await model.open(project);
  for (let i = 0; i < count; i += 1) {
    const outcome = await opened.run(from + i * step);
    await sendResult(outcome);
    if (stopsAtViolation && outcome.violations.length > 0) break;
  }
  await opened.close();
}
