import type { WeftDatabase } from './database.ts';
import { readShopper } from './shopper-log.ts';

/** More than a shopper taps in the 30 minutes for which a tab keeps a change (`ui/deferred-change.ts`). */
const MOST_IDS = 20;

/**
 * Writes a change that was tapped before the login, and notes its id in the same transaction. Writes nothing
 * if the id is noted already: a tab that ended before it forgot the tap does it again, maybe after the
 * server has acknowledged the change and the outbox has dropped it. The screen would count it twice until
 * the next pull.
 *
 * @param write returns false if the shopper is not signed in any more
 */
export function writeDeferredOnce(
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
    await db.meta.put({ key: 'deferred', ids: [...done, ...ids].slice(-MOST_IDS) });
    return write();
  });
}
