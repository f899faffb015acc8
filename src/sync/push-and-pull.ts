import { forgetLate } from '../db/late-change.ts';
import { applyPull, deviceId, type IdAndClock, readPending } from '../db/shopper-log.ts';
import type { OutboxRow, SaveAttempt, WeftDatabase } from '../db/database.ts';
import { CHANGE_SCHEMA } from '../domain/change.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';

export interface ShopperSync extends IdAndClock {
  readonly db: WeftDatabase;
  readonly remote: ShopperRemote;
  /** Outlives a run. */
  readonly memory: RunMemory;
}

export interface RunMemory {
  /** The shopper of whom a push was answered and no pull has shown it since. */
  unseen: string | null;
}

export type SyncOutcome = SaveAttempt['outcome'] | 'aborted';

/** Answers may be overtaken by another tab's; that cannot go on for long. */
const MOST_STALE = 5;

/**
 * Kinds that each database takes which leaves an unknown kind to wait. A later kind is added to the
 * phones' own kinds only, not here.
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
 * Sends what waits and takes in what the server has: batches from the oldest on, then one pull.
 *
 * A change counts as sent once its batch was answered, but stays in the outbox until a pull shows
 * it. Any step may be lost, repeated or run in two tabs at once: the server applies an id once. The
 * order of one phone holds, because a batch is sent only behind answered ones, and a run starts
 * again from the oldest change. A run that was cut behind an answered batch is followed by one that
 * pulls first: what was answered leaves the outbox and is not sent again.
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
  let sentTo = 0;
  let stale = 0;
  let answeredStale: string | null = null;
  while (!signal.aborted) {
    const pending = await readPending(db, uid);
    const batch = mustPull ? [] : nextBatch(pending, sentTo);
    const last = batch.at(-1);
    if (last) {
      const answer = await remote.push(
        uid,
        device,
        batch.map(({ change }) => change),
        signal,
      );
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
    // Nothing here has changed since an answer was of no use: the next one would be of none either.
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
    // Sent but not shown: the server lets it wait, or was restored. It is asked again later, from
    // there on. Otherwise the rest was made meanwhile, and is sent too.
    if (rest.some(({ seq }) => seq <= sentTo)) return 'failed';
  }
  return 'aborted';
}

function outcomeOf({ kind }: BackendFailure): SyncOutcome {
  return kind === 'rejected' ? 'failed' : kind;
}

/** The next changes in order, none behind one that the server may leave to wait. */
function nextBatch(pending: readonly OutboxRow[], sentTo: number): readonly OutboxRow[] {
  const batch = pending.filter(({ seq }) => seq > sentTo).slice(0, PUSH_LIMIT);
  const waiting = batch.findIndex(mayWait);
  return waiting === -1 ? batch : batch.slice(0, waiting + 1);
}

function mayWait({ change }: OutboxRow): boolean {
  return change.schema !== CHANGE_SCHEMA || !KNOWN_EVERYWHERE.has(change.kind);
}
