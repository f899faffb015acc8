/**
 * Mutation testing. Each mutant, a deliberate bug, is put into a copy of the project. The model then runs random
 * schedules against this copy, and must find a violation.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from './model.ts';
import { applyMutant, type Mutant, parseMutants } from './patch.ts';
import { PROJECT } from './project.ts';
import { runInOtherProcess, type Share, type SoakOptions } from './soak.ts';
import type { Outcome } from './totals.ts';

/** The mutants that a model must catch, and how long it looks for each. */
export interface MutantPlan {
  readonly model: Model;
  readonly mutants: readonly Mutant[];
  /** Folders of the project that the model needs in the copy. */
  readonly copied: readonly string[];
  /** A mutant survives when this many random schedules find no violation. */
  readonly maxSchedules: number;
}

/** The `tsconfig.json` of each copied folder extends this file. */
const BASE_CONFIG = '.tsconfig.base.json';

/** Reads the mutants of patch files (patch.ts). @param files their names in `folder` */
export function readMutants(folder: string, files: readonly string[]): readonly Mutant[] {
  return files.flatMap((file) => parseMutants(readFileSync(join(folder, file), 'utf8')));
}

/** The mutants of these names, or all when `names` is empty. @throws when no mutant has one of the names */
function mutantsNamed(mutants: readonly Mutant[], names: readonly string[]): readonly Mutant[] {
  const missing = names.find((name) => mutants.every((mutant) => mutant.name !== name));
  if (missing !== undefined) throw new Error(`no mutant is named "${missing}"`);
  return mutants.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Tries the mutants of these names, or all when `names` is empty. Returns whether the model catches each. */
export async function catchMutants(
  plan: MutantPlan,
  names: readonly string[],
  { cores }: SoakOptions,
): Promise<boolean> {
  const mutants = mutantsNamed(plan.mutants, names);
  const queue = [...mutants];
  let survivors = 0;
  const takeFromQueue = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      if (!(await isCaught(plan, mutant))) survivors += 1;
    }
  };
  await Promise.all(Array.from({ length: cores }, takeFromQueue));
  console.log(`${mutants.length} mutants, ${survivors} survived`);
  return survivors === 0;
}

/** Runs schedules of a copy with the mutant in another process, until a violation or `maxSchedules`. */
async function isCaught({ model, copied, maxSchedules }: MutantPlan, mutant: Mutant) {
  const project = copyWithMutant(mutant, copied);
  const share: Share = { from: 0, count: maxSchedules, step: 1, project, stopsAtViolation: true };
  const outcomes: Outcome[] = [];
  await runInOtherProcess(model.task, share, (outcome) => outcomes.push(outcome));
  const violation = outcomes.at(-1)?.violations[0];
  const verdict = violation ? `caught by ${violation.invariant}` : 'SURVIVED';
  const text = (violation?.text ?? '').slice(0, 100);
  console.log(`${mutant.name}: ${verdict} after ${outcomes.length} schedules  ${text}`);
  return violation !== undefined;
}

/**
 * Copies folders of the project and applies the mutant there. Returns the folder of the copy.
 *
 * @throws when the mutant does not apply to the project
 */
function copyWithMutant(mutant: Mutant, folders: readonly string[]): string {
  const changed = applyMutant(mutant, PROJECT);
  const copy = join(PROJECT, '.cache/mutants', mutant.name.replaceAll(/\W+/g, '-'));
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(PROJECT, BASE_CONFIG), join(copy, BASE_CONFIG));
  for (const folder of folders) {
    cpSync(join(PROJECT, folder), join(copy, folder), { recursive: true });
  }
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  return copy;
}
