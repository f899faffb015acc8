/**
 * The times from which the page computes the speed of an import. Time without a connection does not
 * count.
 */
export interface Pace {
  readonly startedAtMs: number;
  /** Rows that the server had already when a resumed import began. */
  readonly rowsAtStart: number;
  readonly pausedMs: number;
  readonly pausedSinceMs: number | null;
}

export function startPace(nowMs: number, rowsAtStart: number): Pace {
  return { startedAtMs: nowMs, rowsAtStart, pausedMs: 0, pausedSinceMs: null };
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
  const { startedAtMs, rowsAtStart, pausedMs, pausedSinceMs } = pace;
  const activeMs = (pausedSinceMs ?? nowMs) - startedAtMs - pausedMs;
  const rowsSent = rows - rowsAtStart;
  return rowsSent > 0 && activeMs > 0 ? (rowsSent * 1000) / activeMs : 0;
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
