import { liveQuery } from 'dexie';
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { readAttempt, readChunks, readState } from './catalogue-log.ts';
import type { WeftDatabase } from './database.ts';

/** What a screen may know of the catalogue at one moment. */
export interface CatalogueSnapshot {
  readonly index: CatalogueIndex;
  /** The index's revision: two snapshots of one index differ in it. */
  readonly revision: number;
  /** Whether a load has ever been completed on this device. */
  readonly isComplete: boolean;
  /** Why the last attempt to bring it up to date failed. */
  readonly failure: BackendFailure | null;
}

/**
 * Keeps an index in memory equal to the log, whichever tab writes it: reads only the chunks that
 * are new, and starts over with another index when the generation changes.
 * `onError` hears of a store that can no longer be read.
 */
export function followCatalogue(
  db: WeftDatabase,
  onChange: (snapshot: CatalogueSnapshot) => void,
  onError: (error: unknown) => void,
): () => void {
  let index = new CatalogueIndex();
  let generation: number | null = null;
  let nextSeq = 0;
  let isStopped = false;
  let work: Promise<void> = Promise.resolve();

  /** One read transaction: the state and the chunks it speaks of, whatever another tab rewrites. */
  function readNews() {
    return db.transaction('r', db.chunks, db.meta, async () => {
      const state = await readState(db);
      const isOther = state?.generation !== generation;
      const chunks = state ? await readChunks(db, state.generation, isOther ? 0 : nextSeq) : [];
      return { state, isOther, chunks, failure: (await readAttempt(db))?.failure ?? null };
    });
  }

  async function catchUp() {
    const { state, isOther, chunks, failure } = await readNews();
    if (state) {
      if (isOther) index = new CatalogueIndex();
      for (const chunk of chunks) index.apply(chunk);
      generation = state.generation;
      nextSeq = state.nextSeq;
    }
    if (isStopped) return;
    onChange({ index, revision: index.revision, isComplete: Boolean(state?.version), failure });
  }

  const subscription = liveQuery(async () => ({
    state: await readState(db),
    attempt: await readAttempt(db),
  })).subscribe({
    next: () => {
      work = work.then(catchUp).catch(onError);
    },
    error: onError,
  });
  return () => {
    isStopped = true;
    subscription.unsubscribe();
  };
}
