/** Puts each deliberate bug into a copy of the project, and sees how soon the checker catches it. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runElsewhere } from './cores.ts';
import { PROJECT } from './engine.ts';
import { FAULT_MUTANTS } from './fault-mutants.ts';
import { type Mutant, MUTANTS as SYNC_MUTANTS } from './mutants.ts';
import type { Told } from './totals.ts';

export interface Caught {
  readonly name: string;
  /** The invariant that it broke first; null if it survived. */
  readonly by: number | null;
  readonly schedules: number;
  readonly text: string;
}

const MUTANTS = [...SYNC_MUTANTS, ...FAULT_MUTANTS];
/** A bug that survives so many schedules is not caught. */
const MOST_SCHEDULES = 2000;
const BASE_CONFIG = '.tsconfig.base.json';
const COPIED = ['src', 'supabase/migrations'];

export interface MutantPlan {
  readonly cores: number;
  /** Which to try; all when empty. */
  readonly names: readonly string[];
  /** What the bugs are put into, when it is not the project itself. */
  readonly project?: string;
  readonly onCaught: (caught: Caught) => void;
}

export async function catchMutants(plan: MutantPlan): Promise<Caught[]> {
  const { cores, names, project = PROJECT, onCaught } = plan;
  const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const caught: Caught[] = [];
  const queue = [...chosen];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const one = await catchOne(mutant, project);
      caught.push(one);
      onCaught(one);
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  return caught;
}

export function mutantLine({ name, by, schedules, text }: Caught): string {
  const verdict = by === null ? 'SURVIVED' : `caught by ${by}`;
  return `${name}: ${verdict} after ${schedules} schedules  ${text}`;
}

async function catchOne(mutant: Mutant, source: string): Promise<Caught> {
  const project = copyWith(mutant, source, COPIED);
  let schedules = 0;
  let last: Told | null = null;
  const share = { from: 0, count: MOST_SCHEDULES, step: 1, project, stopsAtViolation: true };
  await runElsewhere('share', share, (told) => {
    schedules += 1;
    last = told as Told; // as `runShare` tells it
  });
  const [violation] = (last as Told | null)?.violations ?? [];
  const text = (violation?.text ?? '').slice(0, 100);
  return { name: mutant.name, by: violation?.invariant ?? null, schedules, text };
}

/**
 * Returns the folder of the copy.
 *
 * @param folders of the project that are needed
 * @throws when the text to replace is not there exactly once
 */
export function copyWith(
  { name, edits }: Mutant,
  source: string,
  folders: readonly string[],
): string {
  const project = join(PROJECT, '.cache/mutants', name.replaceAll(/\W+/g, '-'));
  rmSync(project, { recursive: true, force: true });
  // Those of the folders extend it.
  cpSync(join(PROJECT, BASE_CONFIG), join(project, BASE_CONFIG));
  for (const folder of folders) {
    mkdirSync(join(project, folder), { recursive: true });
    cpSync(join(source, folder), join(project, folder), { recursive: true });
  }
  for (const { file, find, replace } of edits) {
    const text = readFileSync(join(project, file), 'utf8');
    if (text.split(find).length !== 2) {
      throw new Error(`mutant "${name}": its text is not in ${file} exactly once any more`);
    }
    writeFileSync(
      join(project, file),
      text.replace(find, () => replace),
    );
  }
  return project;
}
