import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { pollInOneTab, type PollOutcome } from '../browser/poll.ts';
import type { WeftDatabase } from '../db/database.ts';
import { failureBudget } from '../db/failure-budget.ts';
import { followQuery } from '../db/follow.ts';
import { endSession } from '../db/identity.ts';
import { readPending, readShopper, recordSaveAttempt } from '../db/shopper-log.ts';
import type { Timing } from '../domain/timing.ts';
import type { Invalidation } from '../remote/invalidation.ts';
import type { ShopperRemote } from '../remote/shopper.ts';
import { pushAndPull } from './push-and-pull.ts';

/** Another phone's change arrives within this time if realtime stays silent. */
const EVERY_MS = 60_000;
/** However often realtime invalidates, it causes one pull in this time. */
const INVALIDATED_EVERY_MS = 3000;

/**
 * Syncs the signed-in shopper's data with the server: on a tap, when the network or the user comes
 * back, when realtime invalidates them, and once a minute. Does nothing without a live session.
 * Returns a function that stops this.
 */
export function syncShopper(
  db: WeftDatabase,
  remote: ShopperRemote,
  invalidation: Invalidation,
  onStorageError: (error: unknown) => void,
): () => void {
  const idAndClock = { newId: () => crypto.randomUUID(), now: () => new Date() };
  const memory = { unseen: null };
  const budget = failureBudget(pageTiming.now);
  const repeated = pollInOneTab({ lock: 'weft-shopper', everyMs: EVERY_MS, onStorageError }, run);
  const invalidated = throttle(repeated.wake, INVALIDATED_EVERY_MS, pageTiming);

  async function run(signal: AbortSignal, isWoken: boolean): Promise<PollOutcome> {
    const shopper = await readShopper(db);
    if (shopper?.session !== 'live') return 'done';
    const { uid } = shopper;
    if (!budget.take(isWoken ? 'changes' : 'background')) return 'no-room';
    const outcome = await pushAndPull({ db, remote, memory, ...idAndClock }, uid, signal);
    if (outcome === 'aborted') return 'done';
    // A retry cannot mend `sign-in`. When the user signs in, the shopper row changes and wakes this.
    const hasFailed = outcome === 'offline' || outcome === 'failed';
    // For `unsent`, the refresh that brought no token has counted already (`refresh.ts`).
    budget.settle(hasFailed);
    if (outcome === 'unsent') {
      await recordSaveAttempt(db, uid, 'offline');
      return 'failed';
    }
    await recordSaveAttempt(db, uid, outcome);
    if (outcome === 'sign-in') await endSession(db, uid);
    if (outcome === 'saved') invalidation.follow(uid, invalidated.call);
    return hasFailed ? 'failed' : 'done';
  }

  /** Reads what wakes the sync: a new change, another shopper, or a renewed session. */
  async function readTriggers() {
    const shopper = await readShopper(db);
    const pending = shopper ? await readPending(db, shopper.uid) : [];
    return { shopper, newest: pending.at(-1)?.seq ?? 0 };
  }
  let newest = 0;
  let session: string | undefined;
  const stopFollowing = followQuery(
    readTriggers,
    (now) => {
      const sessionNow = now.shopper && `${now.shopper.uid} ${now.shopper.session}`;
      if (now.newest > newest || sessionNow !== session) repeated.wake();
      if (!now.shopper || now.shopper.session === 'ended') invalidation.stop();
      newest = now.newest;
      session = sessionNow;
    },
    onStorageError,
  );
  const stopListening = onWakeUp(repeated.wake);
  return () => {
    repeated.stop();
    stopFollowing();
    stopListening();
    invalidated.stop();
    invalidation.stop();
  };
}

/** Runs at once at the first call; further calls within `everyMs` run it once more at the end. */
export function throttle(
  run: () => void,
  everyMs: number,
  { setTimeout, clearTimeout }: Pick<Timing, 'setTimeout' | 'clearTimeout'>,
): { readonly call: () => void; readonly stop: () => void } {
  let timer: number | null = null;
  let isCalled = false;

  function begin(): void {
    isCalled = false;
    timer = setTimeout(() => {
      timer = null;
      if (isCalled) begin();
    }, everyMs);
    run();
  }

  return {
    call() {
      if (timer === null) begin();
      else isCalled = true;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
