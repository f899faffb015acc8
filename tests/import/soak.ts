/** The import's part of `npm run soak`. */
import { join } from 'node:path';
import { launchBrowser } from '../browser/browser.ts';
import { buildSite } from '../build-once.ts';
import type { SoakOptions } from '../model/kit/soak.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { prepareStage, type Stage } from './import-stage.ts';
import { differences, type Ended, runImport } from './killed-import.ts';

/** Returns whether all imports end equal. */
export async function soakImports(count: number, { seed, from }: SoakOptions): Promise<boolean> {
  await using folder = await temporaryFolder();
  const siteFolder = join(folder.path, 'site');
  await buildSite(siteFolder);
  const browser = await launchBrowser();
  try {
    const stage = await prepareStage(folder.path, browser, siteFolder);
    const first = seed ?? from;
    const seeds = Array.from({ length: seed === undefined ? count : 1 }, (_, i) => first + i);
    return await compareRuns(stage, seeds, seed !== undefined);
  } finally {
    await browser.close();
  }
}

async function compareRuns(
  stage: Stage,
  seeds: readonly number[],
  isTold: boolean,
): Promise<boolean> {
  const clean = await runImport(stage, null, () => undefined);
  console.log(`clean: ${seconds(clean)} s, ${clean.said?.status} ${clean.said?.totals}`);
  const totals = new Map<string, number>();
  let failed = 0;
  for (const seed of seeds) {
    const steps: string[] = [];
    const { lines, run } = await tryRun(stage, seed, clean, (step) => {
      if (isTold) console.log(step);
      else steps.push(step);
    });
    for (const [name, count] of run?.counts ?? [])
      totals.set(name, (totals.get(name) ?? 0) + count);
    if (lines.length > 0) failed += 1;
    for (const line of lines) console.log(`seed ${seed}: ${line}`);
    if (lines.length > 0) for (const step of steps) console.log(step);
    if (run) console.log(`seed ${seed}: ${seconds(run)} s, ${countsOf(run.counts)}`);
  }
  console.log(`imports ${seeds.length}, not equal to the clean one ${failed}`);
  console.log(`  ${countsOf(totals)}`);
  return failed === 0;
}

async function tryRun(stage: Stage, seed: number, clean: Ended, log: (line: string) => void) {
  try {
    const run = await runImport(stage, seed, log);
    const heard = run.complaints.map((line) => `heard ${line}`);
    return { run, lines: [...differences(clean, run), ...heard] };
  } catch (thrown) {
    return { run: null, lines: [String(thrown)] };
  }
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

function seconds({ ms }: Ended): number {
  return Math.round(ms / 1000);
}
