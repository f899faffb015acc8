/** `npm run soak -- import`: compares imports that are interrupted at random moments, and then undone, with a clean import. */
import { join } from 'node:path';
import { launchBrowser } from '../browser/browser.ts';
import { buildSite } from '../build-once.ts';
import type { SoakOptions } from '../model/kit/soak.ts';
import { addCount } from '../model/kit/verdicts.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { prepareStage, type Stage } from './import-stage.ts';
import { differences, type RunResult, runImport } from './killed-import.ts';

/**
 * Returns whether all interrupted imports end as the clean import does, and are undone as a whole. Runs one import after
 * the other: `--cores` and `--project` do not apply.
 *
 * @throws when the clean import prints errors
 */
export async function soakImports(count: number, { seed, from }: SoakOptions): Promise<boolean> {
  await using folder = await temporaryFolder();
  const siteFolder = join(folder.path, 'site');
  await buildSite(siteFolder);
  const browser = await launchBrowser();
  try {
    const stage = await prepareStage(folder.path, browser, siteFolder);
    const first = seed ?? from;
    const seeds = Array.from({ length: seed === undefined ? count : 1 }, (_, i) => first + i);
    return await compareRuns(stage, seeds, { printsSteps: seed !== undefined });
  } finally {
    await browser.close();
  }
}

async function compareRuns(
  stage: Stage,
  seeds: readonly number[],
  { printsSteps }: { readonly printsSteps: boolean },
): Promise<boolean> {
  const clean = await runImport(stage, null, () => undefined);
  if (clean.errorLines.length > 0)
    throw new Error(`clean, printed: ${clean.errorLines.join('\n')}`);
  // The undo of the clean import must bring back the products, too.
  const problems = differences(clean, clean, stage.productsBefore);
  if (problems.length > 0) throw new Error(`clean: ${problems.join('\n')}`);
  console.log(
    `clean: ${seconds(clean)} s, ${clean.finalWords?.status} ${clean.finalWords?.totals} ${clean.undoWords}`,
  );
  const totals = new Map<string, number>();
  let failed = 0;
  for (const seed of seeds) {
    const steps: string[] = [];
    const { problems, run } = await tryRun(stage, seed, clean, (step) => {
      if (printsSteps) console.log(step);
      else steps.push(step);
    });
    for (const [name, count] of run?.counts ?? []) addCount(totals, name, count);
    if (problems.length > 0) failed += 1;
    for (const problem of problems) console.log(`seed ${seed}: ${problem}`);
    if (problems.length > 0) for (const step of steps) console.log(step);
    if (run) console.log(`seed ${seed}: ${seconds(run)} s, ${countsOf(run.counts)}`);
  }
  console.log(`imports ${seeds.length}, not equal to the clean one ${failed}`);
  console.log(`  ${countsOf(totals)}`);
  if (totals.size === 0) console.log('nothing was interrupted');
  return failed === 0 && totals.size > 0;
}

async function tryRun(stage: Stage, seed: number, clean: RunResult, log: (line: string) => void) {
  try {
    const run = await runImport(stage, seed, log);
    const printed = run.errorLines.map((line) => `printed: ${line}`);
    return { run, problems: [...differences(clean, run, stage.productsBefore), ...printed] };
  } catch (thrown) {
    return { run: null, problems: [String(thrown)] };
  }
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

function seconds({ ms }: RunResult): number {
  return Math.round(ms / 1000);
}
