/**
 * Reading the database without Dexie, which weighs more than all of our own code: for the first
 * screen and for the service worker. Nothing here makes or changes anything.
 */
import type { OutboxRow } from './database.ts';
import { DATABASE } from './schema.ts';

/** Dexie keeps its version times ten. */
const VERSION = 10 * DATABASE.version;
/** Some browsers never answer, rather than say no. */
const OPEN_TIMEOUT_MS = 1000;

/**
 * Null when there is no database yet.
 * @throws when it cannot be opened, or is of another version
 */
export function openForReading(): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    // Without a version: with one it would upgrade an older database.
    const request = indexedDB.open(DATABASE.name);
    request.onupgradeneeded = () => {
      // It would be made now: taken back, it never was.
      request.transaction?.abort();
      resolve(null);
    };
    request.onerror = () => reject(request.error ?? new Error('no answer'));
    request.onsuccess = () => {
      const db = request.result;
      if (db.version === VERSION && !isLate) {
        resolve(db);
        return;
      }
      db.close();
      reject(new Error(`the database is of version ${db.version}`));
    };
    setTimeout(() => {
      isLate = true;
      reject(new Error(`no answer within ${OPEN_TIMEOUT_MS} ms`));
    }, OPEN_TIMEOUT_MS);
  });
}

/** All keys of two parts that begin with this one. */
export function startingWith(first: number | string): IDBKeyRange {
  return IDBKeyRange.bound([first, -Infinity], [first, Infinity]);
}

/** The changes that wait, in the order they were made; see `readPending`, which reads through Dexie. */
export function pendingIn(reading: IDBTransaction, uid: string): Promise<OutboxRow[]> {
  const outbox = reading.objectStore('outbox').index('[uid+seq]');
  return answerOf<OutboxRow[]>(outbox.getAll(startingWith(uid)));
}

export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database does not answer'));
  });
}
