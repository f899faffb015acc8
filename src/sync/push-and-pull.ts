import { forgetLate } from '../db/late-change.ts';
import { applyPull, deviceId, type IdAndClock, readPending } from '../db/shopper-log.ts';
import type { OutboxRow, SaveAttempt, WeftDatabase } from '../db/database.ts';
import { CHANGE_SCHEMA } from '../domain/change.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';

export interface ShopperSync extends IdAndClock {
  readonly db: WeftDatabase;
  readonly remote: ShopperRemote;
  /** Kept from run to run. */
  readonly memory: RunMemory;
}

export interface RunMemory {
  /** The id of the shopper whose last push was answered but not yet followed by a pull. */
  unseen: string | null;
}

/** `unsent`: there was no token to send the last request with. */
export type SyncOutcome = SaveAttempt['outcome'] | 'unsent' | 'aborted';

/** How many stale answers in a row end a run: another tab rarely overtakes more than one. */
const MOST_STALE = 5;

/**
 * Kinds of changes that every version of the server applies. A server lets an unknown kind wait, so new
 * kinds are not added here.
 */
const KNOWN_EVERYWHERE: ReadonlySet<string> = new Set([
  'cart.add',
  'cart.reduce',
  'cart.set',
  'cart.remove',
  'cart.clear',
  'favourite.add',
  'favourite.remove',
]);

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
  { db, remote, newId, memory }: ShopperSync,
  uid: string,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const device = await deviceId(db, newId);
  let mustPull = memory.unseen === uid;
  let sentTo = 0; // `seq` of the last change that this run has sent
  let stale = 0;
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
      memory.unseen = uid;
      mustPull = mayWait(last);
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
    forgetLate(pulled.value.acks);
    memory.unseen = null;
    mustPull = false;
    const rest = await readPending(db, uid);
    if (rest.length === 0) return 'saved';
    // A sent change without acknowledgement: the server lets it wait, or was restored. A later run
    // sends it again. Other changes are new and sent now.
    if (rest.some(({ seq }) => seq <= sentTo)) return 'failed';
  }
  return 'aborted';
}

function outcomeOf(failure: BackendFailure): SyncOutcome {
  if (failure.kind === 'rejected') return 'failed';
  return failure.kind === 'offline' && failure.isUnsent ? 'unsent' : failure.kind;
}

/** The next changes in order. A change that the server may let wait ends the batch: none may overtake it. */
function nextBatch(pending: readonly OutboxRow[], sentTo: number): readonly OutboxRow[] {
  const batch = pending.filter(({ seq }) => seq > sentTo).slice(0, PUSH_LIMIT);
  const waiting = batch.findIndex(mayWait);
  return waiting === -1 ? batch : batch.slice(0, waiting + 1);
}

function mayWait({ change }: OutboxRow): boolean {
  return change.schema !== CHANGE_SCHEMA || !KNOWN_EVERYWHERE.has(change.kind);
}
