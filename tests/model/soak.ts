/** `npm run soak`: tasks that `npm test` does not run, because they take long. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { catchMutants } from './kit/mutants.ts';
import type { Model } from './kit/model.ts';
import { runShare, type Share, soak, type SoakOptions } from './kit/soak.ts';
import { ORDER_MUTANTS, ORDERS } from './orders/model.ts';
import { SYNC, SYNC_MUTANTS } from './sync/model.ts';

const USAGE = `
npm run soak -- sync 20000            that many schedules of phones, over all cores
npm run soak -- sync --seed 123       one of them, with its log
npm run soak -- mutants [name …]      deliberate bugs: each must be caught
npm run soak -- orders 10000          that many schedules of paying, over all cores
npm run soak -- orders --seed 123     one of them, with its log
npm run soak -- order-mutants [name …]  deliberate bugs: each must be caught

--from 500      the first seed
--cores 1       how many processes work at once`;

/** Returns whether it found nothing wrong. */
type Task = (args: readonly string[], options: SoakOptions) => Promise<boolean>;

const TASKS: Readonly<Record<string, Task>> = {
  sync: ([count = '20000'], options) => soak(SYNC, Number(count), options),
  mutants: (names, options) => catchMutants(SYNC_MUTANTS, names, options),
  orders: ([count = '10000'], options) => soak(ORDERS, Number(count), options),
  'order-mutants': (names, options) => catchMutants(ORDER_MUTANTS, names, options),
};

/** The models whose schedules a child process runs. `runInOtherProcess` passes its share as an argument. */
const MODELS: Readonly<Record<string, Model>> = { sync: SYNC, orders: ORDERS };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    cores: { type: 'string' },
  },
});
const [name = '', ...args] = positionals;

if (name === 'share') {
  const [task = '', share = ''] = args;
  const model = MODELS[task];
  if (!model) throw new Error(`${task} is no model`);
  await runShare(model, JSON.parse(share) as Share);
  // An open channel to the parent process would keep this process alive.
  process.disconnect();
} else {
  await run(TASKS[name]);
}

async function run(task: Task | undefined): Promise<void> {
  if (!task) {
    console.log(USAGE.trim());
    process.exitCode = 1;
    return;
  }
  const beganMs = performance.now();
  const cores = Number(values.cores ?? availableParallelism());
  const { seed } = values;
  const hasPassed = await task(args, {
    cores,
    from: Number(values.from),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
  console.log(`${Math.round((performance.now() - beganMs) / 1000)} s on ${cores} cores`);
  process.exitCode = hasPassed ? 0 : 1;
}
