import { onWakeUp, pageTiming } from '../browser/page-events.ts';
import type { WeftDatabase } from '../db/database.ts';
import { failureBudget } from '../db/failure-budget.ts';
import { followQuery } from '../db/follow.ts';
import { endSession } from '../db/identity.ts';
import { readPending, readShopper, recordSaveAttempt } from '../db/shopper-log.ts';
import type { Invalidation } from '../remote/invalidation.ts';
import type { ShopperRemote } from '../remote/shopper.ts';
import { pollInOneTab, type PollOutcome } from './poll-every.ts';
import { pushAndPull } from './push-and-pull.ts';
import { throttle } from './throttle.ts';

/** Another phone's change arrives within this time when realtime is silent. */
const EVERY_MS = 60_000;
/** A busy shopper's other phones, or a realtime service gone mad, cost a pull in so much time. */
const RING_MS = 3000;

/**
 * Keeps the signed-in shopper's data on this phone and on the server the same: on a tap, when the
 * network or the shopper comes back, when realtime invalidates it, and once a minute. Without a
 * shopper, or after the session has ended, it rests. Returns what stops it.
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
  const invalidated = throttle(repeated.wake, RING_MS, pageTiming);

  async function run(signal: AbortSignal, isWoken: boolean): Promise<PollOutcome> {
    const shopper = await readShopper(db);
    if (shopper?.session !== 'live') return 'done';
    const { uid } = shopper;
    if (!budget.take(isWoken ? 'changes' : 'background')) return 'no-room';
    const outcome = await pushAndPull({ db, remote, memory, ...idAndClock }, uid, signal);
    if (outcome === 'aborted') return 'done';
    // An ended session does not mend itself: the shopper row wakes us when it changes.
    const hasFailed = outcome === 'offline' || outcome === 'failed';
    budget.settle(hasFailed);
    await recordSaveAttempt(db, uid, outcome);
    if (outcome === 'sign-in') await endSession(db, uid);
    if (outcome === 'saved') invalidation.follow(uid, invalidated.call);
    return hasFailed ? 'failed' : 'done';
  }

  /** A new change, another shopper, or a session that is good again. */
  async function readNews() {
    const shopper = await readShopper(db);
    const pending = shopper ? await readPending(db, shopper.uid) : [];
    return { shopper, newest: pending.at(-1)?.seq ?? 0 };
  }
  let newest = 0;
  let session: string | undefined;
  const stopFollowing = followQuery(
    readNews,
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
