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
  RejectedRow,
  SaveAttempt,
  ShopperBase,
  ShopperRow,
  StoredChunk,
} from './database.ts';
import { answerOf, openForReading, pendingIn, startingWith } from './plain-read.ts';
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
const REST_PATIENCE_MS = 20;

/** Fills the stores that the first screen reads. False when only Dexie can tell what there is. */
export async function fillStores(): Promise<boolean> {
  let db: IDBDatabase | null = null;
  try {
    db = await openForReading();
    return await fillFrom(db);
  } catch {
    // Blocked, damaged, of another version: Dexie's reading decides what that means.
    return false;
  } finally {
    db?.close();
  }
}

async function fillFrom(db: IDBDatabase | null): Promise<boolean> {
  const first = await readFirst(db);
  if (first) {
    const { state, attempt, chunks, shopper } = first;
    // Nothing kept yet: then the first page may be on its way (`src/first-visit/first-page.ts`).
    if (state || attempt) show(chunks, state, attempt);
    shopperStore.set(shopper && viewOf(shopper));
    return true;
  }
  // A tap holds up what is known of the catalogue, but not the products.
  const chunks = db ? await readProducts(db) : [];
  show(chunks);
  return chunks.length > 0;
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

/** Of two generations the older: it goes with the transaction that makes the newer whole. */
async function readProducts(db: IDBDatabase): Promise<StoredChunk[]> {
  const reading = db.transaction('chunks');
  const chunks = reading.objectStore('chunks');
  const patience = new Patience(reading);
  await answerOf(chunks.count()).finally(() => patience.callOff());
  const all = await answerOf<StoredChunk[]>(chunks.getAll());
  return all.filter(({ generation }) => generation === all[0]?.generation);
}

/** Null when no answer comes in time; a database that is not there yet is empty. */
export async function readFirst(db: IDBDatabase | null): Promise<FirstRead | null> {
  if (!db) return EMPTY;
  const products = db.transaction('chunks').objectStore('chunks').count();
  const reading = db.transaction(['meta', 'chunks', 'bases', 'outbox', 'refused']);
  const patience = new Patience(reading);
  // A slow device is late with this too; one that is not keeps the rest waiting for somebody.
  products.onsuccess = () => patience.begin(REST_PATIENCE_MS);
  try {
    return await readAll(reading, () => patience.callOff());
  } catch (error) {
    if (patience.hasRunOut) return null;
    throw error;
  } finally {
    patience.callOff();
  }
}

/** Aborts a reading whose first answer takes too long. */
class Patience {
  hasRunOut = false;
  #reading: IDBTransaction;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isCalledOff = false;

  constructor(reading: IDBTransaction) {
    this.#reading = reading;
    this.begin(PATIENCE_MS);
  }

  /** From now on it lasts so long. */
  begin(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isCalledOff) return;
    // An answer may be here already, and this page only too busy to hear of it: that one goes first.
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#giveUp());
    }, ms);
  }

  #giveUp(): void {
    this.hasRunOut = true;
    this.#reading.abort();
  }

  callOff(): void {
    this.#isCalledOff = true;
    clearTimeout(this.#timer);
  }
}

const EMPTY: FirstRead = {
  state: undefined,
  attempt: undefined,
  chunks: [],
  shopper: null,
};

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
  const [base, pending, rejected] = await Promise.all([
    answerOf<ShopperBase | undefined>(reading.objectStore('bases').get(uid)),
    pendingIn(reading, uid),
    answerOf<RejectedRow[]>(reading.objectStore('refused').index('uid').getAll(uid)),
  ]);
  return { shopper, base, pending, rejected, attempt: saving?.uid === uid ? saving : undefined };
}
