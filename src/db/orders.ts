/** Stores a shopper's orders on this phone, so that they can be read offline. */
import type { Order } from '../domain/order.ts';
import type { WeftDatabase } from './database.ts';
import { readShopper } from './shopper-data.ts';

/** A shopper's orders, newest first; null if never stored, or if the shopper is not signed in. */
export function readOrders(db: WeftDatabase, uid: string): Promise<readonly Order[] | null> {
  return db.transaction('r', db.meta, db.orders, async () => {
    if ((await readShopper(db))?.uid !== uid) return null;
    return (await db.orders.get(uid))?.orders ?? null;
  });
}

/** Does nothing if the shopper is no longer signed in. */
export function keepOrders(db: WeftDatabase, uid: string, orders: readonly Order[]): Promise<void> {
  return db.transaction('rw', db.meta, db.orders, async () => {
    if ((await readShopper(db))?.uid === uid) await db.orders.put({ uid, orders });
  });
}
