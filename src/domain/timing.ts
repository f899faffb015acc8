/** Time and chance as arguments, so that a test can control them. */
export interface Timing {
  readonly setTimeout: (run: () => void, ms: number) => number;
  readonly clearTimeout: (timer: number) => void;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Bounds of the pauses of a backoff: after the first failure, and at most. */
export interface BackoffBounds {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * How long to pause after so many failures in a row. The bound doubles up to `mostMs`, and the pause is
 * a random time below it, so that a thousand phones that leave one tunnel do not all retry at once
 * ("full jitter": AWS Architecture Blog, "Exponential Backoff and Jitter").
 *
 * @param failures how many in a row, at least 1
 */
export function backoffMs(
  failures: number,
  { firstMs, mostMs }: BackoffBounds,
  random: () => number,
): number {
  return random() * Math.min(mostMs, firstMs * 2 ** (failures - 1));
}
