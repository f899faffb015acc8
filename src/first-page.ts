import { catalogueStore } from './db/catalogue-store.ts';
import { encodeChunk } from './domain/catalogue-chunk.ts';
import { CatalogueIndex } from './domain/catalogue-index.ts';
import { parsePage } from './remote/catalogue.ts';

declare global {
  interface Window {
    /** What `index.html` has asked for on a first visit: the answer's body, or null. */
    readonly firstPage?: Promise<unknown>;
  }
}

/**
 * Shows the first products that come on a first visit from memory, until the database has them.
 * The sync asks for them once more: a load counts from a version that is older than its first page.
 */
export async function showFirstPage(): Promise<void> {
  const rows = parsePage(await window.firstPage);
  if (!rows || catalogueStore.snapshot()) return;
  const index = new CatalogueIndex();
  index.apply(encodeChunk(rows));
  const { revision } = index;
  catalogueStore.set({ index, revision, isComplete: false, failure: null, place: null });
}

/** Longer than pictures take on a thin line; a line that brings none must not hold up the rest. */
const PATIENCE_MS = 2000;

/** Resolves when the first page's first pictures are painted; at once on any later visit. */
export async function firstPictures(firstPage: Promise<void>, root: HTMLElement): Promise<void> {
  if (!window.firstPage) return;
  const late = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([firstPage, late]);
  const pictures = root.querySelectorAll<HTMLImageElement>('img[loading=eager]');
  await Promise.race([Promise.allSettled([...pictures].map((each) => each.decode())), late]);
  await Promise.race([painted(), late]);
}

function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
