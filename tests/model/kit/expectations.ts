import { availableParallelism } from 'node:os';
import { expect } from 'vitest';
import type { Model } from './model.ts';
import { runOverCores } from './soak.ts';
import { failureLine, type Totals } from './totals.ts';

/** Runs schedules of a model over all cores and expects that none violates an invariant. */
export async function expectNoViolation(model: Model, schedules: number): Promise<Totals> {
  const totals = await runOverCores(model, schedules, { from: 0, cores: availableParallelism() });
  console.log(totals.lines().join('\n'));
  expect(totals.failing.map((failing) => failureLine(model.task, failing))).toEqual([]);
  expect(totals.schedules).toBe(schedules);
  return totals;
}

/** Runs a schedule twice and expects the same log, so that a seed can be replayed. */
export async function expectSameLog(
  run: (log: (line: string) => void) => Promise<unknown>,
): Promise<void> {
  const [first, second]: [string[], string[]] = [[], []];
  await run((line) => first.push(line));
  await run((line) => second.push(line));
  expect(first.length, 'lines of a schedule that really ran').toBeGreaterThan(20);
  expect(second).toEqual(first);
}
