/**
 * Tests the tests of attacks: removes each guard against an attack from a copy of the shop; a test of that
 * attack must then fail.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '../kit/cores.ts';
import { copyWithMutant, mutantsNamed, readMutants } from '../kit/mutants.ts';
import { PROJECT } from '../kit/project.ts';

/** The note `attack` of each guard is part of a test title. Only tests with this part run; one must fail. */
export const GUARDS = readMutants(import.meta.dirname, ['guards.patch']);

const COPIED_FOLDERS = [
  'src/browser',
  'src/csv',
  'src/domain',
  'src/remote/auth',
  'netlify/lib',
  'netlify/functions',
  'supabase/migrations',
];

/**
 * Returns whether a test has failed for each guard.
 *
 * @param names the guards to take out; all when empty
 */
export async function testGuards(names: readonly string[], cores: number): Promise<boolean> {
  const failures = await inParallel(cores, mutantsNamed(GUARDS, names), async (guard) => {
    const project = await copyWithMutant(guard, PROJECT, COPIED_FOLDERS);
    const failure = await firstFailure(project, guard.notes['attack'] ?? '');
    console.log(`${guard.name}: ${failure ?? 'NOT TESTED'}`);
    return failure;
  });
  const untested = failures.filter((failure) => failure === null).length;
  console.log(`${failures.length} guards, ${untested} not tested`);
  return untested === 0;
}

/** The title of the first test that failed; null when all passed. */
async function firstFailure(project: string, attack: string): Promise<string | null> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'guards.vitest.config.ts');
  const outputFile = join(project, 'report.json');
  const report = ['--reporter', 'json', '--outputFile', outputFile];
  const args = [vitest, 'run', '--config', config, '--bail', '1', '-t', attack, ...report];
  const env = { ...process.env, ATTACKED: project };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env, maxBuffer: Infinity });
    return null;
  } catch (thrown) {
    // The type is what vitest's JSON reporter writes.
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const results = testResults.flatMap((file) => file.assertionResults);
    const failed = results.find(({ status }) => status === 'failed');
    if (failed === undefined) throw thrown;
    return failed.fullName;
  }
}
