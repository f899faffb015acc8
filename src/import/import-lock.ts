/** A lock over all tabs of this browser: one tab imports at a time, and the other tabs tell the user to wait. */
const LOCK = 'weft-import';

/** Runs the task under the lock. Returns null at once when another tab holds it. */
export async function runIfLockFree<T>(task: () => Promise<T>): Promise<T | null> {
  if (!('locks' in navigator)) return task();
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) =>
    lock ? task() : null,
  );
}

export async function isLockHeld(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

/**
 * Resolves when no tab imports. Asks for a shared lock, so that several waiting tabs go on together.
 * Call this only after `isLockHeld` has returned true: it needs Web Locks.
 */
export async function waitUntilLockFree(): Promise<void> {
  await navigator.locks.request(LOCK, { mode: 'shared' }, () => undefined);
}
