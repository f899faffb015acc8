import { catalogueStore } from '../db/catalogue-store.ts';
import { encodeChunk } from '../domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { firstRows } from './first-rows.ts';

/**
 * Shows the first products of a first visit from memory until the database has them. The sync requests
 * these products again: after its load it asks only for changes since the version that it noted before the
 * load, and these rows may be older than that version.
 */
export async function showFirstPage(): Promise<void> {
  const rows = await firstRows;
  if (!rows || catalogueStore.snapshot()) return;
  const index = new CatalogueIndex();
  index.apply(encodeChunk(rows));
  const { revision } = index;
  catalogueStore.set({ index, revision, isComplete: false, failure: null, position: null });
}
