import { applyPull, deviceId, type Making, readPending } from '../db/shopper-log.ts';
import type { SaveAttempt, WeftDatabase } from '../db/database.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';

export interface ShopperSync extends Making {
  readonly db: WeftDatabase;
  readonly remote: ShopperRemote;
}

/** Answers may be overtaken by another tab's; that cannot go on for long. */
const MOST_STALE = 5;

/**
 * Sends what waits and takes in what the server has: batches from the oldest on, then one pull.
 *
 * A change counts as sent once its batch was answered, but stays in the outbox until a pull shows
 * it. Any step may be lost, repeated or run in two tabs at once: the server applies an id once,
 * and a run that is cut starts again from the oldest change, so the order of one phone holds.
 */
export async function pushAndPull(
  { db, remote, newId }: ShopperSync,
  uid: string,
  signal: AbortSignal,
): Promise<SaveAttempt['outcome']> {
  const device = await deviceId(db, newId);
  let sentTo = 0;
  let stale = 0;
  while (!signal.aborted) {
    const pending = await readPending(db, uid);
    const batch = pending.filter(({ seq }) => seq > sentTo).slice(0, PUSH_LIMIT);
    const last = batch.at(-1);
    if (last) {
      const answer = await remote.push(
        uid,
        device,
        batch.map(({ change }) => change),
        signal,
      );
      if (!answer.ok) return answer.reason;
      sentTo = last.seq;
      stale = 0;
      continue;
    }
    const since = (await db.bases.get(uid))?.ver ?? null;
    const ids = pending.map(({ id }) => id);
    const pulled = await remote.pull(uid, device, since, ids, signal);
    if (!pulled.ok) return pulled.reason;
    if ((await applyPull(db, since, ids, pulled.value)) === 'stale') {
      stale += 1;
      if (stale > MOST_STALE) return 'failed';
      continue;
    }
    const rest = await readPending(db, uid);
    if (rest.length === 0) return 'saved';
    // Made meanwhile: send them too. Sent but not shown: the server will be asked again later.
    if (rest.every(({ seq }) => seq <= sentTo)) return 'failed';
  }
  return 'offline';
}
