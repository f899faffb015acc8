/**
 * Reads the data of the first screen with plain IndexedDB, because loading Dexie would delay it.
 *
 * One transaction reads the rows that `catalogue-log.ts` and `shopper-log.ts` read through Dexie. If another
 * tab's write locks them, another transaction reads the products alone. Then the connection is closed, so
 * that it blocks no upgrade. If the database fails, is locked or has another version, Dexie reads it later
 * (`feed-stores.ts`).
 */
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { catalogueStore } from './catalogue-store.ts';
import type {
  CatalogueResult,
  CatalogueState,
  RejectedChange,
  SaveResult,
  ShopperBase,
  ShopperRow,
  StoredChunk,
} from './database.ts';
import { answerOf, openForReading, pendingIn, startingWith } from './plain-read.ts';
import { shopperStore, type ShopperState, viewOf } from './shopper-store.ts';

/** The rows that the first screen shows; undefined or empty where the device has none yet. */
export interface FirstRead {
  /** How far the catalogue is loaded. */
  readonly state: CatalogueState | undefined;
  /** How the catalogue's last update ended. */
  readonly result: CatalogueResult | undefined;
  /** The products, about 1,000 a chunk. */
  readonly chunks: readonly StoredChunk[];
  /** Null when no shopper is signed in. */
  readonly shopper: ShopperState | null;
}

/** How long to wait for the first answer: a tab that is frozen in a transaction blocks all others, without limit. */
const FIRST_ANSWER_TIMEOUT_MS = 1000;
/** When `chunks` has answered, tables that do not answer within this time count as locked. */
const LOCKED_AFTER_MS = 20;
/** How long reading may take after the first answer: 100,000 products on a slow phone take seconds. */
const READING_TIMEOUT_MS = 15_000;

/** Fills the stores that the first screen reads. Returns false when only Dexie can read the database. */
export async function fillStores(): Promise<boolean> {
  let db: IDBDatabase | null = null;
  try {
    db = await openForReading();
    return await fillFrom(db);
  } catch {
    // The database is blocked, damaged or of another version: `feed-stores.ts` handles that.
    return false;
  } finally {
    db?.close();
  }
}

async function fillFrom(db: IDBDatabase | null): Promise<boolean> {
  const first = await readFirst(db);
  if (first) {
    const { state, result, chunks, shopper } = first;
    show(chunks, state, result);
    shopperStore.set(shopper && viewOf(shopper));
    return true;
  }
  // Another tab's write locks `meta`, but not the products.
  const chunks = db ? await readProducts(db) : [];
  show(chunks);
  return chunks.length > 0;
}

function show(
  chunks: readonly StoredChunk[],
  state?: CatalogueState,
  result?: CatalogueResult,
): void {
  // Without a stored catalogue the first page may be on its way (`src/first-visit/first-page.ts`).
  if (chunks.length === 0 && !state && !result) return;
  const index = new CatalogueIndex();
  for (const chunk of chunks) index.apply(chunk);
  catalogueStore.set({
    index,
    revision: index.revision,
    isComplete: Boolean(state?.version),
    failure: result?.failure ?? null,
    position: state ?? null,
  });
}

/**
 * Reads the products without `meta`, which names the generation that screens read. Of two generations screens
 * read the older: the transaction that completes the newer one deletes it. The older generation's chunks come
 * first, because a generation is the time at which it began, and chunks are ordered by `[generation+seq]`.
 */
async function readProducts(db: IDBDatabase): Promise<StoredChunk[]> {
  const reading = db.transaction('chunks');
  const chunks = reading.objectStore('chunks');
  const timeout = answerTimeout(reading);
  const readProductChunks = async () => {
    await answerOf(chunks.count());
    timeout.restart(READING_TIMEOUT_MS);
    return answerOf<StoredChunk[]>(chunks.getAll());
  };
  try {
    const all = (await Promise.race([readProductChunks(), timeout.givenUp])) ?? [];
    return all.filter(({ generation }) => generation === all[0]?.generation);
  } finally {
    timeout.cancel();
  }
}

/**
 * Reads the rows of the first screen. Returns null when it takes too long; a missing database
 * (null) reads as empty.
 */
export async function readFirst(db: IDBDatabase | null): Promise<FirstRead | null> {
  if (!db) return EMPTY;
  const counting = db.transaction('chunks').objectStore('chunks').count();
  const reading = db.transaction(['meta', 'chunks', 'bases', 'outbox', 'rejected']);
  const timeout = answerTimeout(reading);
  // If `chunks` answers and the rest does not, the device is not slow: another tab holds a lock.
  counting.onsuccess = () => timeout.restart(LOCKED_AFTER_MS);
  const onFirstAnswer = () => {
    counting.onsuccess = null;
    timeout.restart(READING_TIMEOUT_MS);
  };
  try {
    return await Promise.race([readTables(reading, onFirstAnswer), timeout.givenUp]);
  } finally {
    timeout.cancel();
  }
}

/** Aborts a transaction that takes too long. */
function answerTimeout(reading: IDBTransaction) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isCancelled = false;
  let giveUp: (nothing: null) => void;
  /** Resolves at the abort: WebKit reports no error for a transaction that still waits for its turn. */
  const givenUp = new Promise<null>((resolve) => {
    giveUp = resolve;
  });
  const abort = () => {
    giveUp(null);
    reading.abort();
  };

  /** Aborts after `ms` from now instead of the time set before. */
  function restart(ms: number): void {
    clearTimeout(timer);
    if (isCancelled) return;
    // A busy page may have an unhandled answer in its queue; the second timer lets it go first.
    timer = setTimeout(() => {
      timer = setTimeout(abort);
    }, ms);
  }

  function cancel(): void {
    isCancelled = true;
    clearTimeout(timer);
  }

  restart(FIRST_ANSWER_TIMEOUT_MS);
  return { givenUp, restart, cancel };
}

const EMPTY: FirstRead = { state: undefined, result: undefined, chunks: [], shopper: null };

/** Reads all tables; the types are those that `database.ts` stores. Throws when it fails. */
async function readTables(reading: IDBTransaction, onFirstAnswer: () => void): Promise<FirstRead> {
  const meta = reading.objectStore('meta');
  const [state, result, shopper, saving] = await Promise.all([
    answerOf<CatalogueState | undefined>(meta.get('catalogue')),
    answerOf<CatalogueResult | undefined>(meta.get('catalogue-result')),
    answerOf<ShopperRow | undefined>(meta.get('shopper')),
    answerOf<SaveResult | undefined>(meta.get('save-result')),
  ]);
  onFirstAnswer();
  const [chunks, shopperState] = await Promise.all([
    state ? chunksOf(reading, state) : [],
    shopper ? shopperStateOf(reading, shopper, saving) : null,
  ]);
  return { state, result, chunks, shopper: shopperState };
}

function chunksOf(reading: IDBTransaction, { generation }: CatalogueState): Promise<StoredChunk[]> {
  return answerOf(reading.objectStore('chunks').getAll(startingWith(generation)));
}

async function shopperStateOf(
  reading: IDBTransaction,
  shopper: ShopperRow,
  saving: SaveResult | undefined,
): Promise<ShopperState> {
  const { uid } = shopper;
  const [base, pending, rejected] = await Promise.all([
    answerOf<ShopperBase | undefined>(reading.objectStore('bases').get(uid)),
    pendingIn(reading, uid),
    answerOf<RejectedChange[]>(reading.objectStore('rejected').index('uid').getAll(uid)),
  ]);
  return { shopper, base, pending, rejected, result: saving?.uid === uid ? saving : undefined };
}
