/** What the screens read follows the open database from here on, and the one that takes over from it. */
import { FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import { readSeen } from './carry-back.ts';
import { followCatalogue } from './catalogue-follower.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { type CatalogueSnapshot, catalogueStore } from './catalogue-store.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { takeInLate } from './late-change.ts';
import { follow } from './follow.ts';
import { isStorageFailure } from './open.ts';
import { hintedShopper, hintShopper } from './shopper-hint.ts';
import { shopperStore, viewOf } from './shopper-store.ts';

/** Whoever waits for a device longer than this is shown what there is. */
const PATIENCE_MS = 1000;
const CATALOGUE_PATIENCE_MS = 4000;
const TAKE_IN_AGAIN_MS = 10_000;

/**
 * Resolves when catalogue and shopper were read for the first time, or could not be, or take too
 * long. A device that holds the catalogue back is not waited for: the network has it too.
 */
export async function feedStores(): Promise<void> {
  const shopper = follow(readView, shopperStore, (restart) => {
    readShopperAgain = restart;
  });
  const catalogue = feedCatalogue();
  connection.subscribe(takeIn);
  // Another tab keeps one, and may be gone before the device answers. Absent in tests.
  globalThis.addEventListener?.('storage', takeIn);
  takeIn();
  const late = after(PATIENCE_MS);
  // A small answer shows that nothing holds the device up. A large catalogue may take its time.
  const answer = connection.catalogue.meta.get('catalogue').then(
    () => 'answered' as const,
    () => 'failed' as const,
  );
  let outcome: 'answered' | 'failed' | 'fed' | 'late' = await Promise.race([answer, late]);
  // After that answer another tab may be frozen too.
  if (outcome === 'answered') {
    outcome = await Promise.race([catalogue, after(CATALOGUE_PATIENCE_MS)]);
  }
  if (outcome === 'late' && (catalogueStore.snapshot()?.index.size ?? 0) <= FIRST_PAGE_ROWS) {
    await connection.failover.loadCatalogueMeanwhile();
  }
  await Promise.race([shopper, late]);
}

let readShopperAgain: () => void = () => undefined;

/**
 * Shows another shopper than this one no longer: it was announced who is signed in now (null for
 * nobody), and the device may be long in answering, or never answer.
 */
export function showNoOther(uid: string | null): void {
  const shown = shopperStore.snapshot();
  if (!shown || shown.shopper.uid === uid) return;
  shopperStore.set(null);
  // What the device says holds: a tab announces a logout before it is stored, and storing may fail.
  readShopperAgain();
}

function after(ms: number): Promise<'late'> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'late');
  });
}

/** Taps that waited in vain, in whichever tab: they are done as soon as the device answers. */
function takeIn(): void {
  if (connection.kept !== 'device') return;
  takeInLate(connection.db, true).catch((error: unknown) => {
    void connection.recoverFrom(error);
    setTimeout(takeIn, TAKE_IN_AGAIN_MS);
  });
}

/** Undefined, as long as it is not known whether there is a shopper. */
async function readView(db: WeftDatabase) {
  const { state, rows } = await readSeen(db);
  if (!state && !connection.isShopperKnown) {
    const shown = shopperStore.snapshot()?.shopper.uid;
    return shown === undefined || shown === hintedShopper() ? undefined : null;
  }
  connection.failover.remember(rows);
  if (state || connection.kept === 'device') hintShopper(state?.shopper.uid ?? null);
  return state && viewOf(state);
}

function feedCatalogue(): Promise<'fed'> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const start = (shown: CatalogueSnapshot | undefined) => {
      stop?.();
      stop = followCatalogue(
        connection.catalogue,
        shown,
        (next) => {
          if (!isSame(catalogueStore.snapshot(), next)) catalogueStore.set(next);
          resolve('fed');
        },
        (error) => {
          recoverFrom(error);
          resolve('fed');
        },
      );
    };
    // Another database may hold less than the one before: it is read from its beginning.
    connection.subscribe(() => {
      const shown = catalogueStore.snapshot();
      start(shown && { ...shown, place: null });
    });
    start(catalogueStore.snapshot());
  });
}

/** Whether there is nothing to draw anew. */
function isSame(last: CatalogueSnapshot | undefined, next: CatalogueSnapshot): boolean {
  return (
    last?.index === next.index &&
    last.revision === next.revision &&
    last.isComplete === next.isComplete &&
    last.failure === next.failure
  );
}

/** What cannot be read although the store is well is damaged: it is loaded anew. */
function recoverFrom(error: unknown): void {
  const { failover } = connection;
  const recover = (next: unknown) => void failover.recoverCatalogueFrom(next);
  if (!isStorageFailure(error)) forgetCatalogue(connection.catalogue).catch(recover);
  recover(error);
}
