/**
 * The parts that the first screen does not need: the database with Dexie, the sync, the sign-in. They are one
 * chunk, which the tab loads after the first screen is drawn.
 */
import { agreeWithTabs, auth } from './account/auth.ts';
import { forgetDeletedAccount } from './account/mutations.ts';
import { forgetStateOfOthers } from './account/personal-state.ts';
import { startAccount } from './account/start.ts';
import { connection } from './db/connection.ts';
import { feedStores } from './db/feed-stores.ts';
import { keepSeenProducts } from './db/seen-products.ts';
import { followDeferred } from './first-visit/after-login.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, CATALOGUE_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { realtimeSubscribe, rejoiningInvalidation } from './remote/invalidation.ts';
import { shopperRemote } from './remote/shopper.ts';
import { syncCatalogue } from './sync/catalogue.ts';
import { pageTiming } from './browser/page-timing.ts';
import { syncShopper } from './sync/shopper.ts';

/**
 * Opens the database, connects the screens to it and starts the sync. Resolves when the screens show
 * what the database holds.
 *
 * @param href the address at which the page was opened
 */
export async function startServices(href: string): Promise<void> {
  await connection.open();
  agreeWithTabs();
  await feedStores();
  startAccount(href, onStorageError);
  forgetStateOfOthers();
  // Before the sync, which may delete a product that the screen shows.
  keepSeenProducts();
  followDeferred();
  let stopSync = sync();
  // The page has moved to other databases: to those in memory, or back.
  connection.subscribe(() => {
    stopSync();
    stopSync = sync();
  });
}

/** Syncs the open database with the backend. Returns a function that stops it. */
function sync(): () => void {
  const { db, catalogue, failover } = connection;
  const backend = { url: BACKEND_URL, key: PUBLISHABLE_KEY };
  const stopCatalogue = syncCatalogue(
    catalogue,
    catalogueRemote({ ...backend, url: CATALOGUE_URL }),
    (error) => void failover.recoverCatalogueFrom(error),
  );
  const invalidation = rejoiningInvalidation(
    realtimeSubscribe(BACKEND_URL, PUBLISHABLE_KEY, auth),
    pageTiming,
  );
  const stopShopper = syncShopper(
    db,
    shopperRemote(backend, auth),
    invalidation,
    onStorageError,
    (uid) => void forgetDeletedAccount(uid),
  );
  return () => {
    stopCatalogue();
    stopShopper();
  };
}

function onStorageError(error: unknown): void {
  void connection.recoverFrom(error);
}
