import { liveQuery, type Subscription } from 'dexie';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';

/** Something in the database, followed for `useSyncExternalStore`. */
export interface LiveStore<T> {
  readonly subscribe: (listener: () => void) => () => void;
  /** The last value read; undefined until the first. */
  readonly snapshot: () => T | undefined;
}

/** Resolves when a store has been read for the first time. */
export function firstRead(store: LiveStore<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = store.subscribe(() => {
      unsubscribe();
      resolve();
    });
    if (store.snapshot() !== undefined) resolve();
  });
}

/**
 * Follows a query over the open database, and over the one that takes over from it, from the first
 * subscriber on. It is never stopped: what one screen follows, the next one wants too.
 */
export function liveStore<T>(read: (db: WeftDatabase) => Promise<T>): LiveStore<T> {
  const listeners = new Set<() => void>();
  let value: T | undefined;
  let following: Subscription | null = null;

  function follow() {
    following?.unsubscribe();
    following = liveQuery(() => read(connection.db)).subscribe({
      next: (next) => {
        value = next;
        for (const listener of listeners) listener();
      },
      error: (error) => connection.recoverFrom(error),
    });
  }

  return {
    subscribe(listener) {
      if (!following) {
        follow();
        connection.subscribe(follow);
      }
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => value,
  };
}
