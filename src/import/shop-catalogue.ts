import { liveQuery } from 'dexie';
import { forgetAttempt, readAttempt, readState } from '../db/catalogue-log.ts';
import { connection } from '../db/connection.ts';

/** The shop's products have changed: asks the sync to fetch that now. */
export function fetchChanges(): void {
  forgetAttempt(connection.catalogue).catch((error: unknown) => connection.recoverFrom(error));
}

/** A file does not wait for a shop that does not answer. */
const PATIENCE_MS = 10_000;

/** Resolves when the sync has done what it was last asked to, or has come no further for a while. */
export async function fetched(): Promise<void> {
  const { catalogue: db } = connection;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(end, PATIENCE_MS);
    // The state changes with every batch that arrives.
    const following = liveQuery(() => Promise.all([readAttempt(db), readState(db)])).subscribe({
      next([attempt]) {
        clearTimeout(timer);
        if (attempt) end();
        else timer = setTimeout(end, PATIENCE_MS);
      },
      error: end,
    });
    function end() {
      resolve();
      queueMicrotask(() => following.unsubscribe());
    }
  });
}
