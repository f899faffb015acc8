import type { WeftDatabase } from './database.ts';
import { readShopper } from './shopper-log.ts';

/** How many taps before a login the device remembers: more than are 30 minutes young. */
const MOST = 20;

/**
 * Writes a deferred change, in one transaction with the note that this device has it. A tab that ended
 * between writing and forgetting it does it again, maybe after the server has acknowledged it: then the
 * outbox does not know it any more, and the screen would count it twice until the next pull.
 *
 * @param write returns false if the shopper is not signed in any more
 */
export function onceHere(
  db: WeftDatabase,
  uid: string,
  ids: readonly string[],
  write: () => Promise<boolean>,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    if ((await readShopper(db))?.uid !== uid) return false;
    const row = await db.meta.get('deferred');
    const done = row?.key === 'deferred' ? row.ids : [];
    if (ids.some((id) => done.includes(id))) return true;
    await db.meta.put({ key: 'deferred', ids: [...done, ...ids].slice(-MOST) });
    return write();
  });
}
