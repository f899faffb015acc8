/** Stores the lists of orders that staff have read on this device, until a logout, so that they can be read offline. */
import type { ReadOrders } from '../domain/staff-order.ts';
import type { StoredLists, WeftDatabase } from './database.ts';
import { readShopper } from './shopper-data.ts';

export async function readLists(db: WeftDatabase, uid: string): Promise<StoredLists['lists']> {
  return (await db.staff.get(uid))?.lists ?? {};
}

/** Does nothing if this user is no longer signed in. @param list null to forget all lists */
export function keepList(
  db: WeftDatabase,
  uid: string,
  name: string,
  list: ReadOrders | null,
): Promise<void> {
  return db.transaction('rw', db.meta, db.staff, async () => {
    if (list === null) await db.staff.delete(uid);
    else if ((await readShopper(db))?.uid === uid) {
      await db.staff.put({ uid, lists: { ...(await readLists(db, uid)), [name]: list } });
    }
  });
}
