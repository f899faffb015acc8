import { localKey } from '../ui/storage-key.ts';

/** Stored on the device, so that the shop still has the time when the user opens it again offline. */
const key = localKey('offline-since');
const DAY_MS = 86_400_000;

let sinceMs: number | null = null;

/** When the network failed, in the user's locale; with the day when that was not today. */
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
