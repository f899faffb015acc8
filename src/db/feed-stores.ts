/**
 * Fills `shopperStore`, and has `catalogue-follower.ts` fill `catalogueStore`: the screens read both. Live
 * queries follow the database, whichever tab writes it.
 */
import { feedCatalogue } from './catalogue-follower.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { followQuery } from './follow.ts';
import { pageSession } from './session-store.ts';
import { readShopperState } from './shopper-data.ts';
import { shopperHint, shopperStore, viewOf } from './shopper-store.ts';

/** Resolves when both stores were filled or could not be read. */
export async function feedStores(): Promise<void> {
  await Promise.all([feedShopper(), feedCatalogue()]);
}

/** Resolves after the first result. */
function feedShopper(): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const start = () => {
      stop?.();
      stop = followQuery(
        () => readView(connection.db),
        (view) => {
          shopperStore.set(view);
          resolve();
        },
        (error) => connection.recoverFrom(error),
      );
    };
    readAgainAfterNews(start);
    start();
  });
}

/** Takes any other shopper than `uid` off the screen at once, because the device may answer late or never. */
export function hideShopperExcept(uid: string | null): void {
  const shown = shopperStore.snapshot();
  if (!shown || shown.shopper.uid === uid) return;
  shopperStore.set(null);
}

function readAgainAfterNews(readAgain: () => void): void {
  pageSession.subscribe(() => {
    const uid = shopperStore.snapshot()?.shopper.uid;
    if (uid !== undefined && pageSession.isLoggedOut(uid)) hideShopperExcept(null);
    readAgain();
  });
  // Tests have no `addEventListener`. A page from the back/forward cache has missed what happened meanwhile.
  globalThis.addEventListener?.('pageshow', ({ persisted }) => {
    if (!persisted) return;
    hideShopperExcept(shopperHint.read());
    readAgain();
  });
}

/** Reads the shopper for the screens: null when signed out. */
async function readView(db: WeftDatabase) {
  const state = await readShopperState(db);
  if (connection.kept === 'device') {
    if (state) shopperHint.write(state.shopper.uid);
    else shopperHint.clear();
  }
  return state && !pageSession.isLoggedOut(state.shopper.uid) ? viewOf(state) : null;
}
