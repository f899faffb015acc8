/** The orders of the shopper on this phone, as they were last read: for reading without a signal. */
import type { Order } from '../domain/order.ts';
import type { WeftDatabase } from './database.ts';
import { liveStore } from './live-store.ts';
import { readShopper } from './shopper-log.ts';

/** The signed-in shopper's orders, newest first; null when they were never read, or nobody is here. */
export const orderStore = liveStore((db) =>
  db.transaction('r', db.meta, db.orders, async () => {
    const shopper = await readShopper(db);
    return (shopper && (await db.orders.get(shopper.uid))?.orders) ?? null;
  }),
);

/** Does nothing once somebody else, or nobody, is signed in. */
export function keepOrders(db: WeftDatabase, uid: string, orders: readonly Order[]): Promise<void> {
  return db.transaction('rw', db.meta, db.orders, async () => {
    if ((await readShopper(db))?.uid === uid) await db.orders.put({ uid, orders });
  });
}
