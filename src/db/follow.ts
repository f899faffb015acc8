import { liveQuery, type Subscription } from 'dexie';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import type { HeldStore } from './held-store.ts';

/**
 * Keeps a store equal to a query over the open database, and over the one that takes over from it.
 * Resolves when it was read for the first time.
 */
export function follow<T>(
  read: (db: WeftDatabase) => Promise<T>,
  store: HeldStore<T>,
): Promise<void> {
  return new Promise((resolve) => {
    let following: Subscription | null = null;
    const start = () => {
      following?.unsubscribe();
      following = liveQuery(() => read(connection.db)).subscribe({
        next: (next) => {
          store.set(next);
          resolve();
        },
        error: (error) => connection.recoverFrom(error),
      });
    };
    connection.subscribe(start);
    start();
  });
}
