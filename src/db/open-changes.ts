import type { WeftDatabase } from './database.ts';
import { withTimeout } from './open.ts';
import { readPending } from './outbox.ts';

/** What the logout dialog names: unsaved changes, which stay here, and rejected ones, which are deleted. */
export interface OpenChanges {
  readonly unsaved: number;
  readonly rejected: number;
}

/** A frozen tab may block the storage; the user must still be able to log out. */
const TIMEOUT_MS = 1000;

/** @throws `TimeoutError` when the storage does not answer; its own error when it fails */
export function countOpen(db: WeftDatabase, uid: string): Promise<OpenChanges> {
  const counting = db.transaction('r', db.outbox, db.rejected, async () => ({
    unsaved: (await readPending(db, uid)).length,
    rejected: await db.rejected.where('uid').equals(uid).count(),
  }));
  return withTimeout(counting, TIMEOUT_MS);
}
