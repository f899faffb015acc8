import { localKey } from '../ui/storage-key.ts';

/** Kept on the device, so that a shop that is opened again offline still knows since when. */
const key = localKey('offline-since');
const DAY_MS = 86_400_000;

let sinceMs: number | null = null;

/** When the network went, as people here write it; the day too when it was another. */
export function offlineSince(): string {
  if (sinceMs === null) {
    sinceMs = Number(key.read()) || Date.now();
    key.write(String(sinceMs));
  }
  const since = new Date(sinceMs);
  const time = since.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
  if (since.toDateString() === new Date().toDateString()) return time;
  const isThisWeek = Date.now() - sinceMs < 6 * DAY_MS;
  const day = isThisWeek
    ? since.toLocaleDateString([], { weekday: 'long' })
    : since.toLocaleDateString([], { day: 'numeric', month: 'long' });
  return `${day}, ${time}`;
}

export function forgetOffline(): void {
  sinceMs = null;
  key.clear();
}
