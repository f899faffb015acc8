import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { pollInOneTab, type PollOutcome, throttle } from '../browser/poll.ts';
import type { OutboxRow, SaveResult, WeftDatabase } from '../db/database.ts';
import { followQuery } from '../db/follow.ts';
import { endSession } from '../db/identity.ts';
import {
  applyPull,
  deviceId,
  readPending,
  readShopper,
  recordSaveResult,
} from '../db/shopper-data.ts';
import { readWaiting } from '../db/waiting-taps.ts';
import { type BackendFailure, isGone } from '../domain/failure.ts';
import type { Invalidation } from '../remote/invalidation.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';

/** Another phone's change arrives within this time where realtime cannot be joined. */
const EVERY_MS = 60_000;
/** The same where realtime is joined, and stays silent. */
const JOINED_EVERY_MS = 600_000;
/** However often realtime invalidates, it causes one pull in this time. */
const INVALIDATED_EVERY_MS = 3000;

/**
 * Syncs the signed-in shopper's data with the server: on a tap, when the network or the user comes
 * back, when realtime invalidates them, and in a visible tab once a minute, or every ten minutes while realtime is
 * joined. Does nothing without a live session. Calls `onGone` when the server says that the account is gone.
 * Returns a function that stops this.
 */
export function syncShopper(
  db: WeftDatabase,
  remote: ShopperRemote,
  invalidation: Invalidation,
  onStorageError: (error: unknown) => Promise<void>,
  onGone: (uid: string) => void,
): () => void {
  const memory = { unpulled: null };
  let savedAtMs = -Infinity;
  const repeated = pollInOneTab({ lock: 'weft-shopper', everyMs: EVERY_MS, onStorageError }, run);
  const invalidated = throttle(repeated.wake, INVALIDATED_EVERY_MS, pageTiming);

  /** Whether a run is due that nothing has woken. Hidden tabs only send again what they could not send. */
  async function isDue(uid: string): Promise<boolean> {
    if ((await readPending(db, uid)).length > 0) return true;
    if (document.visibilityState === 'hidden') return false;
    return !invalidation.isJoined || pageTiming.now() - savedAtMs >= JOINED_EVERY_MS;
  }

  async function run(signal: AbortSignal, isWoken: boolean): Promise<PollOutcome> {
    const shopper = await readShopper(db);
    if (shopper?.session !== 'live') return 'done';
    const { uid } = shopper;
    if (!isWoken && !(await isDue(uid))) return 'done';
    const outcome = await pushAndPull({ db, remote, memory }, uid, signal);
    savedAtMs = outcome === 'saved' ? pageTiming.now() : -Infinity;
    if (outcome === 'aborted') return 'done';
    if (outcome === 'gone') {
      onGone(uid);
      return 'done';
    }
    if (outcome === 'unsent') {
      await recordSaveResult(db, uid, 'offline');
      return 'failed';
    }
    await recordSaveResult(db, uid, outcome);
    if (outcome === 'sign-in') await endSession(db, uid);
    if (outcome === 'saved') invalidation.follow(uid, invalidated.call);
    // A retry cannot mend `sign-in`. When the user signs in, the shopper row changes and wakes the sync.
    return outcome === 'saved' || outcome === 'sign-in' ? 'done' : 'failed';
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
    (triggers) => {
      const { shopper } = triggers;
      const sessionNow = shopper && `${shopper.uid} ${shopper.session}`;
      if (triggers.newest > newest || sessionNow !== session) repeated.wake();
      if (!shopper || shopper.session === 'ended') invalidation.stop();
      newest = triggers.newest;
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

export interface ShopperSync {
  readonly db: WeftDatabase;
  readonly remote: ShopperRemote;
  /** Kept from run to run. */
  readonly memory: RunMemory;
}

export interface RunMemory {
  /** The id of the shopper whose last push was answered but not yet followed by a pull. */
  unpulled: string | null;
}

/** `unsent`: there was no token to send the last request with. `gone`: the account does not exist any more. */
export type SyncOutcome = SaveResult['outcome'] | 'unsent' | 'aborted' | 'gone';

/** How many stale answers in a row a run bears; one more ends it. Another tab rarely overtakes more than one. */
const MOST_STALE = 5;

/**
 * Sends the outbox in batches, oldest first, then pulls the server's rows and acknowledgements.
 *
 * An answered push does not remove changes from the outbox; the pull's acknowledgement does. Any step
 * may be lost, repeated or run in two tabs at once, because the server applies each id once. The
 * order of one phone holds, because a run starts with the oldest change and waits for the answer to
 * each batch. If a run ends between push and pull, the next run pulls first.
 */
export async function pushAndPull(
  sync: ShopperSync,
  uid: string,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const outcome = await exchange(sync, uid, signal);
  return outcome !== 'saved' && signal.aborted ? 'aborted' : outcome;
}

async function exchange(
  { db, remote, memory }: ShopperSync,
  uid: string,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const device = await deviceId(db);
  let mustPull = memory.unpulled === uid;
  let sentTo = 0; // `seq` of the last change that this run has sent
  let stale = 0;
  let hasAcks = false;
  let answeredStale: string | null = null;
  while (!signal.aborted) {
    const pending = await readPending(db, uid);
    const batch = mustPull ? [] : nextBatch(pending, sentTo);
    const last = batch.at(-1);
    if (last) {
      const changes = batch.map(({ change }) => change);
      const answer = await remote.push(uid, device, changes, signal);
      if (!answer.ok) return outcomeOf(answer.failure);
      sentTo = last.seq;
      memory.unpulled = uid;
      stale = 0;
      continue;
    }
    const since = (await db.bases.get(uid)) ?? null;
    const ids = pending.map(({ id }) => id);
    const question = JSON.stringify([since?.ver, since?.stamp, ids]);
    // The same request as the one whose answer was stale: its answer would be stale too.
    if (question === answeredStale) return 'failed';
    const pulled = await remote.pull(uid, device, since, ids, signal);
    if (!pulled.ok) return outcomeOf(pulled.failure);
    if ((await applyPull(db, since, ids, pulled.value)) === 'stale') {
      stale += 1;
      if (stale > MOST_STALE) return 'failed';
      answeredStale = question;
      continue;
    }
    memory.unpulled = null;
    mustPull = false;
    hasAcks ||= pulled.value.acks.length > 0;
    const left = await readPending(db, uid);
    if (left.length === 0) {
      // A waiting tap may be one that was applied already: the server must know its id when it comes once more. Nobody
      // waits for the answer: if it is lost, or the storage fails before the request, the next change releases again.
      if (hasAcks && readWaiting().length === 0)
        void remote.release(uid, device, pulled.value, signal).catch(() => undefined);
      return 'saved';
    }
    // A change was sent but not acknowledged: the server was restored from a backup. A later run sends it again.
    // If all changes left are new, the loop sends them now.
    if (left.some(({ seq }) => seq <= sentTo)) return 'failed';
  }
  return 'aborted';
}

function outcomeOf(failure: BackendFailure): SyncOutcome {
  if (isGone(failure)) return 'gone';
  if (failure.kind === 'rejected') return 'failed';
  return failure.kind === 'offline' && failure.isUnsent ? 'unsent' : failure.kind;
}

/** The next changes, in order. */
function nextBatch(pending: readonly OutboxRow[], sentTo: number): readonly OutboxRow[] {
  return pending.filter(({ seq }) => seq > sentTo).slice(0, PUSH_LIMIT);
}
