/**
 * The outbox: the changes that the server has not acknowledged, in the order they were made. A tap is confirmed
 * once its changes are stored here, or where the page works in memory once the server has acknowledged them.
 */
import Dexie, { liveQuery } from 'dexie';
import {
  type Change,
  type ChangeAction,
  CHANGE_SCHEMA,
  foldChanges,
  type Mutation,
  NOTHING,
  type ShopperData,
} from '../domain/change.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { moveWaiting } from './move-waiting.ts';
import { readBaseVer, readPending, readShopper } from './shopper-data.ts';
import { isStorageFailure } from './storage-failure.ts';
import type { Tap } from './waiting-taps.ts';

/** Makes ids and tells the time; arguments, so that a test can hold them still. */
export interface IdAndClock {
  readonly newId: () => string;
  readonly now: () => Date;
}

/**
 * Result of a mutation, which never throws; the screen shows a sentence for all but `done`.
 *
 * - `done`       stored on this phone, or acknowledged by the server where the phone cannot store it
 * - `signed-out` not stored, because nobody is signed in
 * - `not-stored` lost
 */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

export async function enqueueTap(tap: Tap): Promise<ChangeOutcome> {
  const outcome = await write(tap.ids, async (db, idAndClock) => {
    // The page was left and is shown again. Another page may have moved the tap meanwhile.
    if (tap.isLeft) {
      await moveWaiting(db);
      return true;
    }
    const uid = tap.view?.shopper.uid ?? (await readUid(db));
    return uid !== undefined && enqueueIn(db, uid, tap.mutation, idAndClock);
  });
  if (outcome === 'done' && connection.kept === 'memory') await acknowledged(tap.ids);
  return outcome;
}

/** Puts a rejected change back into the outbox under a new id. */
export function retryRejected(rejectedId: string): Promise<ChangeOutcome> {
  return write([], (db, idAndClock) =>
    db.transaction('rw', db.meta, db.bases, db.outbox, db.rejected, async () => {
      const row = await db.rejected.get(rejectedId);
      if (!row || (await readUid(db)) !== row.uid) return false;
      const { uid } = row;
      await db.rejected.delete(rejectedId);
      await add(db, { uid, baseVer: await readBaseVer(db, uid) }, [row.change], idAndClock);
      return true;
    }),
  );
}

/** Deletes a rejected change whose reason the shopper has seen. */
export function dismissRejected(rejectedId: string): Promise<ChangeOutcome> {
  return write([], async (db) => {
    await db.rejected.delete(rejectedId);
    return true;
  });
}

/**
 * Runs `work` with ids for the changes that it stores. A repeated run gets the same ids, and does nothing if
 * the run before has stored its changes.
 *
 * @param ids ids to use; new ones are appended when there are too few
 * @param work returns false if nobody is signed in
 */
async function write(
  ids: string[],
  work: (db: WeftDatabase, idAndClock: IdAndClock) => Promise<boolean>,
): Promise<ChangeOutcome> {
  try {
    const isDone = await connection.storage.write(async (db) => {
      if (await isWaitingIn(db, ids)) return true;
      let usedIds = 0;
      const newId = () => (ids[usedIds++] ??= crypto.randomUUID());
      return work(db, { newId, now: () => new Date() });
    });
    return isDone ? 'done' : 'signed-out';
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
    return 'not-stored';
  }
}

/**
 * Appends changes to the outbox, all or none; resolves once they are durable. Returns false, and does
 * nothing, if `uid` is no longer signed in.
 */
export function enqueueIn(
  db: WeftDatabase,
  uid: string,
  mutation: Mutation,
  idAndClock: IdAndClock,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    const [signedIn, baseVer] = await Promise.all([readUid(db), readBaseVer(db, uid)]);
    if (signedIn !== uid) return false;
    const actions = typeof mutation === 'function' ? mutation(await readShown(db, uid)) : mutation;
    await add(db, { uid, baseVer }, actions, idAndClock);
    return true;
  });
}

async function add(
  db: WeftDatabase,
  { uid, baseVer }: { readonly uid: string; readonly baseVer: number },
  actions: readonly ChangeAction[],
  { newId, now }: IdAndClock,
): Promise<void> {
  const rows = actions.map((action) => {
    const change: Change = {
      ...action,
      id: newId(),
      schema: CHANGE_SCHEMA,
      madeAt: now().toISOString(),
      baseVer,
    };
    return { uid, id: change.id, change };
  });
  const [row, ...others] = rows;
  if (!row || others.length > 0) {
    await db.outbox.bulkAdd(rows);
    return;
  }
  const adding = db.outbox.add(row);
  // A single row commits at once, so that a page that is frozen before the answer leaves no table locked.
  Dexie.currentTransaction.idbtrans.commit?.();
  await adding;
}

async function readShown(db: WeftDatabase, uid: string): Promise<ShopperData> {
  const pending = await readPending(db, uid);
  const base = await db.bases.get(uid);
  return foldChanges(
    base ?? NOTHING,
    pending.map(({ change }) => change),
  );
}

async function readUid(db: WeftDatabase): Promise<string | undefined> {
  return (await readShopper(db))?.uid;
}

async function isWaitingIn(db: WeftDatabase, ids: readonly string[]): Promise<boolean> {
  return ids.length > 0 && (await db.outbox.where('id').anyOf(ids).count()) > 0;
}

/** Resolves when the server has acknowledged these changes. */
function acknowledged(ids: readonly string[]): Promise<void> {
  const { db } = connection;
  return new Promise((resolve) => {
    const following = liveQuery(() => isWaitingIn(db, ids)).subscribe((isWaiting) => {
      if (isWaiting) return;
      following.unsubscribe();
      resolve();
    });
  });
}
