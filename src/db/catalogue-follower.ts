import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { readAttempt, readChunks, readState } from './catalogue-log.ts';
import type { CatalogueSnapshot, LogPlace } from './catalogue-store.ts';
import type { WeftDatabase } from './database.ts';
import { followQuery } from './follow.ts';

/**
 * Keeps an index in memory equal to the log, whichever tab writes it: reads only the chunks that
 * are new, and starts over with another index when the generation changes. It goes on from what is
 * `shown` already, and leaves that standing until there is something to put in its place.
 * `onError` hears of a store that can no longer be read.
 */
export function followCatalogue(
  db: WeftDatabase,
  shown: CatalogueSnapshot | undefined,
  onChange: (snapshot: CatalogueSnapshot) => void,
  onError: (error: unknown) => void,
): () => void {
  let index = shown?.index ?? new CatalogueIndex();
  let place: LogPlace | null = shown?.place ?? null;
  let isStopped = false;
  let work: Promise<void> = Promise.resolve();

  /** One read transaction: the state and the chunks it speaks of, whatever another tab rewrites. */
  function readNews() {
    return db.transaction('r', db.chunks, db.meta, async () => {
      const state = await readState(db);
      const isOther = state?.generation !== place?.generation;
      const from = isOther ? 0 : (place?.nextSeq ?? 0);
      const chunks = state ? await readChunks(db, state.generation, from) : [];
      return { state, isOther, chunks, failure: (await readAttempt(db))?.failure ?? null };
    });
  }

  async function catchUp() {
    const { state, isOther, chunks, failure } = await readNews();
    const isComplete = Boolean(state?.version);
    if (state && (isComplete || state.nextSeq > 0)) {
      if (isOther) index = new CatalogueIndex();
      for (const chunk of chunks) index.apply(chunk);
      place = { generation: state.generation, nextSeq: state.nextSeq };
    }
    if (isStopped) return;
    onChange({ index, revision: index.revision, isComplete, failure, place });
  }

  const readPlace = () =>
    db.transaction('r', db.meta, async () => ({
      state: await readState(db),
      attempt: await readAttempt(db),
    }));
  const catchUpSoon = () => {
    work = work.then(catchUp).catch(onError);
  };
  const stop = followQuery(readPlace, catchUpSoon, onError);
  return () => {
    isStopped = true;
    stop();
  };
}
