/** One tab of this browser imports at a time; the others say so and wait. */
const LOCK = 'weft-import';

/** Runs the work under the lock. Returns null at once when another tab holds it. */
export async function ifLockFree<T>(work: () => Promise<T>): Promise<T | null> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) =>
    lock ? work() : null,
  );
}

export async function isTaken(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

/** Resolves when no other tab imports any more. */
export async function freed(): Promise<void> {
  await navigator.locks.request(LOCK, { mode: 'shared' }, () => undefined);
}
