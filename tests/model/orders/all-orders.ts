/** Goes through all scenarios, each in a process of its own. */
import { inParallel, runInOtherProcess, sendResult } from '../kit/cores.ts';
import { explore, type Explored } from './explore.ts';
import { FakeDatabase } from './fake-database.ts';
import { loadFunctions } from './functions.ts';
import { SCENARIOS } from './scenarios.ts';

export interface Search {
  /** Its name. */
  readonly scenario: string;
  /** It goes to the scenario's `deep`, and no deeper than this; to its `depth` when absent. */
  readonly deepest?: number;
  /** A copy of the project with a bug in it; the project itself when absent. */
  readonly project?: string;
}

/** Goes to the bottom or so many moves deep. Returns whether all is well. */
export async function exploreAll(deepest: number, cores: number): Promise<boolean> {
  const explored = await inParallel(cores, SCENARIOS, ({ name }) =>
    exploreElsewhere({ scenario: name, deepest }),
  );
  console.log(explored.map(exploredLine).join('\n'));
  return explored.every(({ found }) => found === null);
}

export async function exploreElsewhere(search: Search): Promise<Explored> {
  const [explored] = await runInOtherProcess<Explored>('all-orders', search);
  if (!explored) throw new Error(`there is no scenario "${search.scenario}"`);
  return explored;
}

/** Searches in this process and sends the result to the process that started this one. */
export async function runSearch({ scenario, deepest, project }: Search): Promise<void> {
  const database = await FakeDatabase.open(project);
  const functions = await loadFunctions(project);
  for (const each of SCENARIOS.filter(({ name }) => name === scenario)) {
    const depth = deepest === undefined ? each.depth : Math.min(each.deep, deepest);
    await sendResult(await explore({ ...each, depth }, { database, functions }));
  }
  await database.close();
}

export function exploredLine({ scenario, depth, states, moves, ways, found }: Explored): string {
  const counts = `${depth} moves deep, ${states} states, ${moves} moves, ${ways} ways`;
  if (!found) return `${scenario}: ${counts}`;
  const { path, violation } = found;
  return `${scenario}: breaks ${violation.invariant}: ${violation.text}\n  ${path.join('\n  ')}`;
}
