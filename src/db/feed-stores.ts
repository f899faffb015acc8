/**
 * Fills `shopperStore`, and has `catalogue-follower.ts` fill `catalogueStore`: the screens read both.
 *
 * Live queries follow the database, whichever tab writes it. When the page moves to memory or back
 * (`failover.ts`), they start again over the new database.
 */
import { FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import { NO_ROWS, type Rows } from './carry-back.ts';
import { feedCatalogue } from './catalogue-follower.ts';
import { catalogueStore } from './catalogue-store.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { moveLateToOutbox } from './late-change.ts';
import { follow } from './follow.ts';
import { hintedShopper, hintShopper } from './shopper-hint.ts';
import { readShopperState } from './shopper-log.ts';
import { shopperStore, viewOf } from './shopper-store.ts';

/** How long the device may take for its first answer; then the user sees what has been read so far. */
const PATIENCE_MS = 1000;
/** How long the device may take for the catalogue after its first answer. */
const CATALOGUE_PATIENCE_MS = 4000;
const LATE_CHANGES_RETRY_MS = 10_000;

/**
 * Resolves when both stores were filled, could not be read, or took too long. If the device does not answer
 * and no more than the first page is on screen, the catalogue is loaded from the network into memory.
 */
export async function feedStores(): Promise<void> {
  const shopper = follow(readView, shopperStore, (restart) => {
    readShopperAgain = restart;
  });
  const catalogue = feedCatalogue();
  connection.subscribe(moveLateChanges);
  // Tests have no `addEventListener`. Another tab may store a late change and be closed before the device answers.
  globalThis.addEventListener?.('storage', moveLateChanges);
  // A page from the back/forward cache has missed what other pages announced meanwhile.
  globalThis.addEventListener?.('pageshow', ({ persisted }) => {
    if (persisted) showNoOther(hintedShopper());
  });
  moveLateChanges();
  const late = lateAfter(PATIENCE_MS);
  // If a small query answers, no tab blocks the device, and a large catalogue gets more time.
  const answer = connection.catalogue.meta.get('catalogue').then(
    () => 'answered' as const,
    () => 'failed' as const,
  );
  let outcome: 'answered' | 'failed' | 'fed' | 'late' = await Promise.race([answer, late]);
  // Another tab may freeze after that answer and block the device, so this wait has a limit too.
  if (outcome === 'answered') {
    outcome = await Promise.race([catalogue, lateAfter(CATALOGUE_PATIENCE_MS)]);
  }
  if (outcome === 'late' && (catalogueStore.snapshot()?.index.size ?? 0) <= FIRST_PAGE_ROWS) {
    await connection.failover.loadCatalogueMeanwhile();
  }
  await Promise.race([shopper, late]);
}

/** Restarts the live query that fills `shopperStore`. */
let readShopperAgain: () => void = () => undefined;

/**
 * Takes any other shopper than `uid` off the screen at once, because the device may answer late or
 * never. Called when a tab announces a login, or a logout (null).
 */
export function showNoOther(uid: string | null): void {
  const shown = shopperStore.snapshot();
  if (!shown || shown.shopper.uid === uid) return;
  shopperStore.set(null);
  // A tab announces a logout before storing it, and storing may fail: the device says who is signed in.
  readShopperAgain();
}

function lateAfter(ms: number): Promise<'late'> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, 'late');
  });
}

let lateChangesRetry: ReturnType<typeof setTimeout> | undefined;

/** Moves every tab's late changes into the device's outbox; retries after a pause. */
function moveLateChanges(): void {
  const isDurable = connection.kept === 'device';
  if (!isDurable) return;
  moveLateToOutbox(connection.db, isDurable).catch((error: unknown) => {
    void connection.recoverFrom(error);
    clearTimeout(lateChangesRetry); // several calls that fail are followed by one retry
    lateChangesRetry = setTimeout(moveLateChanges, LATE_CHANGES_RETRY_MS);
  });
}

/** Reads the shopper for the screens: null when signed out, undefined to leave the store as it is. */
async function readView(db: WeftDatabase) {
  const { state, rows } = await readStateAndRows(db);
  // This database is in memory, and the unread device may know a shopper: the one of the hint stays on screen.
  if (!state && !connection.isShopperKnown) {
    const shown = shopperStore.snapshot()?.shopper.uid;
    return shown === undefined || shown === hintedShopper() ? undefined : null;
  }
  connection.failover.remember(rows);
  if (state || connection.kept === 'device') hintShopper(state?.shopper.uid ?? null);
  return state && viewOf(state);
}

/**
 * Reads the signed-in shopper's state, and the rows with which memory could replace the device. Both are
 * null when signed out. Runs after every tap, so it skips orders and drafts.
 */
function readStateAndRows(db: WeftDatabase) {
  return db.transaction('r', db.meta, db.session, db.bases, db.outbox, db.refused, async () => {
    const state = await readShopperState(db);
    if (!state) return { state, rows: null };
    const { shopper, base, pending, rejected } = state;
    const device = await db.meta.get('device');
    const rows: Rows = {
      ...NO_ROWS,
      meta: new Map([shopper, ...(device ? [device] : [])].map((row) => [row.key, row])),
      session: new Map((await db.session.toArray()).map((row) => [row.key, row])),
      bases: new Map(base && [[base.uid, base]]),
      outbox: new Map(pending.map((row) => [row.seq, row])),
      refused: new Map(rejected.map((row) => [row.id, row])),
    };
    return { state, rows };
  });
}
