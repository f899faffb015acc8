/** Time and chance as arguments, so that a test can control them. */
export interface Timing {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const MOST_PAUSE_MS = 60_000;

/**
 * How long to pause after so many failures in a row. The bound doubles up to a minute, and the pause is
 * a random time below it, so that a thousand phones that leave one tunnel do not all retry at once
 * ("full jitter": AWS Architecture Blog, "Exponential Backoff and Jitter").
 *
 * @param failures how many in a row, at least 1
 * @param firstMs the bound after the first failure
 */
export function backoffMs(failures: number, firstMs: number, random: () => number): number {
  return random() * Math.min(MOST_PAUSE_MS, firstMs * 2 ** (failures - 1));
}
