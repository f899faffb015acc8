/**
 * npm run test:all                       runs all steps, one after another
 * npm run test:all -- mutants orders     runs these steps
 * npm run test:all -- --from mutants     runs this step and all later ones, to resume
 *
 * A red step does not stop the next. Prints a table at the end, and exits 1 when a step was red.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * The soaks' counts are chosen so that all steps together take less than an hour on two cores. `npm run
 * soak` runs one of them, with any count.
 */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  check: ['npm', 'run', '--silent', 'check'],
  tests: ['vitest', 'run'],
  bundled: ['node', 'tests/bundled-functions.ts'],
  'second-origin': ['env', 'WEFT_SECOND_ORIGIN=yes', 'vitest', 'run', '--project', 'browser'],
  engines: ['npm', 'run', '--silent', 'test:engines'],
  postgres: ['npm', 'run', '--silent', 'test:postgres'],
  sync: soak('sync', '4000'),
  mutants: soak('mutants'),
  orders: soak('orders', '3000'),
  'order-mutants': soak('order-mutants'),
  'node-20': ['node', 'tests/fresh-clone.ts'],
};

function soak(...task: readonly string[]): readonly string[] {
  return ['node', 'tests/model/soak.ts', ...task];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' } },
});
const all = Object.keys(STEPS);
const unknown = [...positionals, ...(values.from === undefined ? [] : [values.from])].find(
  (name) => !all.includes(name),
);

if (unknown === undefined) {
  const first = values.from === undefined ? 0 : all.indexOf(values.from);
  await runAll(positionals.length > 0 ? positionals : all.slice(first));
} else {
  console.error(`There is no step named "${unknown}". There are: ${all.join(', ')}.`);
  process.exitCode = 2;
}

async function runAll(names: readonly string[]): Promise<void> {
  const rows: { step: string; result: string; seconds: number }[] = [];
  for (const step of names) {
    console.log(`\n== ${step} (resume from here: npm run test:all -- --from ${step})`);
    const startMs = performance.now();
    const isGreen = await runCommand(STEPS[step] ?? []);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    rows.push({ step, result: isGreen ? 'green' : 'RED', seconds });
  }
  console.log('');
  for (const { step, result, seconds } of rows) {
    console.log(`${step.padEnd(14)} ${result.padEnd(6)} ${String(seconds).padStart(5)} s`);
  }
  const red = rows.filter(({ result }) => result === 'RED');
  console.log(red.length === 0 ? 'All steps are green.' : `${red.length} red.`);
  if (red.length > 0) process.exitCode = 1;
}

/** Returns whether the command exited with 0. */
function runCommand([program = '', ...args]: readonly string[]): Promise<boolean> {
  const env = { ...process.env, WEFT_TESTS: 'all' };
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
    child.on('error', ({ message }) => {
      console.error(message);
      resolve(false);
    });
    child.on('close', (status) => resolve(status === 0));
  });
}
