/**
 * What the checkout keeps on this phone: what was typed, and the id of the order that is being
 * paid. Both belong to the shopper who is signed in, and go with them at a logout.
 */
import type { CheckoutDraft, PendingOrder, WeftDatabase } from './database.ts';
import { readShopper } from './shopper-log.ts';

/** What a shopper has typed; null when that is nothing, or the shopper is not signed in. */
export function readDraft(db: WeftDatabase, uid: string): Promise<CheckoutDraft | null> {
  return db.transaction('r', db.meta, db.drafts, async () => {
    if ((await readShopper(db))?.uid !== uid) return null;
    return (await db.drafts.get(uid)) ?? null;
  });
}

/** Does nothing once somebody else, or nobody, is signed in. */
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
 * The id under which to order this: the one that is kept for it, or a new one, which is durable
 * when this resolves. One transaction, so two tabs get the same. Null once somebody else, or
 * nobody, is signed in.
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

/** The running order of this id, of whichever shopper. */
export function readPendingOrder(
  db: WeftDatabase,
  orderId: string,
): PromiseLike<PendingOrder | undefined> {
  return db.running.filter((running) => running.orderId === orderId).first();
}

/** The order is over, however it ended: the same content is another order from now on. */
export function releaseOrderId(db: WeftDatabase, orderId: string): Promise<void> {
  return db.transaction('rw', db.running, async () => {
    await db.running.filter((running) => running.orderId === orderId).delete();
  });
}
