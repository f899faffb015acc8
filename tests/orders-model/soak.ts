/** The order model's part of `npm run soak`. */
import { availableParallelism } from 'node:os';
import type { Fuzzed, FuzzShare } from '../netlify/fuzz.ts';
import { fuzz, fuzzLines, sumOf } from '../netlify/fuzz.ts';
import { runElsewhere, tell } from '../simulator/cores.ts';
import { FakeDatabase } from './fake-database.ts';
import type { Share } from './cores.ts';
import { exploreOverCores, runOverCores, runShare } from './cores.ts';
import { loadFunctions } from './functions.ts';
import { guardLine, testGuards } from './guards.ts';
import { catchOrderMutants, orderMutantLines } from './mutate.ts';
import { runSchedule } from './schedule.ts';
import { exploredLine, failureLine } from './totals.ts';

export interface SoakOptions {
  readonly seed?: string | undefined;
  readonly from: string;
}

export const ORDER_SOAKS = `
npm run soak -- orders 10000          that many schedules of paying, over all cores
npm run soak -- orders --seed 123     one of them, told step by step
npm run soak -- all-orders [8]        all that can happen in small situations, so many moves deep
npm run soak -- order-mutants [name …]  deliberate bugs: each must be caught
npm run soak -- guards [name …]       each guard taken out: a test of attacks must fail
npm run soak -- fuzz 100000 [--seed 7]  that many requests that nobody should send, to all functions
npm run soak -- fuzz 1 --seed 7 --from 42  one of them`;

/** So many schedules meet every end of an order. */
const ENOUGH = 500;
const ENDS = ['paid', 'paid_late', 'failed', 'cancelled', 'expired'];

const cores = availableParallelism();

/** @returns false when it knows no such task */
export async function soakOrders(
  task: string | undefined,
  rest: readonly string[],
  { seed, from }: SoakOptions,
): Promise<boolean> {
  const began = performance.now();
  const inTime = () => `${Math.round((performance.now() - began) / 1000)} s on ${cores} cores`;
  switch (task) {
    case 'orders-share':
      await runShare(JSON.parse(rest[0] ?? '') as Share); // what the other process sends
      process.disconnect();
      return true;
    case 'orders': {
      if (seed !== undefined) await tellOne(Number(seed));
      else await runMany(Number(rest[0] ?? 10_000), Number(from));
      console.log(inTime());
      return true;
    }
    case 'all-orders': {
      const explored = await exploreOverCores(cores, Number(rest[0] ?? 99));
      console.log(explored.map(exploredLine).join('\n'));
      console.log(inTime());
      if (explored.some(({ found }) => found)) process.exitCode = 1;
      return true;
    }
    case 'order-mutants': {
      const caught = await catchOrderMutants(cores, rest);
      console.log(orderMutantLines(caught).join('\n'));
      console.log(inTime());
      if (caught.some(({ by }) => by === null)) process.exitCode = 1;
      return true;
    }
    case 'fuzz-share': {
      await tell(await fuzz(JSON.parse(rest[0] ?? '') as FuzzShare)); // what the other process sends
      process.disconnect();
      return true;
    }
    case 'fuzz': {
      const fuzzed = await fuzzOverCores(
        Number(seed ?? 0),
        Number(from),
        Number(rest[0] ?? 100_000),
      );
      console.log([...fuzzLines(fuzzed), inTime()].join('\n'));
      if (fuzzed.faults.length > 0) process.exitCode = 1;
      return true;
    }
    case 'guards': {
      const guarded = await testGuards(cores, rest, (guard) => console.log(guardLine(guard)));
      const untested = guarded.filter(({ by }) => by === null);
      console.log(`${guarded.length} guards, ${untested.length} not tested, ${inTime()}`);
      if (untested.length > 0) process.exitCode = 1;
      return true;
    }
    default:
      return false;
  }
}

async function tellOne(seed: number): Promise<void> {
  const database = await FakeDatabase.open();
  const functions = await loadFunctions();
  const log = (line: string) => console.log(line);
  const { violations, actions } = await runSchedule(seed, { database, functions, log });
  await database.close();
  console.log(`actions ${actions}, violations ${violations.length}`);
  if (violations.length === 0) return;
  console.log(failureLine({ seed, violations }));
  process.exitCode = 1;
}

async function runMany(count: number, from: number): Promise<void> {
  let shown = 0;
  const totals = await runOverCores({
    from,
    count,
    cores,
    onOutcome: ({ schedules, failing }) => {
      for (const failure of failing.slice(shown)) console.log(failureLine(failure));
      shown = failing.length;
      if (schedules % 1000 === 0) console.log(`${schedules} schedules, ${shown} violations`);
    },
  });
  console.log(totals.lines().join('\n'));
  const rare = ENDS.filter((state) => count >= ENOUGH && totals.ended(state) <= 10);
  if (rare.length > 0) console.log(`hardly any order ended ${rare.join(', ')}`);
  if (totals.failing.length + rare.length > 0) process.exitCode = 1;
}

/** Each core has a shop of its own. */
async function fuzzOverCores(seed: number, from: number, count: number): Promise<Fuzzed> {
  const parts: Fuzzed[] = [];
  const shares = Array.from({ length: Math.min(cores, count) }, (_, core): FuzzShare => {
    return { seed, from: from + core, count: Math.ceil((count - core) / cores), step: cores };
  });
  const add = (told: unknown) => void parts.push(told as Fuzzed); // as `fuzz-share` tells it
  await Promise.all(shares.map((share) => runElsewhere('fuzz-share', share, add)));
  return sumOf(parts);
}
