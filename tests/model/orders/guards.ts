/**
 * The guards against attacks, each taken out of a copy of the shop. A test of the attack must then
 * fail, or the guard is not tested.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '../kit/cores.ts';
import { copyWithMutant, mutantsNamed, readMutants } from '../kit/mutants.ts';
import { PROJECT } from '../kit/project.ts';

/** Each notes as `attack` part of the title of the test that must fail, which is run alone. */
export const GUARDS = readMutants(import.meta.dirname, ['guards.patch']);

const COPIED = [
  'src/browser',
  'src/csv',
  'src/domain',
  'src/remote/auth',
  'netlify/lib',
  'netlify/functions',
  'supabase/migrations',
];

/**
 * Returns whether all of them are tested.
 *
 * @param names of those to take out; all when empty
 */
export async function testGuards(names: readonly string[], cores: number): Promise<boolean> {
  const failures = await inParallel(cores, mutantsNamed(GUARDS, names), async (guard) => {
    const project = await copyWithMutant(guard, PROJECT, COPIED);
    const by = await firstFailure(project, guard.notes['attack'] ?? '');
    console.log(`${guard.name}: ${by ?? 'NOT TESTED'}`);
    return by;
  });
  const untested = failures.filter((by) => by === null).length;
  console.log(`${failures.length} guards, ${untested} not tested`);
  return untested === 0;
}

/** The title of the first test that failed; null when none did. */
async function firstFailure(project: string, attack: string): Promise<string | null> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'guards.vitest.config.ts');
  const outputFile = join(project, 'report.json');
  const report = ['--reporter', 'json', '--outputFile', outputFile];
  const args = [vitest, 'run', '--config', config, '--bail', '1', '-t', attack, ...report];
  const env = { ...process.env, ATTACKED: project };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env, maxBuffer: 2 ** 26 });
    return null;
  } catch (failure) {
    // As vitest's JSON reporter writes it.
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const results = testResults.flatMap((file) => file.assertionResults);
    const failed = results.find(({ status }) => status === 'failed');
    if (failed === undefined) throw failure;
    return failed.fullName;
  }
}
