/**
 * What the checkout stores on this phone: the form's fields, and the id of the order that is being
 * paid. Both belong to the signed-in shopper; a logout deletes them.
 */
import type { CheckoutDraft, PendingOrder, WeftDatabase } from './database.ts';
import { readShopper } from './shopper-data.ts';

/** The fields that a shopper has typed; null if none, or if the shopper is not signed in. */
export function readDraft(db: WeftDatabase, uid: string): Promise<CheckoutDraft | null> {
  return db.transaction('r', db.meta, db.drafts, async () => {
    if ((await readShopper(db))?.uid !== uid) return null;
    return (await db.drafts.get(uid)) ?? null;
  });
}

/** Does nothing if the shopper is no longer signed in. */
export function keepDraft(
  db: WeftDatabase,
  uid: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  return db.transaction('rw', db.meta, db.drafts, async () => {
    if ((await readShopper(db))?.uid === uid) await db.drafts.put({ uid, fields });
  });
}

/**
 * The id under which to order this content: the stored one, or a new one, durable when this
 * resolves. One transaction, so two tabs get the same id. Null if the shopper is no longer signed in.
 */
export function claimOrderId(
  db: WeftDatabase,
  wanted: Omit<PendingOrder, 'orderId'>,
  newId: () => string,
): Promise<string | null> {
  return db.transaction('rw', db.meta, db.running, async () => {
    if ((await readShopper(db))?.uid !== wanted.uid) return null;
    const running = await db.running.get(wanted.uid);
    if (running?.content === wanted.content) return running.orderId;
    const orderId = newId();
    await db.running.put({ ...wanted, orderId });
    return orderId;
  });
}

/** Deletes the id of an order that has ended, so that the same content becomes another order. */
export function releaseOrderId(db: WeftDatabase, orderId: string): Promise<void> {
  return db.transaction('rw', db.running, async () => {
    await db.running.filter((running) => running.orderId === orderId).delete();
  });
}
