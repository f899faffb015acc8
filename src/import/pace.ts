/** When the page began to measure the speed of an import, and how many rows were stored then. */
export interface Pace {
  readonly sinceMs: number;
  readonly rows: number;
}

/** Rows per second; 0 until rows are stored. */
export function rateOf({ sinceMs, rows: rowsBefore }: Pace, rows: number, nowMs: number): number {
  return nowMs > sinceMs ? ((rows - rowsBefore) * 1000) / (nowMs - sinceMs) : 0;
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
