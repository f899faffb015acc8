import type { Progress } from '../protocol.ts';

/** The page gets progress at most ten times a second, which is smooth enough for a bar. */
const PROGRESS_MS = 100;

export interface ThrottledProgress {
  /** Passes progress on; holds it back when the last was passed on less than `PROGRESS_MS` ago. */
  readonly set: (progress: Progress) => void;
  /** Passes on the last progress that was held back. */
  readonly finish: () => void;
}

export function throttleProgress(
  now: () => number,
  listener: (progress: Progress) => void,
): ThrottledProgress {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  let heldBack: Progress | null = null;

  function finish(): void {
    if (heldBack) listener(heldBack);
    heldBack = null;
  }

  return {
    set(progress) {
      heldBack = progress;
      // `abs`, because the system may set the clock back in the middle of an import.
      if (Math.abs(now() - lastAtMs) < PROGRESS_MS) return;
      lastAtMs = now();
      finish();
    },
    finish,
  };
}
