/** The budget of failing requests that all tabs of a device share. */
import { beforeEach, expect, test } from 'vitest';
import { failureBudget } from '../../src/db/failure-budget.ts';
import { pollEvery } from '../../src/browser/poll.ts';
import { debtStore } from '../debt-store.ts';
import { simulatedTime } from '../simulated-time.ts';

const MINUTE_MS = 60_000;
/** How many requests of a device may fail in a minute. */
const MAX_FAILING = 20;

let debt = debtStore();
beforeEach(() => {
  debt = debtStore();
});

/** Lets simulated time pass in steps, so that promises settle between. */
async function passTime(time: ReturnType<typeof simulatedTime>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    await time.pass(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Tabs, each with a loop that sends one request in a run. */
function tabsOn(time: ReturnType<typeof simulatedTime>, count: number, isServerUp: () => boolean) {
  const failed: number[] = [];
  const succeeded: number[] = [];
  const loops = Array.from({ length: count }, () => {
    const budget = failureBudget(time.now, debt);
    return pollEvery(
      async (_signal, isWoken) => {
        if (!budget.take(isWoken ? 'changes' : 'background')) return 'no-room';
        (isServerUp() ? succeeded : failed).push(time.now());
        const hasFailed = !isServerUp();
        budget.settle(hasFailed);
        return hasFailed ? 'failed' : 'done';
      },
      MINUTE_MS,
      time,
    );
  });
  return { failed, succeeded, loops };
}

/** The largest number of these times that lie within one span. */
function mostWithin(times: readonly number[], spanMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length),
  );
}

test('six tabs that are woken every second send at most 20 failing requests in any minute', async () => {
  // Almost no pause after a failure, so that only the budget limits the requests.
  const time = simulatedTime(() => 0.01);
  const { failed, loops } = tabsOn(time, 6, () => false);
  for (let second = 0; second < 180; second++) {
    if (second < 120) for (const { wake } of loops) wake();
    await passTime(time, 1000);
  }
  for (const { stop } of loops) stop();
  expect(failed.length).toBeGreaterThan(MAX_FAILING);
  expect(mostWithin(failed, MINUTE_MS)).toBeLessThanOrEqual(MAX_FAILING);
});

test('after many failures, the requests of three tabs succeed within ten seconds once the server is up', async () => {
  const time = simulatedTime(() => 0.5);
  let isServerUp = false;
  const { succeeded, loops } = tabsOn(time, 3, () => isServerUp);
  for (let second = 0; second < 30; second++) {
    for (const { wake } of loops) wake();
    await passTime(time, 1000);
  }
  isServerUp = true;
  for (const { wake } of loops) wake();
  await passTime(time, 10_000);
  for (const { stop } of loops) stop();
  expect(succeeded.length).toBeGreaterThanOrEqual(3);
});

test('without a network three requests in a row are tried, which leaves room for others when it is back', () => {
  const setOnLine = (onLine: boolean) =>
    Object.defineProperty(navigator, 'onLine', { value: onLine, configurable: true });
  const budget = failureBudget(() => 0, debt);
  const tryFailing = () => {
    const isSent = budget.take('changes');
    if (isSent) budget.settle(true);
    return isSent;
  };
  try {
    setOnLine(false);
    expect([1, 2, 3, 4].map(tryFailing)).toEqual([true, true, true, false]);
    setOnLine(true);
    expect(budget.take('changes')).toBe(true);
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
});

test('after the clock was set back by a day, a request waits for a minute at most', () => {
  const DAY_MS = 86_400_000;
  let now = 2 * DAY_MS;
  const budget = failureBudget(() => now, debt);
  // More failures than any purpose may have in a row.
  for (let i = 0; i < 9; i++) budget.spend();
  now -= DAY_MS;
  expect(budget.take('changes')).toBe(false);
  now += MINUTE_MS;
  expect(budget.take('changes')).toBe(true);
});
