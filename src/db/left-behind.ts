/**
 * Changes that wait on this device although nobody is signed in here who could save them: of an
 * account that is gone they would wait for ever. Whoever holds the phone may remove them.
 */
import type { WeftDatabase } from './database.ts';
import { follow } from './follow.ts';
import { createStore, type ReadableStore } from '../browser/store.ts';
import { readShopper } from './shopper-log.ts';

export interface LeftBehind {
  /** Ids of what waits for the shopper whose session has ended. */
  readonly own: readonly string[];
  /** Ids of what waits for others. */
  readonly others: readonly string[];
}

const held = createStore<LeftBehind | undefined>(undefined);
let following: Promise<void> | null = null;

/** Followed from the first look at a cart on, in a screen that must not bring Dexie with it. */
export const leftBehindStore: ReadableStore<LeftBehind | undefined> = {
  subscribe(listener) {
    following ??= follow(readLeftBehind, held);
    return held.subscribe(listener);
  },
  snapshot: held.snapshot,
};

export function readLeftBehind(db: WeftDatabase): Promise<LeftBehind> {
  return db.transaction('r', db.meta, db.outbox, async () => {
    const shopper = await readShopper(db);
    const waiting = await db.outbox.toArray();
    const own = waiting.filter(({ uid }) => uid === shopper?.uid);
    const others = waiting.filter(({ uid }) => uid !== shopper?.uid);
    const idsOf = (rows: typeof waiting) => rows.map(({ id }) => id);
    return { own: shopper?.session === 'ended' ? idsOf(own) : [], others: idsOf(others) };
  });
}

/** Those of them that are left behind still: who has signed in again saves their own. */
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
