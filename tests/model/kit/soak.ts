/** Runs many schedules of a model over several cores, or tells one of them. */
import { deal, type Numbers, runInTurns, tell } from './cores.ts';
import type { Model } from './model.ts';
import { failureLine, type Outcome, Totals } from './totals.ts';

export interface SoakOptions {
  readonly cores: number;
  /** The first seed. */
  readonly from: number;
  /** The only seed; for `fuzz`, the one that its requests are drawn from. */
  readonly seed?: number | undefined;
  /** A copy of the project to run them in; the project itself when absent. */
  readonly project?: string | undefined;
}

/** Which seeds a process runs. */
export interface Share extends Numbers {
  readonly project?: string | undefined;
  readonly stopsAtViolation?: boolean;
}

/** Returns whether all is well. */
export async function soak(model: Model, count: number, options: SoakOptions): Promise<boolean> {
  if (options.seed !== undefined) return tellOne(model, options.seed, options.project);
  let shown = 0;
  const totals = await runOverCores(model, count, options, ({ schedules, failing }) => {
    for (const failure of failing.slice(shown)) console.log(failureLine(model.task, failure));
    shown = failing.length;
    if (schedules % 1000 === 0) console.log(`${schedules} schedules, ${shown} violations`);
  });
  const shortcomings = model.shortcomings(totals);
  console.log([...totals.lines(), ...shortcomings].join('\n'));
  return totals.failing.length + shortcomings.length === 0;
}

async function tellOne(model: Model, seed: number, project?: string): Promise<boolean> {
  const open = await model.open(project);
  const outcome = await open.run(seed, (line) => console.log(line));
  await open.close();
  const totals = new Totals();
  totals.add(outcome);
  console.log(totals.lines().join('\n'));
  for (const failure of totals.failing) console.log(failureLine(model.task, failure));
  return totals.failing.length === 0;
}

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
  const shares = deal(from, count, cores).map((numbers): Share => ({ ...numbers, project }));
  await Promise.all(shares.map((share) => runInTurns(task, share, MOST_IN_A_PROCESS, add)));
  return totals;
}

/** A process keeps some 0.7 MB of each schedule. */
const MOST_IN_A_PROCESS = 1000;

/** Runs a share in this process and tells each outcome to the one that asked for it. */
export async function runShare(model: Model, share: Share): Promise<void> {
  const { from, count, step, project, stopsAtViolation } = share;
  const open = await model.open(project);
  for (let i = 0; i < count; i += 1) {
    const outcome = await open.run(from + i * step);
    await tell(outcome);
    if (stopsAtViolation && outcome.violations.length > 0) break;
  }
  await open.close();
}
