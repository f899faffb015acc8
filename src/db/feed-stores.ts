/** What the screens read follows the open database from here on, and the one that takes over from it. */
import { followCatalogue } from './catalogue-follower.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { type CatalogueSnapshot, catalogueStore } from './catalogue-store.ts';
import { connection } from './connection.ts';
import { follow } from './follow.ts';
import { isStorageFailure } from './open.ts';
import { readShopperState } from './shopper-log.ts';
import { shopperStore, viewOf } from './shopper-store.ts';

/** Resolves when catalogue and shopper were read for the first time, or could not be. */
export async function feedStores(): Promise<void> {
  const shopper = follow(async (db) => {
    const state = await readShopperState(db);
    return state && viewOf(state);
  }, shopperStore);
  await Promise.all([feedCatalogue(), shopper]);
}

function feedCatalogue(): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const start = (shown: CatalogueSnapshot | undefined) => {
      stop?.();
      stop = followCatalogue(
        connection.db,
        shown,
        (next) => {
          if (!isSame(catalogueStore.snapshot(), next)) catalogueStore.set(next);
          resolve();
        },
        (error) => {
          recoverFrom(error);
          resolve();
        },
      );
    };
    // Another database may hold less than the one before: it is read from its beginning.
    connection.subscribe(() => {
      const shown = catalogueStore.snapshot();
      start(shown && { ...shown, place: null });
    });
    start(catalogueStore.snapshot());
  });
}

/** Whether there is nothing to draw anew. */
function isSame(last: CatalogueSnapshot | undefined, next: CatalogueSnapshot): boolean {
  return (
    last?.index === next.index &&
    last.revision === next.revision &&
    last.isComplete === next.isComplete &&
    last.failure === next.failure
  );
}

/** What cannot be read although the store is well is damaged: it is loaded anew. */
function recoverFrom(error: unknown): void {
  if (!isStorageFailure(error)) {
    forgetCatalogue(connection.db).catch((next: unknown) => connection.recoverFrom(next));
  }
  connection.recoverFrom(error);
}
