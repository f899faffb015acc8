import type { Timing } from '../src/domain/timing.ts';

/** A clock from 0 on that moves only when told, and its timers. */
export function simulatedTime(random: () => number) {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  let nowMs = 0;
  let next = 1;
  const timing: Timing = {
    setTimeout(run, ms) {
      timers.set(next, { at: nowMs + ms, run });
      return next++;
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
    /** Time passes; whatever follows from a timer has happened before the next one. */
    async pass(ms: number): Promise<void> {
      const end = nowMs + ms;
      await settled();
      for (let due = earliest(); due && due[1].at <= end; due = earliest()) {
        const [id, { at, run }] = due;
        timers.delete(id);
        nowMs = at;
        run();
        await settled();
      }
      nowMs = end;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
