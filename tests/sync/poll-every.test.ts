import { expect, test } from 'vitest';
import { pollEvery } from '../../src/sync/poll-every.ts';
import { simulatedTime } from '../simulated-time.ts';

test('pauses after failures double up to a minute, and success returns to the slow beat', async () => {
  // The highest draw gives the longest pause.
  const time = simulatedTime(() => 1);
  const runs: number[] = [];
  const pauses = () => runs.slice(1).map((at, i) => at - (runs[i] ?? 0));
  let failed = true;
  const poll = pollEvery(
    async () => {
      runs.push(time.now());
      return failed ? 'failed' : 'done';
    },
    300_000,
    time,
  );
  await time.pass(183_000);
  expect(pauses()).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  failed = false;
  await time.pass(60_000 + 300_000);
  expect(pauses().at(-1)).toBe(300_000);
  poll.stop();
  await time.pass(300_000);
  expect(runs).toHaveLength(11);
});

test('however often it is woken, one run is under way and at most one more follows', async () => {
  const time = simulatedTime(() => 1);
  let running = 0;
  let runs = 0;
  let most = 0;
  const poll = pollEvery(
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      runs += 1;
      return 'done';
    },
    1000,
    time,
  );
  for (let i = 0; i < 20; i++) poll.wake();
  for (let i = 0; i < 3; i++) await time.pass(0);
  expect({ most, runs }).toEqual({ most: 1, runs: 2 });
  poll.stop();
});
