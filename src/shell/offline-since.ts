/** Kept on the device, so that a shop that is opened again offline still knows since when. */
const SLOT = 'offline-since';
const DAY_MS = 86_400_000;

let sinceMs: number | null = null;

/** When the network went, as people here write it; the day too when it was another. */
export function offlineSince(): string {
  sinceMs ??= kept() ?? keep(Date.now());
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
  try {
    localStorage.removeItem(SLOT);
  } catch {
    // Blocked: then nothing was kept either.
  }
}

function kept(): number | null {
  try {
    return Number(localStorage.getItem(SLOT)) || null;
  } catch {
    return null;
  }
}

function keep(ms: number): number {
  try {
    localStorage.setItem(SLOT, String(ms));
  } catch {
    // Blocked or full: the next page counts from its own beginning.
  }
  return ms;
}
