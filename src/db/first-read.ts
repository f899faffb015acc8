/**
 * Reads the data of the first screen with plain IndexedDB, because loading Dexie would delay it.
 *
 * Two transactions read at the same time: one the tables of the shopper, the other the products. A tab that is
 * frozen while it stores a tap locks the shopper's tables without limit. The screen then shows the products alone,
 * and Dexie reads the tables later (`feed-stores.ts`). The connection is closed at the end, so that it blocks no
 * upgrade.
 */
import { withTimeout } from '../browser/with-timeout.ts';
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { catalogueStore } from './catalogue-store.ts';
import type {
  CatalogueResult,
  CatalogueState,
  MetaRow,
  OutboxRow,
  RejectedChange,
  ShopperBase,
  StoredChunk,
} from './database.ts';
import { answerOf, openForReading } from './plain-read.ts';
import { shopperStore, type ShopperState, viewOf } from './shopper-store.ts';

/** What `meta` and the tables of the shopper say; undefined or null where the device has nothing yet. */
interface ShopperTables {
  /** How far the catalogue is loaded. */
  readonly state: CatalogueState | undefined;
  /** How the catalogue's last update ended. */
  readonly result: CatalogueResult | undefined;
  /** Null when no shopper is signed in. */
  readonly shopper: ShopperState | null;
}

export interface FirstRead {
  /** The products of the generation that screens read, about 1,000 a chunk. */
  readonly chunks: readonly StoredChunk[];
  /** Null where another tab locks them. */
  readonly tables: ShopperTables | null;
}

/** How long to wait for the first answer: a tab that is frozen in a transaction blocks all others, without limit. */
const FIRST_ANSWER_TIMEOUT_MS = 1000;
/** How long reading the products may take after the first answer: 100,000 take seconds on a slow phone. */
const READING_TIMEOUT_MS = 15_000;
/** The tables are asked first. Another tab locks them if they have not answered this long after the products. */
const LOCKED_AFTER_MS = 50;

/** Fills the stores that the first screen reads. Returns false when only Dexie can read the database. */
export async function fillStores(): Promise<boolean> {
  let db: IDBDatabase | null = null;
  try {
    db = await openForReading();
    const { chunks, tables } = db ? await readFirst(db) : EMPTY;
    showProducts(chunks, tables);
    if (tables) shopperStore.set(tables.shopper && viewOf(tables.shopper));
    return tables !== null || chunks.length > 0;
  } catch {
    // The database is blocked, damaged or of another version: `feed-stores.ts` handles that.
    return false;
  } finally {
    db?.close();
  }
}

const EMPTY: FirstRead = {
  chunks: [],
  tables: { state: undefined, result: undefined, shopper: null },
};

function showProducts(chunks: FirstRead['chunks'], tables: ShopperTables | null): void {
  const { state, result } = tables ?? {};
  const last = chunks.at(-1);
  // Without a stored catalogue the first page may be on its way (`src/first-visit/first-page.ts`).
  if (!last && !state && !result) return;
  const index = new CatalogueIndex();
  for (const chunk of chunks) index.apply(chunk);
  catalogueStore.set({
    index,
    revision: index.revision,
    isComplete: Boolean(state?.version),
    failure: result?.failure ?? null,
    // Not from `state`, which may have been written after the chunks were read.
    position: last ? { generation: last.generation, nextSeq: last.seq + 1 } : null,
  });
}

/** @throws when the products do not answer in time */
export async function readFirst(db: IDBDatabase): Promise<FirstRead> {
  const tables = readTables(db.transaction(['meta', 'bases', 'outbox', 'rejected']));
  const products = readProducts(db.transaction('chunks').objectStore('chunks'));
  const locked = products.then(() => afterUnhandledAnswers(LOCKED_AFTER_MS));
  const [chunks, unlocked] = await Promise.all([products, Promise.race([tables, locked])]);
  return { chunks, tables: unlocked };
}

/**
 * Reads the products without `meta`, which names the generation that screens read. Of two generations screens
 * read the older: the transaction that completes the newer one deletes it. The older generation's chunks come
 * first, because a generation is the time at which it began, and chunks are ordered by `[generation+seq]`.
 */
async function readProducts(chunks: IDBObjectStore): Promise<StoredChunk[]> {
  await withTimeout(answerOf(chunks.count()), FIRST_ANSWER_TIMEOUT_MS);
  const all = await withTimeout(answerOf<StoredChunk[]>(chunks.getAll()), READING_TIMEOUT_MS);
  return all.filter(({ generation }) => generation === all[0]?.generation);
}

/** All rows at once, because a device has few: those of the signed-in shopper, and unsaved changes of others. */
async function readTables(reading: IDBTransaction): Promise<ShopperTables> {
  const all = <T>(table: string) => answerOf<T[]>(reading.objectStore(table).getAll());
  const [meta, bases, outbox, rejected] = await Promise.all([
    all<MetaRow>('meta'),
    all<ShopperBase>('bases'),
    all<OutboxRow>('outbox'),
    all<RejectedChange>('rejected'),
  ]);
  function rowOf<K extends MetaRow['key']>(key: K) {
    return meta.find((row): row is Extract<MetaRow, { readonly key: K }> => row.key === key);
  }
  const shopper = rowOf('shopper');
  const isOwn = ({ uid }: { readonly uid: string }) => uid === shopper?.uid;
  const result = rowOf('save-result');
  return {
    state: rowOf('catalogue'),
    result: rowOf('catalogue-result'),
    shopper: shopper
      ? {
          shopper,
          base: bases.find(isOwn),
          pending: outbox.filter(isOwn),
          rejected: rejected.filter(isOwn),
          result: result && isOwn(result) ? result : undefined,
        }
      : null,
  };
}

/** Resolves after `ms`, and after the answers that a busy page has in its queue by then. */
function afterUnhandledAnswers(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => setTimeout(resolve, 0, null), ms);
  });
}
