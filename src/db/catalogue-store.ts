import { type CatalogueSnapshot, followCatalogue } from './catalogue-follower.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { connection } from './connection.ts';
import type { LiveStore } from './live-store.ts';
import { isStorageFailure } from './open.ts';

let snapshot: CatalogueSnapshot | undefined;
const listeners = new Set<() => void>();
let stopFollowing: (() => void) | undefined;

/** The catalogue as this device has it, for `useSyncExternalStore`; undefined until it was read. */
export const catalogueStore: LiveStore<CatalogueSnapshot> = {
  subscribe: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => snapshot,
};

/**
 * Follows the catalogue of the open database, and of the one that takes over from it. Resolves
 * when it was read for the first time, or could not be.
 */
export function startCatalogue(): Promise<void> {
  return new Promise((resolve) => {
    const follow = () => {
      stopFollowing?.();
      stopFollowing = followCatalogue(
        connection.db,
        (next) => {
          snapshot = next;
          for (const listener of listeners) listener();
          resolve();
        },
        (error) => {
          recoverFrom(error);
          resolve();
        },
      );
    };
    connection.subscribe(follow);
    follow();
  });
}

/** What cannot be read although the store is well is damaged: it is loaded anew. */
function recoverFrom(error: unknown): void {
  if (!isStorageFailure(error)) {
    forgetCatalogue(connection.db).catch((next: unknown) => connection.recoverFrom(next));
  }
  connection.recoverFrom(error);
}
