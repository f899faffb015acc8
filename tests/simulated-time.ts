/** Timers of a simulated clock, for code that takes its timers as arguments. */
import type { Timing } from '../src/domain/timing.ts';

interface Timer {
  readonly id: number;
  readonly atMs: number;
  readonly run: () => void;
}

/**
 * A clock that moves only when a test calls `pass`, and timers that depend on it.
 *
 * @param random gives numbers from 0 up to 1, with which code under test varies its pauses
 */
export function simulatedTime(random: () => number) {
  const timers = new Map<number, Timer>();
  let nowMs = 0;
  let nextId = 1;
  const timing: Timing = {
    setTimeout(run, ms) {
      const id = nextId++;
      timers.set(id, { id, atMs: nowMs + ms, run });
      return id;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    random,
  };

  /** The timer that is due first; of several due at once, the one that was set first. */
  function earliest(): Timer | undefined {
    return [...timers.values()].sort((a, b) => a.atMs - b.atMs || a.id - b.id)[0];
  }

  return {
    ...timing,
    now: () => nowMs,
    /** Moves the clock and runs due timers; promises that a timer resolves settle before the next timer. */
    async pass(ms: number): Promise<void> {
      const end = nowMs + ms;
      await settlePromises();
      for (let due = earliest(); due && due.atMs <= end; due = earliest()) {
        timers.delete(due.id);
        nowMs = due.atMs;
        due.run();
        await settlePromises();
      }
      nowMs = end;
    },
  };
}

const settlePromises = () => new Promise((resolve) => setImmediate(resolve));
