/**
 * Fills `shopperStore` and `catalogueStore`, which the screens read, from the open database.
 *
 * Live queries follow the database, whichever tab writes it. When the page moves to memory or back
 * (`failover.ts`), they start again over the new database.
 */
import { FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import { readStateAndRows } from './carry-back.ts';
import { followCatalogue } from './catalogue-follower.ts';
import { forgetCatalogue } from './catalogue-log.ts';
import { type CatalogueSnapshot, catalogueStore } from './catalogue-store.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { moveLateToOutbox } from './late-change.ts';
import { follow } from './follow.ts';
import { isStorageFailure } from './open.ts';
import { hintedShopper, hintShopper } from './shopper-hint.ts';
import { shopperStore, viewOf } from './shopper-store.ts';

/** How long the device has for its first answer; then the user sees what has been read so far. */
const PATIENCE_MS = 1000;
/** How long it has for the catalogue after that answer. */
const CATALOGUE_PATIENCE_MS = 4000;
const LATE_CHANGES_RETRY_MS = 10_000;

/**
 * Resolves when both stores were filled, could not be read, or took too long. If the device does not
 * answer, the catalogue is loaded from the network into memory.
 */
export async function feedStores(): Promise<void> {
  const shopper = follow(readView, shopperStore, (restart) => {
    readShopperAgain = restart;
  });
  const catalogue = feedCatalogue();
  connection.subscribe(moveLateChanges);
  // Both are absent in tests. Another tab may store a late change and be closed before the device answers.
  globalThis.addEventListener?.('storage', moveLateChanges);
  // A page from the back/forward cache has missed what other pages announced meanwhile.
  globalThis.addEventListener?.('pageshow', ({ persisted }) => {
    if (persisted) showNoOther(hintedShopper());
  });
  moveLateChanges();
  const late = after(PATIENCE_MS);
  // If a small query answers, no tab blocks the device, and a large catalogue gets more time.
  const answer = connection.catalogue.meta.get('catalogue').then(
    () => 'answered' as const,
    () => 'failed' as const,
  );
  let outcome: 'answered' | 'failed' | 'fed' | 'late' = await Promise.race([answer, late]);
  // Still limited: a tab may be frozen after that answer.
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
 * Takes any other shopper than `uid` off the screen at once, because the device may answer late or
 * never. Called when a tab announces a login, or a logout (null).
 */
export function showNoOther(uid: string | null): void {
  const shown = shopperStore.snapshot();
  if (!shown || shown.shopper.uid === uid) return;
  shopperStore.set(null);
  // Then reads the device again: a tab announces a logout before storing it, and storing may fail.
  readShopperAgain();
}

function after(ms: number): Promise<'late'> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'late');
  });
}

/** Moves every tab's late changes into the device's outbox; retries after a pause. */
function moveLateChanges(): void {
  if (connection.kept !== 'device') return;
  moveLateToOutbox(connection.db, true).catch((error: unknown) => {
    void connection.recoverFrom(error);
    setTimeout(moveLateChanges, LATE_CHANGES_RETRY_MS);
  });
}

/** The shopper for the screens: null when signed out, undefined to leave the store as it is. */
async function readView(db: WeftDatabase) {
  const { state, rows } = await readStateAndRows(db);
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
    // The new database may hold less than the last one, so its log is read from the beginning.
    connection.subscribe(() => {
      const shown = catalogueStore.snapshot();
      start(shown && { ...shown, position: null });
    });
    start(catalogueStore.snapshot());
  });
}

/** Whether two snapshots look the same on screen. */
function isSame(last: CatalogueSnapshot | undefined, next: CatalogueSnapshot): boolean {
  return (
    last?.index === next.index &&
    last.revision === next.revision &&
    last.isComplete === next.isComplete &&
    last.failure === next.failure
  );
}

/** Handles a failed reading. Any error but a storage failure means damaged data: it is loaded again. */
function recoverFrom(error: unknown): void {
  const { failover } = connection;
  const recover = (next: unknown) => void failover.recoverCatalogueFrom(next);
  if (!isStorageFailure(error)) forgetCatalogue(connection.catalogue).catch(recover);
  recover(error);
}
