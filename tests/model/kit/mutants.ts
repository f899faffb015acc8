/** Puts each deliberate bug into a copy of the project, and sees how soon a model catches it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel, runElsewhere } from './cores.ts';
import type { Model } from './model.ts';
import { applyMutant, type Mutant, parseMutants } from './patch.ts';
import { PROJECT } from './project.ts';
import type { Share, SoakOptions } from './soak.ts';
import type { Outcome } from './totals.ts';
import type { Violation } from './verdicts.ts';

/** Mutants of a model, and how they are caught. */
export interface MutantPlan {
  readonly model: Model;
  readonly mutants: readonly Mutant[];
  /** Folders of the project that the model needs. */
  readonly copied: readonly string[];
  /** A bug that survives so many schedules is not caught. */
  readonly mostSchedules: number;
  /** Finds what chance would need too long for; null when nothing is found. */
  readonly search?: (mutant: Mutant, project: string) => Promise<Violation | null>;
}

/** Of these folders the TypeScript settings extend it. */
const BASE_CONFIG = '.tsconfig.base.json';

/** @param files with patches, of `folder` */
export function readMutants(folder: string, files: readonly string[]): readonly Mutant[] {
  return files.flatMap((file) => parseMutants(readFileSync(join(folder, file), 'utf8')));
}

/**
 * Those of these names; all when there are none.
 *
 * @throws when there is none of a name
 */
export function named(mutants: readonly Mutant[], names: readonly string[]): readonly Mutant[] {
  const missing = names.find((name) => mutants.every((mutant) => mutant.name !== name));
  if (missing !== undefined) throw new Error(`none is named "${missing}"`);
  return mutants.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Returns whether all of these names are caught; of all mutants when there are no names. */
export async function catchMutants(
  plan: MutantPlan,
  names: readonly string[],
  { cores, project = PROJECT }: SoakOptions,
): Promise<boolean> {
  const caught = await inParallel(cores, named(plan.mutants, names), async (mutant) => {
    const copy = await copyWith(mutant, project, plan.copied);
    const found = await plan.search?.(mutant, copy);
    const { violation, schedules } = found
      ? { violation: found, schedules: 0 }
      : await runUntilViolation(plan, copy);
    const verdict = violation ? `caught by ${violation.invariant}` : 'SURVIVED';
    const text = (violation?.text ?? '').slice(0, 100);
    console.log(`${mutant.name}: ${verdict} after ${schedules} schedules  ${text}`);
    return violation !== undefined;
  });
  const survivors = caught.filter((isCaught) => !isCaught).length;
  console.log(`${caught.length} mutants, ${survivors} survived`);
  return survivors === 0;
}

async function runUntilViolation({ model, mostSchedules }: MutantPlan, project: string) {
  const share: Share = { from: 0, count: mostSchedules, step: 1, project, stopsAtViolation: true };
  const outcomes = await runElsewhere<Outcome>(model.task, share);
  return { violation: outcomes.at(-1)?.violations[0], schedules: outcomes.length };
}

/**
 * Returns the folder of a copy with the bug.
 *
 * @param folders of the project that are needed
 * @throws when the mutant does not apply to the project
 */
export async function copyWith(
  mutant: Mutant,
  project: string,
  folders: readonly string[],
): Promise<string> {
  const changed = await applyMutant(mutant, project);
  const copy = join(PROJECT, '.cache/mutants', mutant.name.replaceAll(/\W+/g, '-'));
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(PROJECT, BASE_CONFIG), join(copy, BASE_CONFIG));
  for (const folder of folders) {
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
  }
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  return copy;
}
