import { readResult, recordResult } from '../db/catalogue-log.ts';
import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { pause } from '../browser/pause.ts';
import { pollInOneTab, type PollOutcome } from '../browser/poll.ts';
import type { WeftDatabase } from '../db/database.ts';
import { followQuery } from '../db/follow.ts';
import type { CatalogueRemote } from '../remote/catalogue.ts';
import { pullCatalogue } from './pull-catalogue.ts';

/** An open shop gets changes within this time if nothing else wakes the sync. */
const EVERY_MS = 60_000;
/** The longest pause before a question past the CDN. */
const MOST_JITTER_MS = 5000;

/**
 * Updates this device's catalogue while the page is open: at the start, when the network or the user
 * comes back, when a screen asks for it, and once a minute. Returns a function that
 * stops this.
 *
 * @param onStorageError called when the database cannot be read or written
 */
export function syncCatalogue(
  db: WeftDatabase,
  remote: CatalogueRemote,
  onStorageError: (error: unknown) => Promise<void>,
): () => void {
  // Kept from run to run, so that tabs of two builds do not load the catalogue in turns (`pull-catalogue.ts`).
  const memory = { hasSeenOwnFormat: false };
  const hesitate = (signal: AbortSignal) => pause(pageTiming.random() * MOST_JITTER_MS, signal);
  const repeated = pollInOneTab({ lock: 'weft-catalogue', everyMs: EVERY_MS, onStorageError }, run);

  async function run(signal: AbortSignal): Promise<PollOutcome> {
    const failure = await pullCatalogue(
      { db, remote, now: pageTiming.now, hesitate, memory },
      signal,
    );
    // Sync was stopped. This says nothing about the shop, so it is not recorded.
    if (failure === 'aborted') return 'done';
    await recordResult(db, failure);
    return failure === null ? 'done' : 'failed';
  }

  let hadResult = false;
  const stopFollowing = followQuery(
    () => readResult(db),
    (last) => {
      // A screen has deleted the row to ask for another run.
      if (!last && hadResult) repeated.wake();
      hadResult = last !== undefined;
    },
    onStorageError,
  );
  const stopListening = onWakeUp(repeated.wake);
  return () => {
    repeated.stop();
    stopFollowing();
    stopListening();
  };
}
