/** Timers of a simulated clock, for code that takes its timers as arguments. */
import type { Timing } from '../src/domain/timing.ts';

/**
 * A clock that moves only when a test calls `pass`, and timers that depend on it.
 *
 * @param random gives numbers from 0 up to 1, with which code under test varies its pauses
 */
export function simulatedTime(random: () => number, startMs = 0) {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  let nowMs = startMs;
  let nextId = 1;
  const timing: Timing = {
    setTimeout(run, ms) {
      timers.set(nextId, { at: nowMs + ms, run });
      return nextId++;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    random,
  };

  /** The timer that is due first. */
  function earliest(): [number, { readonly at: number; readonly run: () => void }] | undefined {
    return [...timers].sort(([a, { at: atA }], [b, { at: atB }]) => atA - atB || a - b)[0];
  }

  return {
    ...timing,
    now: () => nowMs,
    /** Moves the clock and runs due timers; promises that a timer resolves settle before the next timer. */
    async pass(ms: number): Promise<void> {
      const end = nowMs + ms;
      await settlePromises();
      for (let due = earliest(); due && due[1].at <= end; due = earliest()) {
        const [id, { at, run }] = due;
        timers.delete(id);
        nowMs = at;
        run();
        await settlePromises();
      }
      nowMs = end;
    },
  };
}

const settlePromises = () => new Promise((resolve) => setImmediate(resolve));
