/**
 * Reads the database without Dexie, for the first screen and the service worker, which must not load
 * it. Creates, upgrades and writes nothing.
 */
import { DATABASE } from './names.ts';

/** Dexie multiplies its version by ten. */
const VERSION = 10 * DATABASE.version;
/** Some browsers never answer instead of failing. */
const OPEN_TIMEOUT_MS = 1000;

/**
 * Null when there is no database yet.
 * @throws when it cannot be opened, does not answer for a second, or is of another version
 */
export function openForReading(): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    // Names no version, because a higher one would upgrade the database.
    const request = indexedDB.open(DATABASE.name);
    request.onupgradeneeded = () => {
      // The database does not exist; aborting keeps the browser from creating it.
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
      reject(new Error('another version'));
    };
    setTimeout(() => {
      isLate = true;
      reject(new Error('no answer'));
    }, OPEN_TIMEOUT_MS);
  });
}

export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no answer'));
  });
}
