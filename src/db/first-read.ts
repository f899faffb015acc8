/**
 * What the first screen shows, read before Dexie is here: Dexie weighs more than all of our own
 * code, and reading takes none of what it is for.
 *
 * One transaction, and the connection is closed again, so that it stands in the way of no upgrade.
 * It leaves whatever it does not know for certain to Dexie. What it reads is what `readState`,
 * `readChunks` and `readShopperState` read.
 */
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { catalogueStore } from './catalogue-store.ts';
import type {
  CatalogueAttempt,
  CatalogueState,
  OutboxRow,
  RefusedRow,
  SaveAttempt,
  ShopperBase,
  ShopperRow,
  StoredChunk,
} from './database.ts';
import { answerOf, openForReading, startingWith } from './plain-read.ts';
import { shopperStore, type ShopperState, viewOf } from './shopper-store.ts';

export interface FirstRead {
  readonly state: CatalogueState | undefined;
  readonly attempt: CatalogueAttempt | undefined;
  readonly chunks: readonly StoredChunk[];
  readonly shopper: ShopperState | null;
}

/** A transaction of a tab that was frozen in the middle of it holds up all others, without limit. */
const PATIENCE_MS = 1000;
/** Where the products alone would be there by now, the rest may take so much longer. */
const REST_PATIENCE_MS = 50;

/** Fills the stores that the first screen reads. False when only Dexie can tell what there is. */
export async function fillStores(): Promise<boolean> {
  try {
    const { state, attempt, chunks, shopper } = await readFirst(PATIENCE_MS);
    // Nothing kept yet: then the first page may be on its way (`src/first-page.ts`).
    if (state || attempt) show(chunks, state, attempt);
    shopperStore.set(shopper && viewOf(shopper));
    return true;
  } catch (error) {
    // Blocked, damaged, of another version: Dexie's reading decides what that means.
    if (!(error instanceof DOMException) || error.name !== 'AbortError') return false;
  }
  // A tap holds up what is known of the catalogue, but not the products.
  try {
    const chunks = await readProducts();
    show(chunks);
    return chunks.length > 0;
  } catch {
    return false;
  }
}

function show(
  chunks: readonly StoredChunk[],
  state?: CatalogueState,
  attempt?: CatalogueAttempt,
): void {
  if (chunks.length === 0 && !state && !attempt) return;
  const index = new CatalogueIndex();
  for (const chunk of chunks) index.apply(chunk);
  catalogueStore.set({
    index,
    revision: index.revision,
    isComplete: Boolean(state?.version),
    failure: attempt?.failure ?? null,
    place: state ?? null,
  });
}

/** Of two generations the older: the newer is not whole yet. */
async function readProducts(): Promise<StoredChunk[]> {
  const chunks = await readWithin(PATIENCE_MS, ['chunks'], async (reading, isAnswered) => {
    const store = reading.objectStore('chunks');
    await answerOf(store.count());
    isAnswered();
    return answerOf<StoredChunk[]>(store.getAll());
  });
  return (chunks ?? []).filter(({ generation }) => generation === chunks?.[0]?.generation);
}

/**
 * @param patienceMs how long the first answer may take
 * @throws what `openForReading` throws, and `AbortError` when no answer comes; a database that is
 *   not there yet is empty
 */
export async function readFirst(patienceMs?: number): Promise<FirstRead> {
  const stores = ['meta', 'chunks', 'bases', 'outbox', 'refused'];
  const first = await readWithin(patienceMs, stores, readAll);
  return first ?? { state: undefined, attempt: undefined, chunks: [], shopper: null };
}

async function readWithin<T>(
  patienceMs: number | undefined,
  stores: readonly string[],
  read: (reading: IDBTransaction, isAnswered: () => void) => Promise<T>,
): Promise<T | null> {
  const db = await openForReading();
  if (!db) return null;
  const probe = stores.length > 1 && db.transaction('chunks').objectStore('chunks').count();
  const reading = db.transaction(stores);
  let patience: ReturnType<typeof setTimeout> | undefined;
  let isOver = patienceMs === undefined;
  const giveUpAfter = (ms = 0) => {
    clearTimeout(patience);
    if (!isOver) patience = setTimeout(() => reading.abort(), ms);
  };
  const isAnswered = () => {
    isOver = true;
    clearTimeout(patience);
  };
  giveUpAfter(patienceMs);
  // A slow device is late with this too; one that is not keeps the rest waiting for somebody.
  if (probe)
    void answerOf(probe).then(
      () => giveUpAfter(REST_PATIENCE_MS),
      () => undefined,
    );
  try {
    return await read(reading, isAnswered);
  } finally {
    isAnswered();
    db.close();
  }
}

// Rows are of the shapes that `database.ts` gives them.
async function readAll(reading: IDBTransaction, isAnswered: () => void): Promise<FirstRead> {
  const meta = reading.objectStore('meta');
  const [state, attempt, shopper, saving] = await Promise.all([
    answerOf<CatalogueState | undefined>(meta.get('catalogue')),
    answerOf<CatalogueAttempt | undefined>(meta.get('catalogue-attempt')),
    answerOf<ShopperRow | undefined>(meta.get('shopper')),
    answerOf<SaveAttempt | undefined>(meta.get('save-attempt')),
  ]);
  isAnswered();
  const [chunks, own] = await Promise.all([
    state ? readChunks(reading, state) : [],
    shopper ? readShopper(reading, shopper, saving) : null,
  ]);
  return { state, attempt, chunks, shopper: own };
}

function readChunks(
  reading: IDBTransaction,
  { generation }: CatalogueState,
): Promise<StoredChunk[]> {
  return answerOf(reading.objectStore('chunks').getAll(startingWith(generation)));
}

async function readShopper(
  reading: IDBTransaction,
  shopper: ShopperRow,
  saving: SaveAttempt | undefined,
): Promise<ShopperState> {
  const { uid } = shopper;
  const outbox = reading.objectStore('outbox').index('[uid+seq]');
  const [base, pending, refused] = await Promise.all([
    answerOf<ShopperBase | undefined>(reading.objectStore('bases').get(uid)),
    answerOf<OutboxRow[]>(outbox.getAll(startingWith(uid))),
    answerOf<RefusedRow[]>(reading.objectStore('refused').index('uid').getAll(uid)),
  ]);
  return { shopper, base, pending, refused, attempt: saving?.uid === uid ? saving : undefined };
}
