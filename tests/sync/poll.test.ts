/** The loop that runs the sync: its pauses, failures and wake-ups, in simulated time. */
import { expect, test } from 'vitest';
import { pollEvery } from '../../src/browser/poll.ts';
import { simulatedTime } from '../simulated-time.ts';

test('pauses after failures double up to a minute, after a success they are as before, and after a stop nothing runs', async () => {
  const PAUSE_MS = 300_000;
  // The highest random number gives the longest pause.
  const time = simulatedTime(() => 1);
  const runs: number[] = [];
  const pauses = () => runs.slice(1).map((at, i) => at - (runs[i] ?? 0));
  let failed = true;
  const poll = pollEvery(
    async () => {
      runs.push(time.now());
      return failed ? 'failed' : 'done';
    },
    PAUSE_MS,
    time,
  );
  const growing = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
  await time.pass(growing.reduce((sum, ms) => sum + ms));
  expect(pauses()).toEqual(growing);
  failed = false;
  await time.pass(60_000 + PAUSE_MS);
  expect(pauses().at(-1)).toBe(PAUSE_MS);
  const runsBefore = runs.length;
  poll.stop();
  await time.pass(PAUSE_MS);
  expect(runs).toHaveLength(runsBefore);
});

test('however often it is woken, one run is under way and at most one more follows', async () => {
  const time = simulatedTime(() => 1);
  let running = 0;
  let runs = 0;
  let mostAtOnce = 0;
  const poll = pollEvery(
    async () => {
      mostAtOnce = Math.max(mostAtOnce, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      runs += 1;
      return 'done';
    },
    1000,
    time,
  );
  for (let i = 0; i < 20; i++) poll.wake();
  // A run takes one turn of the event loop, and so does each `pass`: a third run would begin in the third `pass`.
  for (let i = 0; i < 3; i++) await time.pass(0);
  expect({ mostAtOnce, runs }).toEqual({ mostAtOnce: 1, runs: 2 });
  poll.stop();
});
