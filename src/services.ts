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
import { keepFirstScreen } from './first-visit/keep-first-screen.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, CATALOGUE_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { realtimeSubscribe, rejoiningInvalidation } from './remote/invalidation.ts';
import { shopperRemote } from './remote/shopper.ts';
import { syncCatalogue } from './sync/catalogue.ts';
import { pageTiming } from './browser/page-timing.ts';
import { whenIdle } from './browser/when-idle.ts';
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
  // The screens show what the device has. The rest follows in parts, so that a slow phone can answer a tap.
  void startRest(href);
}

async function startRest(href: string): Promise<void> {
  await whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS });
  startAccount(href, onStorageError);
  forgetStateOfOthers();
  // Before the sync, which may delete a product that the screen shows.
  keepSeenProducts();
  followDeferred();
  keepFirstScreen();
  await whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS });
  let stopSync = sync();
  // The page has moved to other databases: to those in memory, or back.
  connection.subscribe(() => {
    stopSync();
    stopSync = sync();
  });
}

/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 100;
const IDLE_TIMEOUT_MS = 1000;

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
