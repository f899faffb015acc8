import { expect, test } from 'vitest';
import { pollEvery } from '../../src/sync/poll-every.ts';

/** A clock that only moves when told, and chance that always draws the most. */
function stillTiming() {
  const timers = new Map<number, { run: () => void; ms: number }>();
  let next = 1;
  return {
    timers,
    timing: {
      setTimeout: (run: () => void, ms: number) => {
        timers.set(next, { run, ms });
        return next++;
      },
      clearTimeout: (timer: number) => timers.delete(timer),
      random: () => 1,
    },
    async fire() {
      const [[id, timer] = []] = timers;
      if (id === undefined || !timer) throw new Error('no timer is set');
      timers.delete(id);
      timer.run();
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const pauses = (timers: Map<number, { ms: number }>) => [...timers.values()].map(({ ms }) => ms);

test('pauses after failures double up to a minute, and success returns to the slow beat', async () => {
  let failed = true;
  const clock = stillTiming();
  const repeated = pollEvery(async () => (failed ? 'failed' : 'done'), 300_000, clock.timing);
  await settle();
  const seen: number[] = [];
  for (let i = 0; i < 8; i++) {
    seen.push(...pauses(clock.timers));
    await clock.fire();
  }
  expect(seen).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  failed = false;
  await clock.fire();
  expect(pauses(clock.timers)).toEqual([300_000]);
  repeated.stop();
  expect(pauses(clock.timers)).toEqual([]);
});

test('however often it is woken, one run is under way and at most one more follows', async () => {
  let running = 0;
  let runs = 0;
  let most = 0;
  const clock = stillTiming();
  const repeated = pollEvery(
    async () => {
      most = Math.max(most, ++running);
      await settle();
      running -= 1;
      runs += 1;
      return 'done';
    },
    1000,
    clock.timing,
  );
  for (let i = 0; i < 20; i++) repeated.wake();
  await settle();
  await settle();
  await settle();
  expect({ most, runs }).toEqual({ most: 1, runs: 2 });
  repeated.stop();
});
