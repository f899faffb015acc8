/** Puts each deliberate bug into a copy of the project, and sees how soon the model catches it. */
import { PROJECT } from '../simulator/engine.ts';
import { copyWith } from '../simulator/mutate.ts';
import type { Share, Told } from './cores.ts';
import { runShareElsewhere } from './cores.ts';
import type { OrderMutant } from './mutants-paid-once.ts';
import { ORDER_MUTANTS } from './mutants.ts';

export interface CaughtOrder {
  readonly name: string;
  /** The rule that it broke first; null if it survived. */
  readonly by: string | null;
  /** After how many random schedules; 0 for an exhaustive search. */
  readonly schedules: number;
  readonly text: string;
}

/** A bug that survives so many schedules is not caught. */
const MOST_SCHEDULES = 1500;
const COPIED = ['src/domain', 'netlify/lib', 'supabase/migrations'];

/** @param names of those to try; all when empty */
export async function catchOrderMutants(
  cores: number,
  names: readonly string[],
): Promise<CaughtOrder[]> {
  const chosen = ORDER_MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const queue = [...chosen];
  const caught = new Map<string, CaughtOrder>();
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      caught.set(mutant.name, await catchOne(mutant));
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  return chosen.flatMap(({ name }) => caught.get(name) ?? []);
}

export function orderMutantLines(caught: readonly CaughtOrder[]): string[] {
  const width = Math.max(...caught.map(({ name }) => name.length));
  return caught.map(({ name, by, schedules, text }) => {
    const verdict = by === null ? 'SURVIVED' : `caught by ${by}`;
    const when = schedules === 0 ? 'in a search' : `after ${schedules} schedules`;
    return `${name.padEnd(width)}  ${verdict.padEnd(17)}  ${when.padEnd(20)}  ${text}`;
  });
}

async function catchOne(mutant: OrderMutant): Promise<CaughtOrder> {
  const share: Share = {
    from: 0,
    count: MOST_SCHEDULES,
    step: 1,
    scenarios: mutant.scenario === undefined ? [] : [mutant.scenario],
    project: copyWith(mutant, PROJECT, COPIED),
    stopsAtViolation: true,
  };
  let schedules = 0;
  let by: string | null = null;
  let text = '';
  await runShareElsewhere(share, (told: Told) => {
    if (told.kind === 'schedule') schedules += 1;
    const violation =
      told.kind === 'schedule' ? told.outcome.violations[0] : told.explored.found?.violation;
    if (violation) [by, text] = [violation.rule, violation.text.slice(0, 100)];
  });
  return { name: mutant.name, by, schedules, text };
}
