/**
 * The outbox: the changes that the server has not acknowledged, in the order they were made. A tap is confirmed
 * once its changes are stored here, or where the page works in memory once the server has acknowledged them.
 */
import Dexie, { liveQuery } from 'dexie';
import {
  type Change,
  CHANGE_SCHEMA,
  foldChanges,
  type Mutation,
  NOTHING,
  type ShopperData,
} from '../domain/change.ts';
import { connection } from './connection.ts';
import type { OutboxRow, WeftDatabase } from './database.ts';
import { moveWaiting } from './move-waiting.ts';
import { readBaseVer, readPending, readShopper } from './shopper-data.ts';
import { isStorageFailure } from './storage-failure.ts';
import type { Tap } from './waiting-taps.ts';

/**
 * Result of a mutation, which never throws; the screen shows a sentence for all but `done`.
 *
 * - `done`       stored on this phone, or acknowledged by the server where the phone cannot store it
 * - `signed-out` not stored, because nobody is signed in
 * - `not-stored` lost
 */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

export async function enqueueTap(tap: Tap): Promise<ChangeOutcome> {
  const { ids, view, mutation } = tap;
  const outcome = await write(async (db) => {
    // `write` runs this twice after a failure, and the first run may have stored the changes all the same.
    if (await arePending(db, ids)) return true;
    // The page was left and is shown again. Another page may have moved the tap meanwhile.
    if (tap.isInLocalStorage) {
      await moveWaiting(db);
      return true;
    }
    const uid = view?.shopper.uid ?? (await readUid(db));
    let usedIds = 0;
    const newId = () => (ids[usedIds++] ??= crypto.randomUUID());
    return uid !== undefined && enqueueIn(db, uid, mutation, newId);
  });
  if (outcome === 'done' && connection.kept === 'memory') await acknowledged(ids);
  return outcome;
}

/** Deletes a rejected change whose reason the shopper has seen. */
export function dismissRejected(rejectedId: string): Promise<ChangeOutcome> {
  return write(async (db) => {
    await db.rejected.delete(rejectedId);
    return true;
  });
}

/** @param work may run twice; returns false if nobody is signed in */
async function write(work: (db: WeftDatabase) => Promise<boolean>): Promise<ChangeOutcome> {
  try {
    return (await connection.storage.write(work)) ? 'done' : 'signed-out';
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
  newId: () => string,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    const [signedIn, baseVer] = await Promise.all([readUid(db), readBaseVer(db, uid)]);
    if (signedIn !== uid) return false;
    const actions = typeof mutation === 'function' ? mutation(await readShown(db, uid)) : mutation;
    const madeAt = new Date().toISOString();
    const rows = actions.map((action) => {
      const change: Change = { ...action, id: newId(), schema: CHANGE_SCHEMA, madeAt, baseVer };
      return { uid, id: change.id, change };
    });
    await add(db, rows);
    return true;
  });
}

async function add(db: WeftDatabase, rows: readonly Omit<OutboxRow, 'seq'>[]): Promise<void> {
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

/** Whether the outbox has any of these changes. */
async function arePending(db: WeftDatabase, ids: readonly string[]): Promise<boolean> {
  return ids.length > 0 && (await db.outbox.where('id').anyOf(ids).count()) > 0;
}

/** Resolves when the server has acknowledged these changes. */
function acknowledged(ids: readonly string[]): Promise<void> {
  const { db } = connection;
  return new Promise((resolve) => {
    const following = liveQuery(() => arePending(db, ids)).subscribe((isPending) => {
      if (isPending) return;
      following.unsubscribe();
      resolve();
    });
  });
}
