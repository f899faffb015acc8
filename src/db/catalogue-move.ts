/** Copies the catalogue's log from one database to another, and deletes unfinished loads. */
import { CATALOGUE_KEYS, deleteGeneration, readState } from './catalogue-log.ts';
import type { MetaRow, StoredChunk, WeftDatabase } from './database.ts';

export interface CatalogueLog {
  readonly rows: readonly MetaRow[];
  readonly chunks: readonly StoredChunk[];
}

export function readLog(db: WeftDatabase): Promise<CatalogueLog> {
  return db.transaction('r', db.chunks, db.meta, async () => ({
    rows: await db.meta.where('key').anyOf(CATALOGUE_KEYS).toArray(),
    chunks: await db.chunks.toArray(),
  }));
}

/** Replaces the catalogue's log in `db`. */
export function writeLog(db: WeftDatabase, { rows, chunks }: CatalogueLog): Promise<void> {
  return db.transaction('rw', db.chunks, db.meta, async () => {
    await db.chunks.clear();
    await db.meta.bulkDelete(CATALOGUE_KEYS);
    await db.chunks.bulkPut([...chunks]);
    await db.meta.bulkPut([...rows]);
  });
}

/** Deletes an unfinished load. A complete generation stays. */
export function dropUnfinished(db: WeftDatabase): Promise<void> {
  return db.transaction('rw', db.chunks, db.meta, async () => {
    const state = await readState(db);
    if (!state?.load) return;
    await deleteGeneration(db, state.load.generation);
    if (state.version) await db.meta.put({ ...state, load: null });
    else await db.meta.bulkDelete(CATALOGUE_KEYS);
  });
}
