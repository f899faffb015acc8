/** Stores a shopper's orders on this phone, so that they can be read offline. */
import type { Order } from '../domain/order.ts';
import type { WeftDatabase } from './database.ts';
import { readShopper } from './shopper-log.ts';

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

/**
 * Stores the state of one order as the server has just answered it. Does nothing if the shopper is not signed
 * in, or has no stored orders.
 */
export function keepOrderState(
  db: WeftDatabase,
  uid: string,
  { id, state }: Pick<Order, 'id' | 'state'>,
): Promise<void> {
  return db.transaction('rw', db.meta, db.orders, async () => {
    const kept = await db.orders.get(uid);
    if ((await readShopper(db))?.uid !== uid || !kept) return;
    const orders = kept.orders.map((order) => (order.id === id ? { ...order, state } : order));
    await db.orders.put({ uid, orders });
  });
}
