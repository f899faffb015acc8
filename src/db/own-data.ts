import type { WeftDatabase } from './database.ts';
import { readPending } from './outbox.ts';

/** Reads the shopper's data that only this device has, for the file with all of the shopper's data. */
export function readUnsavedHere(db: WeftDatabase, uid: string) {
  return db.transaction('r', db.outbox, db.rejected, db.drafts, async () => ({
    waiting_changes: (await readPending(db, uid)).map(({ change }) => change),
    rejected_changes: (await db.rejected.where('uid').equals(uid).toArray()).map(
      ({ change, message }) => ({ change, message }),
    ),
    checkout_form: (await db.drafts.get(uid)) ?? null,
  }));
}

/** Deletes the unsaved changes of a deleted account: the server would reject them. */
export async function removeUnsaved(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const pending = await readPending(db, uid);
    await db.outbox.bulkDelete(pending.map(({ seq }) => seq));
  });
}
