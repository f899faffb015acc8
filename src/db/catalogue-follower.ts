import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { forgetCatalogue, readResult, readChunks, readState } from './catalogue-log.ts';
import { type CatalogueSnapshot, catalogueStore, type LogPosition } from './catalogue-store.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { followQuery } from './follow.ts';
import { isStorageFailure } from './storage-failure.ts';

/**
 * Fills `catalogueStore` from the open database, and again when the products move to memory. Resolves after the
 * first reading, also if that failed.
 */
export function feedCatalogue(): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const start = (shown: CatalogueSnapshot | undefined) => {
      stop?.();
      stop = followCatalogue(
        connection.catalogue,
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
    // The new database may hold less than the last one, so its log is read from the beginning.
    connection.subscribe(() => {
      const shown = catalogueStore.snapshot();
      start(shown && { ...shown, position: null });
    });
    start(catalogueStore.snapshot());
  });
}

/** Whether two snapshots look the same on screen. */
function isSame(last: CatalogueSnapshot | undefined, next: CatalogueSnapshot): boolean {
  return (
    last?.index === next.index &&
    last.revision === next.revision &&
    last.isComplete === next.isComplete &&
    last.failure === next.failure
  );
}

/** Handles a failed reading. Any error but a storage failure means damaged data: then the catalogue is loaded again. */
function recoverFrom(error: unknown): void {
  const { storage } = connection;
  // Reports an error that is not the storage's.
  void storage.recoverCatalogueFrom(error);
  if (isStorageFailure(error)) return;
  forgetCatalogue(connection.catalogue).catch((failure: unknown) =>
    storage.recoverCatalogueFrom(failure),
  );
}

/**
 * Keeps an index in memory equal to the log, whichever tab writes it. Reads only new chunks, and
 * starts a new index when the generation changes. Returns a function that stops this.
 *
 * @param shown the snapshot to continue from; `onChange` gets its index until the log has products
 * @param onError called when the database cannot be read, unless this was stopped meanwhile
 */
function followCatalogue(
  db: WeftDatabase,
  shown: CatalogueSnapshot | undefined,
  onChange: (snapshot: CatalogueSnapshot) => void,
  onError: (error: unknown) => void,
): () => void {
  let index = shown?.index ?? new CatalogueIndex();
  let position: LogPosition | null = shown?.position ?? null;
  let isStopped = false;
  let work: Promise<void> = Promise.resolve();

  /** Reads the state and its new chunks in one transaction, so that no other tab rewrites them between. */
  function readNewChunks() {
    return db.transaction('r', db.chunks, db.meta, async () => {
      const state = await readState(db);
      const isOtherGeneration = state?.generation !== position?.generation;
      const from = isOtherGeneration ? 0 : (position?.nextSeq ?? 0);
      const chunks = state ? await readChunks(db, state.generation, from) : [];
      const failure = (await readResult(db))?.failure ?? null;
      return { state, isOtherGeneration, chunks, failure };
    });
  }

  async function catchUp() {
    const { state, isOtherGeneration, chunks, failure } = await readNewChunks();
    const isComplete = Boolean(state?.version);
    // Until a first load has brought products, the index that is shown stays.
    if (state && (isComplete || state.nextSeq > 0)) {
      if (isOtherGeneration) index = new CatalogueIndex();
      for (const chunk of chunks) index.apply(chunk);
      position = { generation: state.generation, nextSeq: state.nextSeq };
    }
    if (isStopped) return;
    onChange({ index, revision: index.revision, isComplete, failure, position });
  }

  /** Every write to the log changes one of these rows, and so runs the query again. */
  const readStateAndResult = () =>
    db.transaction('r', db.meta, async () => ({
      state: await readState(db),
      result: await readResult(db),
    }));
  const catchUpSoon = () => {
    work = work.then(catchUp).catch((error: unknown) => {
      if (!isStopped) onError(error);
    });
  };
  const stop = followQuery(readStateAndResult, catchUpSoon, onError);
  return () => {
    isStopped = true;
    stop();
  };
}
