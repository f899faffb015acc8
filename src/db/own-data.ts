/** A shopper's data that only this device has: counted before a logout, and removed with the account. */
import { withTimeout } from '../browser/with-timeout.ts';
import type { WeftDatabase } from './database.ts';
import { readPending } from './shopper-data.ts';

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

/** Deletes the unsaved changes of a deleted account: the server would reject them. */
export async function removeUnsaved(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const pending = await readPending(db, uid);
    await db.outbox.bulkDelete(pending.map(({ seq }) => seq));
  });
}
