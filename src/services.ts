/**
 * The parts that the first screen does not need: the database with Dexie, the sync, the sign-in. They are one
 * chunk, which the tab loads after the first screen is drawn.
 */
import { auth, followOtherTabs } from './account/auth.ts';
import { forgetAccount } from './account/mutations.ts';
import { forgetStateOfOthers } from './account/personal-state.ts';
import { startAccount } from './account/start.ts';
import { connection } from './db/connection.ts';
import { feedStores } from './db/feed-stores.ts';
import { keepSeenProducts } from './db/seen-products.ts';
import { followDeferred } from './first-visit/after-login.ts';
import { keepFirstScreen } from './first-visit/keep-first-screen.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { realtimeSubscribe, rejoiningInvalidation } from './remote/invalidation.ts';
import { shopperRemote } from './remote/shopper.ts';
import { syncCatalogue } from './sync/catalogue.ts';
import { whenIdle } from './browser/when-idle.ts';
import { pause } from './browser/pause.ts';
import { syncShopper } from './sync/shopper.ts';

const BACKEND = { url: BACKEND_URL, key: PUBLISHABLE_KEY };
/** After this time the screens show what has been read so far. */
const PATIENCE_MS = 2000;
/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 100;
const IDLE_TIMEOUT_MS = 1000;

/**
 * Opens the database, connects the screens to it and starts the sync. Resolves when the screens show what the
 * database holds, at the latest after `PATIENCE_MS`: another tab may lock the database without limit.
 *
 * @param href the address at which the page was opened
 */
export async function startServices(href: string): Promise<void> {
  await Promise.race([open(href), pause(PATIENCE_MS)]);
}

async function open(href: string): Promise<void> {
  await connection.open();
  followOtherTabs();
  // A read that takes longer must not hold up the sync.
  await Promise.race([feedStores(), pause(PATIENCE_MS)]);
  // The screens show what the device has. The rest follows in parts, so that a slow phone can answer a tap.
  void startRest(href);
}

async function startRest(href: string): Promise<void> {
  await whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS });
  startAccount(href, (error) => void onStorageError(error));
  forgetStateOfOthers();
  // Before the sync, which may delete a product that the screen shows.
  keepSeenProducts();
  followDeferred();
  keepFirstScreen();
  await whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS });
  let stopCatalogue = startCatalogue();
  // Announces that the products have moved to memory.
  connection.subscribe(() => {
    stopCatalogue();
    stopCatalogue = startCatalogue();
  });
  syncShopper(
    connection.db,
    shopperRemote(BACKEND, auth),
    rejoiningInvalidation(realtimeSubscribe(BACKEND_URL, PUBLISHABLE_KEY, auth), Date.now),
    onStorageError,
    (uid) => void forgetAccount(uid),
  );
}

/** Returns a function that stops the sync of the products. */
function startCatalogue(): () => void {
  return syncCatalogue(connection.catalogue, catalogueRemote({ url: location.origin }), (error) =>
    connection.storage.recoverCatalogueFrom(error),
  );
}

function onStorageError(error: unknown): Promise<void> {
  return connection.recoverFrom(error);
}
