import type { WeftDatabase } from './db/database.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { realtimeDoorbell } from './remote/doorbell.ts';
import { shopperRemote, type TokenSource } from './remote/shopper.ts';
import { syncShopper } from './sync/shopper.ts';

/** Starts the sync of one shopper's data: a chunk of its own, since nothing waits for it. */
export function startShopperSync(
  db: WeftDatabase,
  tokens: TokenSource,
  onStorageError: (error: unknown) => void,
): () => void {
  const remote = shopperRemote({ url: BACKEND_URL, key: PUBLISHABLE_KEY }, tokens);
  const doorbell = realtimeDoorbell(BACKEND_URL, PUBLISHABLE_KEY, tokens);
  return syncShopper(db, remote, doorbell, onStorageError);
}
