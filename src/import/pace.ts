/**
 * How fast an import goes, from the time that has passed while it could go on. Waiting for a
 * connection does not count.
 */
export interface Pace {
  readonly startedAtMs: number;
  /** Rows that were there already, of an import that is resumed. */
  readonly rowsAtStart: number;
  readonly pausedMs: number;
  readonly pausedSinceMs: number | null;
}

export function startPace(nowMs: number, rowsAtStart: number): Pace {
  return { startedAtMs: nowMs, rowsAtStart, pausedMs: 0, pausedSinceMs: null };
}

export function pause(pace: Pace, nowMs: number): Pace {
  return pace.pausedSinceMs === null ? { ...pace, pausedSinceMs: nowMs } : pace;
}

export function unpause(pace: Pace, nowMs: number): Pace {
  const { pausedSinceMs, pausedMs } = pace;
  if (pausedSinceMs === null) return pace;
  return { ...pace, pausedMs: pausedMs + nowMs - pausedSinceMs, pausedSinceMs: null };
}

/** Rows per second; 0 as long as none have come. */
export function rateOf(pace: Pace, rows: number, nowMs: number): number {
  const { startedAtMs, rowsAtStart, pausedMs, pausedSinceMs } = pace;
  const activeMs = (pausedSinceMs ?? nowMs) - startedAtMs - pausedMs;
  const done = rows - rowsAtStart;
  return done > 0 && activeMs > 0 ? (done * 1000) / activeMs : 0;
}

/** In words, rounded up as one tells somebody who waits; null while nobody can tell. */
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
