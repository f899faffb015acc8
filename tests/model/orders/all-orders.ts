/** Explores all scenarios, each in a process of its own. */
import { inParallel, runInOtherProcess, sendResult } from '../kit/cores.ts';
import { explore, type Explored } from './explore.ts';
import { SCENARIOS } from './scenarios.ts';
import { openSetup } from './schedule.ts';

/** What a process is to explore. */
export interface Search {
  readonly scenario: string;
  /** Explores to the scenario's `soakDepth`, but no deeper than this; to its `depth` when absent. */
  readonly maxDepth?: number;
  /** A copy of the project with a bug in it; the project itself when absent. */
  readonly project?: string;
}

/** Explores every scenario, at most `maxDepth` moves deep. Returns whether no invariant was violated. */
export async function exploreAll(maxDepth: number, cores: number): Promise<boolean> {
  const explored = await inParallel(cores, SCENARIOS, async ({ name }) => {
    const result = await exploreElsewhere({ scenario: name, maxDepth });
    console.log(exploredLine(result));
    return result;
  });
  return explored.every(({ failure }) => failure === null);
}

/** Explores a scenario in another process. @throws when there is no scenario of that name */
export async function exploreElsewhere(search: Search): Promise<Explored> {
  const [explored] = await runInOtherProcess<Explored>('all-orders', search);
  if (!explored) throw new Error(`there is no scenario "${search.scenario}"`);
  return explored;
}

/** Explores in this process, and sends the result to the process that started it. */
export async function runSearch({ scenario: name, maxDepth, project }: Search): Promise<void> {
  const setup = await openSetup(project);
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (scenario) {
    const { depth: testDepth, soakDepth } = scenario;
    const depth = maxDepth === undefined ? testDepth : Math.min(soakDepth, maxDepth);
    await sendResult(await explore({ ...scenario, depth }, setup));
  }
  await setup.database.close();
}

/** The result of an exploration, for the console. */
export function exploredLine({ scenario, depth, states, moves, paths, failure }: Explored): string {
  const counts = `${depth} moves deep, ${states} states, ${moves} moves, ${paths} ways`;
  if (!failure) return `${scenario}: ${counts}`;
  const { path, violation } = failure;
  return `${scenario}: breaks ${violation.invariant}: ${violation.text}\n  ${path.join('\n  ')}`;
}
