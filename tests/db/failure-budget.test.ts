import { beforeEach, expect, test } from 'vitest';
import { failureBudget } from '../../src/db/failure-budget.ts';
import { pollEvery } from '../../src/sync/poll-every.ts';
import { debtStore } from '../debt-store.ts';
import { simulatedTime } from '../simulated-time.ts';

const MINUTE = 60_000;

let debt = debtStore();
beforeEach(() => {
  debt = debtStore();
});

/** What `ms` of waiting does, step by step. */
async function pass(time: ReturnType<typeof simulatedTime>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    await time.pass(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Loops of several tabs, each of which sends one request in a run. */
function tabsOn(time: ReturnType<typeof simulatedTime>, count: number, isWell: () => boolean) {
  const failed: number[] = [];
  const succeeded: number[] = [];
  const loops = Array.from({ length: count }, () => {
    const budget = failureBudget(time.now, debt);
    return pollEvery(
      async (_signal, isWoken) => {
        if (!budget.take(isWoken ? 'changes' : 'background')) return 'no-room';
        (isWell() ? succeeded : failed).push(time.now());
        const hasFailed = !isWell();
        budget.settle(hasFailed);
        return hasFailed ? 'failed' : 'done';
      },
      MINUTE,
      time,
    );
  });
  return { failed, succeeded, loops };
}

function most(times: readonly number[], withinMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + withinMs).length),
  );
}

test('six loops in several tabs, woken every second: at most 20 requests fail in any minute', async () => {
  const time = simulatedTime(() => 0.01);
  const { failed, loops } = tabsOn(time, 6, () => false);
  for (let second = 0; second < 180; second++) {
    if (second < 120) for (const { wake } of loops) wake();
    await pass(time, 1000);
  }
  for (const { stop } of loops) stop();
  expect(failed.length).toBeGreaterThan(20);
  expect(most(failed, MINUTE)).toBeLessThanOrEqual(20);
});

test('after much has failed, whoever comes back waits no longer than ten seconds', async () => {
  const time = simulatedTime(() => 0.5);
  let isWell = false;
  const { succeeded, loops } = tabsOn(time, 3, () => isWell);
  for (let second = 0; second < 30; second++) {
    for (const { wake } of loops) wake();
    await pass(time, 1000);
  }
  isWell = true;
  const healedAt = time.now();
  for (const { wake } of loops) wake();
  await pass(time, 12_000);
  for (const { stop } of loops) stop();
  expect(succeeded.length).toBeGreaterThanOrEqual(3);
  for (const at of succeeded.slice(0, 3)) expect(at - healedAt).toBeLessThanOrEqual(10_000);
});

test('requests that fail without a network leave room for those that follow when it is back', () => {
  const setOnLine = (onLine: boolean) =>
    Object.defineProperty(navigator, 'onLine', { value: onLine, configurable: true });
  const budget = failureBudget(() => 0, debt);
  const fail = () => {
    const isSent = budget.take('changes');
    if (isSent) budget.settle(true);
    return isSent;
  };
  try {
    setOnLine(false);
    expect([fail(), fail(), fail(), fail()]).toEqual([true, true, true, false]);
    setOnLine(true);
    expect(budget.take('changes')).toBe(true);
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
});

test('a clock that was set back by a day keeps nobody waiting for more than a minute', async () => {
  const DAY = 86_400_000;
  let now = 2 * DAY;
  const budget = failureBudget(() => now, debt);
  for (let i = 0; i < 9; i++) budget.spend();
  now -= DAY;
  expect(budget.take('changes')).toBe(false);
  now += MINUTE;
  expect(budget.take('changes')).toBe(true);
});
