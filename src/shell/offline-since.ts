import { localKey } from '../browser/storage-key.ts';

/** Stored on the device, so that a shop that is opened again offline still has the time. */
const key = localKey('offline-since');
const DAY_MS = 86_400_000;

let sinceMs: number | null = null;

/**
 * The time since when there is no network, in the user's locale; with the day unless that is today. The first
 * call after `forgetOffline` stores the present time as the beginning.
 */
export function offlineSince(): string {
  if (sinceMs === null) {
    sinceMs = Number(key.read()) || Date.now();
    key.write(String(sinceMs));
  }
  const since = new Date(sinceMs);
  const time = since.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
  if (since.toDateString() === new Date().toDateString()) return time;
  // The name of a weekday is clear for six days.
  const isWeekdayClear = Date.now() - sinceMs < 6 * DAY_MS;
  const day = isWeekdayClear
    ? since.toLocaleDateString([], { weekday: 'long' })
    : since.toLocaleDateString([], { day: 'numeric', month: 'long' });
  return `${day}, ${time}`;
}

export function forgetOffline(): void {
  sinceMs = null;
  key.clear();
}
