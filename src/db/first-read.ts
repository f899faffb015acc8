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

/** Fills the stores that the first screen reads. False when only Dexie can tell what there is. */
export async function fillStores(): Promise<boolean> {
  try {
    const { state, attempt, chunks, shopper } = await readFirst();
    const index = new CatalogueIndex();
    for (const chunk of chunks) index.apply(chunk);
    // Nothing kept yet: then the first page may be on its way (`src/first-page.ts`).
    if (state || attempt) {
      catalogueStore.set({
        index,
        revision: index.revision,
        isComplete: Boolean(state?.version),
        failure: attempt?.failure ?? null,
        place: state ?? null,
      });
    }
    shopperStore.set(shopper && viewOf(shopper));
    return true;
  } catch {
    // Blocked, damaged, of another version: Dexie's reading decides what that means.
    return false;
  }
}

/** @throws what `openForReading` throws; a database that is not there yet is empty */
export async function readFirst(): Promise<FirstRead> {
  const db = await openForReading();
  if (!db) return { state: undefined, attempt: undefined, chunks: [], shopper: null };
  try {
    return await readAll(db.transaction(['meta', 'chunks', 'bases', 'outbox', 'refused']));
  } finally {
    db.close();
  }
}

// Rows are of the shapes that `database.ts` gives them.
async function readAll(reading: IDBTransaction): Promise<FirstRead> {
  const meta = reading.objectStore('meta');
  const [state, attempt, shopper, saving] = await Promise.all([
    answerOf<CatalogueState | undefined>(meta.get('catalogue')),
    answerOf<CatalogueAttempt | undefined>(meta.get('catalogue-attempt')),
    answerOf<ShopperRow | undefined>(meta.get('shopper')),
    answerOf<SaveAttempt | undefined>(meta.get('save-attempt')),
  ]);
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
