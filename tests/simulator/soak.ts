/**
 * npm run soak -- sync 20000          that many schedules, over all cores
 * npm run soak -- sync --seed 123     one schedule, told step by step
 * npm run soak -- mutants [name …]    deliberate bugs: each must be caught
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { IMPORT_SOAKS, soakImports } from '../import/soak.ts';
import { ORDER_SOAKS, soakOrders } from '../orders-model/soak.ts';
import { runOverCores, runShare, type Share } from './cores.ts';
import { loadEngine } from './engine.ts';
import { type Caught, catchMutants, mutantLine } from './mutate.ts';
import { runSchedule } from './schedule.ts';
import { Server } from './server.ts';
import { failureLine } from './totals.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    project: { type: 'string' },
    cores: { type: 'string' },
  },
});
const [what, ...rest] = positionals;
const cores = Number(values.cores ?? availableParallelism());
const where = values.project === undefined ? {} : { project: values.project };

if (what === 'share') {
  await runShare(JSON.parse(rest[0] ?? '') as Share);
  process.disconnect();
} else if (what === 'mutants') {
  const onCaught = (caught: Caught) => console.log(mutantLine(caught));
  const caught = await catchMutants({ cores, names: rest, ...where, onCaught });
  const survivors = caught.filter(({ by }) => by === null).length;
  console.log(`${caught.length} mutants, ${survivors} survived`);
  if (survivors > 0) process.exitCode = 1;
} else if (what === 'sync' && values.seed !== undefined) {
  const server = await Server.open(values.project);
  const engine = await loadEngine(values.project);
  const seed = Number(values.seed);
  const outcome = await runSchedule(seed, { server, engine, log: (line) => console.log(line) });
  const { violations, operations, states } = outcome;
  console.log(`operations ${operations}, states ${states}, violations ${violations.length}`);
  if (violations.length > 0) {
    console.log(failureLine({ seed, violations }));
    process.exitCode = 1;
  }
  await server.close();
} else if (what === 'sync') {
  const count = Number(rest[0] ?? 20_000);
  const began = performance.now();
  let shown = 0;
  const totals = await runOverCores({
    from: Number(values.from),
    count,
    cores,
    ...where,
    onOutcome: ({ schedules, failing }) => {
      for (const failure of failing.slice(shown)) console.log(failureLine(failure));
      shown = failing.length;
      if (schedules % 1000 === 0) console.log(`${schedules} schedules, ${shown} violations`);
    },
  });
  const shortcomings = totals.shortcomings();
  console.log([...totals.lines(), ...shortcomings].join('\n'));
  console.log(`${Math.round((performance.now() - began) / 1000)} s on ${cores} cores`);
  if (totals.failing.length + shortcomings.length > 0) process.exitCode = 1;
} else if (!(await soakOrders(what, rest, values)) && !(await soakImports(what, rest, values))) {
  console.log(
    'npm run soak -- sync <count> | sync --seed <seed> | mutants [name …]' +
      ORDER_SOAKS +
      IMPORT_SOAKS,
  );
  process.exitCode = 1;
}
