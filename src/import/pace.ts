/**
 * The times from which the page computes the speed of an import. Time without a connection does not
 * count.
 */
export interface Pace {
  readonly startedAtMs: number;
  readonly pausedMs: number;
  readonly pausedSinceMs: number | null;
}

export function startPace(nowMs: number): Pace {
  return { startedAtMs: nowMs, pausedMs: 0, pausedSinceMs: null };
}

export function pausePace(pace: Pace, nowMs: number): Pace {
  return pace.pausedSinceMs === null ? { ...pace, pausedSinceMs: nowMs } : pace;
}

export function resumePace(pace: Pace, nowMs: number): Pace {
  const { pausedSinceMs, pausedMs } = pace;
  if (pausedSinceMs === null) return pace;
  return { ...pace, pausedMs: pausedMs + nowMs - pausedSinceMs, pausedSinceMs: null };
}

/** Rows per second; 0 until the first rows are stored. */
export function rateOf(pace: Pace, rows: number, nowMs: number): number {
  const { startedAtMs, pausedMs, pausedSinceMs } = pace;
  const activeMs = (pausedSinceMs ?? nowMs) - startedAtMs - pausedMs;
  return activeMs > 0 ? (rows * 1000) / activeMs : 0;
}

/** The time left in words, rounded up; null while the rate (rows per second) is unknown. */
export function timeLeft(rowsLeft: number, rate: number): string | null {
  if (rate <= 0) return null;
  const seconds = rowsLeft / rate;
  if (seconds <= 5) return 'a few seconds left';
  if (seconds <= 50) return 'less than a minute left';
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 1) return 'about a minute left';
  if (minutes < 90) return `about ${minutes} minutes left`;
  return `about ${Math.ceil(minutes / 60)} hours left`;
}
