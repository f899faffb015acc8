/**
 * Unsaved changes on this device whose shopper is not signed in. Changes of a deleted account would stay
 * for ever, so the user of the phone may remove them.
 */
import type { WeftDatabase } from './database.ts';
import { follow } from './follow.ts';
import { createStore, type ReadableStore } from '../browser/store.ts';
import { readShopper } from './shopper-log.ts';

export interface LeftBehindIds {
  /** Ids of the shopper's own changes, if the session has ended. */
  readonly own: readonly string[];
  /** Ids of other shoppers' changes. */
  readonly others: readonly string[];
}

const store = createStore<LeftBehindIds | undefined>(undefined);
let following: Promise<void> | null = null;

/** Starts its live query at the first subscription, so that the cart's screen loads without Dexie. */
export const leftBehindStore: ReadableStore<LeftBehindIds | undefined> = {
  subscribe(listener) {
    following ??= follow(readLeftBehind, store);
    return store.subscribe(listener);
  },
  snapshot: store.snapshot,
};

export function readLeftBehind(db: WeftDatabase): Promise<LeftBehindIds> {
  return db.transaction('r', db.meta, db.outbox, async () => {
    const shopper = await readShopper(db);
    const waiting = await db.outbox.toArray();
    const own = waiting.filter(({ uid }) => uid === shopper?.uid);
    const others = waiting.filter(({ uid }) => uid !== shopper?.uid);
    const idsOf = (rows: typeof waiting) => rows.map(({ id }) => id);
    return { own: shopper?.session === 'ended' ? idsOf(own) : [], others: idsOf(others) };
  });
}

/** Deletes changes, except those of a shopper who has signed in again, which the sync saves. */
export function removeLeftBehind(db: WeftDatabase, ids: readonly string[]): Promise<void> {
  return db.transaction('rw', db.meta, db.outbox, async () => {
    const shopper = await readShopper(db);
    await db.outbox
      .where('id')
      .anyOf([...ids])
      .filter(({ uid }) => uid !== shopper?.uid || shopper.session === 'ended')
      .delete();
  });
}
