import { liveQuery } from 'dexie';
import { readAttempt, recordAttempt } from '../db/catalogue-log.ts';
import type { WeftDatabase } from '../db/database.ts';
import type { CatalogueRemote } from '../remote/catalogue.ts';
import { keepRunning } from './keep-running.ts';
import { pullCatalogue } from './pull-catalogue.ts';
import { onWakeUp, withoutTwin } from './page-events.ts';

/** Changes reach an open shop within this time when nothing else wakes the sync. */
const EVERY_MS = 60_000;

/**
 * Keeps the catalogue of this device and of the backend the same while the page is open: at the
 * start, when the network or the shopper comes back, when a screen asks for another attempt, and
 * once a minute. `onStorageError` hears of a store that can no longer be written.
 * Returns what stops it.
 */
export function syncCatalogue(
  db: WeftDatabase,
  remote: CatalogueRemote,
  onStorageError: (error: unknown) => void,
): () => void {
  const repeated = keepRunning(attempt, EVERY_MS, {
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: (timer) => window.clearTimeout(timer),
    random: Math.random,
  });

  async function attempt(signal: AbortSignal): Promise<{ failed: boolean }> {
    try {
      const failure = await withoutTwin('weft-catalogue', signal, () =>
        pullCatalogue({ db, remote, now: Date.now }, signal),
      );
      if (failure === 'aborted') return { failed: false };
      await recordAttempt(db, failure);
      return { failed: failure !== null };
    } catch (error) {
      if (!signal.aborted) onStorageError(error);
      return { failed: true };
    }
  }

  let wasAttempted = false;
  const requests = liveQuery(() => readAttempt(db)).subscribe({
    next: (last) => {
      if (!last && wasAttempted) repeated.wake();
      wasAttempted = last !== undefined;
    },
    error: onStorageError,
  });
  const stopListening = onWakeUp(repeated.wake);
  return () => {
    repeated.stop();
    requests.unsubscribe();
    stopListening();
  };
}
