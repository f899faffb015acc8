/**
 * Writes a tap to the outbox. If the storage fails, `failover.write` tries once more, with the same
 * ids, so that a change which the first attempt did store is not stored twice.
 */
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { isStorageFailure } from './open.ts';
import { appendLate, forgetLate, keepLate, moveLateToOutbox, type Tap } from './late-change.ts';
import {
  retryRejected,
  dismissRejected,
  enqueue,
  type IdAndClock,
  readShopper,
} from './shopper-log.ts';

/**
 * Result of a mutation, which never throws; the screen shows a sentence for all but `done`.
 *
 * - `done`       stored on this phone, or in memory where it cannot store; the sync sends it
 * - `waits`      stored, and sent once its shopper, who has logged out, logs in again
 * - `signed-out` not stored, because nobody is signed in
 * - `not-stored` lost
 */
export type ChangeOutcome = 'done' | 'waits' | 'signed-out' | 'not-stored';

/** Taps on their way to the device. */
const underWay = new Set<Tap>();

// When the user leaves the page, the browser may drop writes that are under way. Tests have no `addEventListener`.
globalThis.addEventListener?.('pagehide', () => {
  for (const tap of underWay) if (!tap.isKept) keepLate(tap);
});

export async function writeChange(tap: Tap): Promise<ChangeOutcome> {
  underWay.add(tap);
  try {
    return await writeTap(tap);
  } finally {
    underWay.delete(tap);
  }
}

async function writeTap(tap: Tap): Promise<ChangeOutcome> {
  const outcome = await write(async (db, idAndClock) => {
    const uid = tap.view?.shopper.uid ?? (await readShopper(db))?.uid;
    if (uid === undefined) return false;
    // If the tap is in `localStorage` by then, `moveLateToOutbox` below writes it.
    const isWanted = () => !tap.isKept;
    const append = () => enqueue(db, uid, tap.mutation, idAndClock, isWanted);
    return behindLate(db, () =>
      tap.isDeferred ? writeDeferredOnce(db, uid, tap.ids, append) : append(),
    );
  }, tap.ids);
  if (!tap.isKept) return outcome;
  await connection.failover.keep((db) => moveLateToOutbox(db, connection.kept === 'device'));
  // What IndexedDB has not stored is in `localStorage`.
  if (outcome === 'not-stored') return 'done';
  return outcome === 'signed-out' ? 'waits' : outcome;
}

/**
 * Runs `work` in one transaction behind the late changes: they may have waited in `localStorage` for the same lock
 * as this one, and were tapped before.
 */
async function behindLate(db: WeftDatabase, work: () => Promise<boolean>): Promise<boolean> {
  const isDurable = connection.kept === 'device';
  let late: readonly string[] = [];
  const isDone = await db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    late = await appendLate(db, isDurable);
    return work();
  });
  if (isDurable) forgetLate(late);
  return isDone;
}

/** More than a shopper taps in the 30 minutes for which a tab keeps a change (`ui/deferred-change.ts`). */
const MOST_IDS = 20;

/**
 * Writes a change that was tapped before the login, and notes its id in the same transaction. Writes nothing
 * if the id is noted already. A tab that ended before it forgot the tap repeats it, maybe after the server has
 * acknowledged the change and the outbox has dropped it. Without the note the screen would count the change
 * twice until the next pull.
 *
 * @param append returns false if the shopper is not signed in any more
 */
function writeDeferredOnce(
  db: WeftDatabase,
  uid: string,
  ids: readonly string[],
  append: () => Promise<boolean>,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    if ((await readShopper(db))?.uid !== uid) return false;
    const done = (await db.meta.get('deferred'))?.ids ?? [];
    if (ids.some((id) => done.includes(id))) return true;
    await db.meta.put({ key: 'deferred', ids: [...done, ...ids].slice(-MOST_IDS) });
    return append();
  });
}

export function writeAgain(rejectedId: string): Promise<ChangeOutcome> {
  return write((db, idAndClock) => retryRejected(db, rejectedId, idAndClock));
}

export function writeDismissal(rejectedId: string): Promise<ChangeOutcome> {
  return write(async (db) => {
    await dismissRejected(db, [rejectedId]);
    return true;
  });
}

/**
 * Runs `work` with ids for the changes that it stores. A repeated attempt gets the same ids, and does nothing if
 * the attempt before has stored its changes.
 *
 * @param ids ids to use; new ones are appended when there are too few
 */
async function write(
  work: (db: WeftDatabase, idAndClock: IdAndClock) => Promise<boolean>,
  ids: string[] = [],
): Promise<ChangeOutcome> {
  const attempt = async (db: WeftDatabase) => {
    if (await isStored(db, ids)) return true;
    let usedIds = 0;
    const newId = () => (ids[usedIds++] ??= crypto.randomUUID());
    return work(db, { newId, now: () => new Date() });
  };
  await connection.known();
  try {
    return (await connection.failover.write(attempt)) ? 'done' : 'signed-out';
  } catch (error) {
    if (!isStorageFailure(error)) reportError(error);
    return 'not-stored';
  }
}

async function isStored(db: WeftDatabase, ids: readonly string[]): Promise<boolean> {
  return ids.length > 0 && (await db.outbox.where('id').anyOf(ids).count()) > 0;
}
