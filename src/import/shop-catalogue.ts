import { liveQuery } from 'dexie';
import { forgetAttempt, readAttempt, readState } from '../db/catalogue-log.ts';
import { connection } from '../db/connection.ts';

/** Makes the sync fetch the shop's products now, because they have changed. */
export function fetchChanges(): void {
  forgetAttempt(connection.catalogue).catch((error: unknown) => connection.recoverFrom(error));
}

/** How long the check of a file waits for the sync while that makes no progress. */
const PATIENCE_MS = 10_000;

/** Resolves when the sync has fetched the products, or has made no progress for `PATIENCE_MS`. */
export async function waitForSync(): Promise<void> {
  const { catalogue: db } = connection;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(end, PATIENCE_MS);
    // The state changes with every batch that arrives, which restarts the timer.
    const subscription = liveQuery(() => Promise.all([readAttempt(db), readState(db)])).subscribe({
      next([attempt]) {
        clearTimeout(timer);
        if (attempt) end();
        else timer = setTimeout(end, PATIENCE_MS);
      },
      error: end,
    });
    function end() {
      subscription.unsubscribe();
      resolve();
    }
  });
}
