import { liveQuery, type Subscription } from 'dexie';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import type { HeldStore } from './held-store.ts';

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 60_000;

/**
 * Keeps a store equal to a query over the open database, and over the one that takes over from it;
 * `undefined` changes nothing. A query that failed is asked again. Resolves when it was read for the
 * first time.
 */
export function follow<T>(
  read: (db: WeftDatabase) => Promise<T | undefined>,
  store: HeldStore<T>,
): Promise<void> {
  return new Promise((resolve) => {
    let following: Subscription | null = null;
    let pauseMs = FIRST_PAUSE_MS;
    const start = () => {
      following?.unsubscribe();
      const own = liveQuery(() => told(read(connection.db))).subscribe({
        next: (next) => {
          pauseMs = FIRST_PAUSE_MS;
          if (next !== undefined) store.set(next);
          resolve();
        },
        error: (error) => void recover(error, own),
      });
      following = own;
    };
    async function recover(error: unknown, own: Subscription): Promise<void> {
      await connection.recoverFrom(error);
      const again = () => following === own && start();
      setTimeout(again, pauseMs);
      pauseMs = Math.min(LAST_PAUSE_MS, 2 * pauseMs);
    }
    connection.subscribe(start);
    start();
  });
}

/** `liveQuery` says nothing of an `AbortError` or a `DatabaseClosedError`; as a cause it does. */
export function told<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    throw new Error('the database could not be read', { cause });
  });
}
