/**
 * Mutation testing. Each mutant, a deliberate bug, is put into a copy of the project. The model then runs random
 * schedules against this copy, and must find a violation.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel, runInOtherProcess } from './cores.ts';
import type { Model } from './model.ts';
import { applyMutant, type Mutant, parseMutants } from './patch.ts';
import { PROJECT } from './project.ts';
import type { Share, SoakOptions } from './soak.ts';
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
  { cores, project = PROJECT }: SoakOptions,
): Promise<boolean> {
  const caught = await inParallel(cores, mutantsNamed(plan.mutants, names), async (mutant) => {
    const copy = copyWithMutant(mutant, project, plan.copied);
    const { violation, schedules } = await runUntilViolation(plan, copy);
    const verdict = violation ? `caught by ${violation.invariant}` : 'SURVIVED';
    const text = (violation?.text ?? '').slice(0, 100);
    console.log(`${mutant.name}: ${verdict} after ${schedules} schedules  ${text}`);
    return violation !== undefined;
  });
  const survivors = caught.filter((isCaught) => !isCaught).length;
  console.log(`${caught.length} mutants, ${survivors} survived`);
  return survivors === 0;
}

/** Runs schedules of the copy in another process, until a violation or `maxSchedules`. */
async function runUntilViolation({ model, maxSchedules }: MutantPlan, project: string) {
  const share: Share = { from: 0, count: maxSchedules, step: 1, project, stopsAtViolation: true };
  const outcomes = await runInOtherProcess<Outcome>(model.task, share);
  return { violation: outcomes.at(-1)?.violations[0], schedules: outcomes.length };
}

/**
 * Copies folders of the project and applies the mutant there. Returns the folder of the copy.
 *
 * @throws when the mutant does not apply to the project
 */
function copyWithMutant(mutant: Mutant, project: string, folders: readonly string[]): string {
  const changed = applyMutant(mutant, project);
  const copy = join(PROJECT, '.cache/mutants', mutant.name.replaceAll(/\W+/g, '-'));
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(PROJECT, BASE_CONFIG), join(copy, BASE_CONFIG));
  for (const folder of folders) {
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
  }
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  return copy;
}
