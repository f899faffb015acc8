export interface LockRequest {
  readonly name: string;
  /** How long to wait for another tab's work: a tab that the system froze may hold its lock for ever. */
  readonly waitMs: number;
  /** Ends the wait too. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the work while no other tab runs work of that name. It only saves requests: where there are
 * no locks, or one is held too long, the work runs all the same.
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
    // The wait was given up, or the work itself failed: its own promise says which.
  }
  return begun ?? work();
}
