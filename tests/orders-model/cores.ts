/** Spreads schedules over processes of their own. */
import { runElsewhere, tell } from '../simulator/cores.ts';
import { FakeDatabase } from './fake-database.ts';
import type { Explored } from './explore.ts';
import { explore } from './explore.ts';
import { loadFunctions } from './functions.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Outcome } from './schedule.ts';
import { runSchedule } from './schedule.ts';
import { Totals } from './totals.ts';

/** What a process does. */
export interface Share {
  /** Of random schedules: which seeds. */
  readonly from: number;
  readonly count: number;
  readonly step: number;
  /** Scenarios to go through, by their names. */
  readonly scenarios: readonly string[];
  /** Scenarios go to their own `deep`, and no deeper than this; to `depth` when absent. */
  readonly deepest?: number;
  /** A copy of the project with a bug in it; the project itself when absent. */
  readonly project?: string;
  readonly stopsAtViolation?: boolean;
}

export type Told =
  | { readonly kind: 'schedule'; readonly outcome: Outcome }
  | { readonly kind: 'scenario'; readonly explored: Explored };

export interface Plan {
  readonly from: number;
  readonly count: number;
  readonly cores: number;
  readonly onOutcome?: (totals: Totals) => void;
}

const TASK = 'orders-share';
const NO_SCHEDULES = { from: 0, count: 0, step: 1 };

/** Runs random schedules on several cores. */
export async function runOverCores({ from, count, cores, onOutcome }: Plan): Promise<Totals> {
  const totals = new Totals();
  const shares = Array.from({ length: cores }, (_, core): Share => ({
    from: from + core,
    count: Math.ceil((count - core) / cores),
    step: cores,
    scenarios: [],
  }));
  const add = (told: Told) => {
    if (told.kind !== 'schedule') return;
    totals.add(told.outcome);
    onOutcome?.(totals);
  };
  await Promise.all(shares.map((share) => runShareElsewhere(share, add)));
  return totals;
}

/** Goes through all scenarios to the bottom or this many moves deep, each on a core of its own. */
export async function exploreOverCores(cores: number, deepest: number): Promise<Explored[]> {
  const found = new Map<string, Explored>();
  const queue = SCENARIOS.map(({ name }) => name);
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const share: Share = { ...NO_SCHEDULES, scenarios: [name], deepest };
      await runShareElsewhere(share, (told) => {
        if (told.kind === 'scenario') found.set(told.explored.scenario, told.explored);
      });
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  return SCENARIOS.flatMap(({ name }) => found.get(name) ?? []);
}

/** Runs a share in another process. */
export function runShareElsewhere(share: Share, onTold: (told: Told) => void): Promise<void> {
  return runElsewhere(TASK, share, (told) => onTold(told as Told)); // as `runShare` tells it
}

/** Runs a share in this process and tells the one that asked for it. */
export async function runShare(share: Share): Promise<void> {
  const { from, count, step, scenarios, deepest, project, stopsAtViolation } = share;
  const database = await FakeDatabase.open(project);
  const functions = await loadFunctions(project);
  for (const scenario of SCENARIOS.filter(({ name }) => scenarios.includes(name))) {
    const depth = deepest === undefined ? scenario.depth : Math.min(scenario.deep, deepest);
    const explored = await explore({ ...scenario, depth }, { database, functions });
    await tell({ kind: 'scenario', explored } satisfies Told);
    if (stopsAtViolation && explored.found) return database.close();
  }
  for (let i = 0; i < count; i += 1) {
    const outcome = await runSchedule(from + i * step, { database, functions });
    await tell({ kind: 'schedule', outcome } satisfies Told);
    if (stopsAtViolation && outcome.violations.length > 0) break;
  }
  await database.close();
}
