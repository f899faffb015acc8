/** Oracle: what a phone keeps, and what it shows of that. */
import type { OutboxRow, ShopperBase } from '../../../src/db/database.ts';
import { NOTHING } from '../../../src/domain/change.ts';
import type { Environment } from './environment.ts';
import { jsonOf, shapeOf } from './fold.ts';
import { DEVICE, type Durable, type Made, type Storage } from './phone-storage.ts';
import type { Timeline } from './timeline.ts';

/** A phone, as far as it is checked. */
interface CheckedPhone {
  readonly world: Environment;
  readonly name: string;
  readonly storage: Storage;
  readonly made: readonly Made[];
  readonly late: ReadonlySet<string>;
}

/** What is shown must be the base with exactly those own changes that are not yet in it. */
export function checkShown(
  phone: CheckedPhone,
  uid: string,
  base: ShopperBase | undefined,
  pending: readonly OutboxRow[],
): void {
  const { oracle, verdicts } = phone.world;
  verdicts.count('states');
  let first: string | null = null;
  // A phone may still have what the server had before it was put back.
  for (const timeline of oracle.timelinesOf(uid)) {
    const complaint = complaintOf(phone, timeline, uid, base, pending);
    if (complaint === null) return;
    first ??= complaint;
  }
  verdicts.break(5, first ?? '');
}

function complaintOf(
  phone: CheckedPhone,
  timeline: Timeline,
  uid: string,
  base: ShopperBase | undefined,
  pending: readonly OutboxRow[],
): string | null {
  const known = base ? timeline.states.get(base.ver) : NOTHING;
  if (!known) return `${phone.name} has a base at ${base?.ver}, which never was`;
  if (base && jsonOf(base) !== jsonOf(known)) {
    const text = `${shapeOf(base)}, and it was ${shapeOf(known)}`;
    return `${phone.name} has a base of ${uid} at ${base.ver} that is ${text}`;
  }
  const waiting = new Set(pending.map(({ id }) => id));
  const { oracle } = phone.world;
  for (const { id, uid: owner, home, change, isTakenAway } of phone.made) {
    if (owner !== uid || isTakenAway) continue;
    if (home !== DEVICE && !phone.storage.known.has(id)) continue;
    const ver = timeline.applied.get(id)?.ver;
    const isIn = ver !== undefined && (base === undefined || ver <= base.ver);
    // Without a base nothing is shown of what the server has, until the first pull.
    // What memory brings back the server may have taken while its tab could not be told.
    const isTwice = isIn && base !== undefined && home === DEVICE;
    if (waiting.has(id) ? isTwice : !isIn && !oracle.isLost(uid, id)) {
      const where = isIn ? 'both the outbox and the base' : 'neither the outbox nor the base';
      return `${phone.name}: ${change.kind} ${id} is in ${where}`;
    }
    waiting.delete(id);
  }
  if (waiting.size > 0) {
    return `${phone.name} holds changes that it never made: ${[...waiting].join()}`;
  }
  // Of each home in the order made.
  const latest = new Map<string, number>();
  for (const { id } of pending) {
    // A tap that was kept beside the outbox comes in when any tab takes it in.
    if (phone.late.has(id)) continue;
    const { home = '', place = 0 } = oracle.madeBy(id) ?? {};
    if (place < (latest.get(home) ?? -1)) return `${phone.name}: ${id} waits behind a later one`;
    latest.set(home, place);
  }
  return null;
}

/** Whenever a transaction has completed. */
export function checkCommitted(
  phone: CheckedPhone,
  before: Durable,
  now: Durable,
  home: string,
): void {
  const { bases, outbox, refused } = now;
  const { oracle, verdicts } = phone.world;
  checkSession(phone, before, now);
  if (bases === before.bases && outbox === before.outbox && refused === before.refused) return;
  const left = new Set(outbox.map(({ id }) => id));
  for (const { id, uid } of before.outbox) {
    // What memory has dropped, and perhaps shown, the device drops when memory comes back.
    if (left.has(id) || oracle.dropped.has(id)) continue;
    // Carried back to the device, which has it from then on.
    if (home !== DEVICE && phone.storage.known.has(id)) continue;
    oracle.dropped.add(id);
    const wasRefused = oracle.applied(uid, id)?.outcome === 'rejected';
    if (wasRefused && !refused.some((row) => row.id === id)) {
      verdicts.break(5, `${phone.name}: ${id} was refused and is nowhere to be seen`);
    }
  }
  // A memory lacks what other tabs have done on the device since.
  if (home !== DEVICE) return;
  const users = new Set([...outbox, ...before.outbox, ...bases].map(({ uid }) => uid));
  for (const uid of users) {
    const own = outbox.filter((row) => row.uid === uid);
    checkShown(
      phone,
      uid,
      bases.find((base) => base.uid === uid),
      own,
    );
  }
}

/** Invariant 10, whenever a transaction has completed. */
function checkSession({ name, world }: CheckedPhone, before: Durable, now: Durable): void {
  const { auth, verdicts } = world;
  if (before.meta === now.meta) return;
  const shopperOf = ({ meta }: Durable) => {
    const row = meta.find(({ key }) => key === 'shopper');
    return row?.key === 'shopper' ? row : null;
  };
  const was = shopperOf(before);
  const is = shopperOf(now);
  // Of another shopper: a tab in memory has brought back who had signed in there.
  if (was?.session !== 'live' || is?.session !== 'ended' || is.uid !== was.uid) return;
  const stored = before.session.map(({ value }) => refreshTokenOf(value)).find(Boolean);
  if (stored === undefined || !auth.wouldRenew(stored)) return;
  verdicts.break(10, `${name} ends the session of ${was.uid}, which is good`);
}

function refreshTokenOf(session: string): string | undefined {
  try {
    return (JSON.parse(session) as { refresh_token?: string }).refresh_token;
  } catch {
    return undefined;
  }
}
