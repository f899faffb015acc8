import { useMemo, useSyncExternalStore } from 'react';
import { type CatalogueSnapshot, followCatalogue } from '../db/catalogue-follower.ts';
import { forgetCatalogue } from '../db/catalogue-log.ts';
import { connection } from '../db/connection.ts';
import { isStorageFailure } from '../db/open.ts';
import type { CatalogueFilter } from '../domain/catalogue-index.ts';

let snapshot: CatalogueSnapshot | undefined;
const listeners = new Set<() => void>();
let stopFollowing: (() => void) | undefined;

/** Follows the catalogue of the open database, and of the one that takes over from it. */
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

/** The catalogue as this device has it; undefined until it has been read. */
export function useCatalogue(): CatalogueSnapshot | undefined {
  return useSyncExternalStore(subscribe, () => snapshot);
}

/** Places in the index that match the filter, in the shop's order. */
export function useFound(
  catalogue: CatalogueSnapshot | undefined,
  { category, search }: CatalogueFilter,
): readonly number[] {
  return useMemo(
    () => catalogue?.index.find({ category, search }) ?? [],
    [catalogue, category, search],
  );
}

/** Every category in use, sorted. */
export function useCategories(catalogue: CatalogueSnapshot | undefined): readonly string[] {
  return useMemo(() => catalogue?.index.categories() ?? [], [catalogue]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
