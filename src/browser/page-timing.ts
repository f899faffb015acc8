import type { Timing } from '../domain/timing.ts';

/** The browser's timers, clock and random numbers. */
export const pageTiming: Timing & { readonly now: () => number } = {
  setTimeout: (run, ms) => window.setTimeout(run, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  now: () => Date.now(),
};
