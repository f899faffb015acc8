export interface LockRequest {
  readonly name: string;
  /** How long to wait for another tab: a tab that the system froze may hold the lock for ever. */
  readonly waitMs: number;
  /** Ends the wait; the work then runs without the lock, as after `waitMs`. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the work while no other tab runs work under the same name. The caller must not rely on that: where the
 * browser has no locks, or another tab holds the lock too long, the work runs without the lock.
 *
 * @param locks undefined in browsers without them
 */
export async function withLock<T>(
  locks: LockManager | undefined,
  { name, waitMs, signal }: LockRequest,
  work: () => Promise<T>,
): Promise<T> {
  if (!locks) return work();
  const timeout = AbortSignal.timeout(waitMs);
  const wait = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let begun: Promise<T> | null = null;
  try {
    await locks.request(name, { signal: wait }, () => (begun = work()));
  } catch {
    // The wait was aborted, or the work itself failed; the work's own promise reports the latter.
  }
  return begun ?? work();
}
