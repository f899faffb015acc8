/** Oracle of invariants 5, 10 and 13: checks what a phone stores, and what it shows. */
import type { OutboxRow, ShopperBase } from '../../../src/db/database.ts';
import { NOTHING } from '../../../src/domain/change.ts';
import type { Environment } from './environment.ts';
import { jsonOf, shapeOf } from './fold.ts';
import { DEVICE, type PhoneStorage, type StoredChange, type StoredRows } from './phone-storage.ts';
import type { Timeline } from './timeline.ts';

/** The part of a phone that is checked. */
interface CheckedPhone {
  readonly world: Environment;
  readonly name: string;
  readonly storage: PhoneStorage;
  readonly changes: readonly StoredChange[];
  readonly everInLocalStorage: ReadonlySet<string>;
}

/**
 * Checks that a phone shows the rows it has pulled from the server (`base`), with exactly the phone's changes
 * that the base does not yet hold (`pending`).
 *
 * @param base undefined before the first pull
 */
export function checkShown(
  phone: CheckedPhone,
  uid: string,
  base: ShopperBase | undefined,
  pending: readonly OutboxRow[],
): void {
  const { oracle, verdicts } = phone.world;
  verdicts.count('states');
  let complaintOfPresent: string | null = null;
  // A phone may still have rows that the server lost when it was restored from a backup.
  for (const timeline of oracle.timelinesOf(uid)) {
    const complaint = complaintOf(phone, timeline, uid, base, pending);
    if (complaint === null) return;
    complaintOfPresent ??= complaint;
  }
  verdicts.break(5, complaintOfPresent ?? '');
}

/** What is wrong with a phone that has pulled from this timeline of the server; null for nothing. */
function complaintOf(
  phone: CheckedPhone,
  timeline: Timeline,
  uid: string,
  base: ShopperBase | undefined,
  pending: readonly OutboxRow[],
): string | null {
  const serverRows = base ? timeline.states.get(base.ver) : NOTHING;
  if (!serverRows) return `${phone.name} has version ${base?.ver}, which the server never had`;
  if (base && jsonOf(base) !== jsonOf(serverRows)) {
    const text = `${shapeOf(base)}, and it was ${shapeOf(serverRows)}`;
    return `${phone.name} has a base of ${uid} at ${base.ver} that is ${text}`;
  }
  const waiting = new Set(pending.map(({ id }) => id));
  const { oracle, deferred } = phone.world;
  for (const { id, uid: owner, database, change, isGoneFromPhone } of phone.changes) {
    if (owner !== uid || isGoneFromPhone) continue;
    // The device does not have a change that is in the memory of a tab.
    if (database !== DEVICE && !phone.storage.everInOutbox.has(id)) continue;
    const isWaiting = waiting.delete(id);
    const ver = timeline.applied.get(id)?.ver;
    const isInBase = ver !== undefined && base !== undefined && ver <= base.ver;
    const mayBeInBoth =
      // The tab that had it in memory may have ended before the answer of the server.
      database !== DEVICE ||
      // A page repeats a tap that it does not know to be stored. The server applies the tap once.
      deferred.has(id) ||
      phone.everInLocalStorage.has(id) ||
      // The storage was rolled back, and the server, which has forgotten the change, will reject it.
      oracle.isForgotten(uid, id);
    if (isWaiting && isInBase && !mayBeInBoth) {
      return `${phone.name}: ${change.kind} ${id} is in both the outbox and the base`;
    }
    const isAppliedBeforeFirstPull = ver !== undefined && base === undefined;
    const isSomewhere = isWaiting || isInBase || isAppliedBeforeFirstPull;
    if (!isSomewhere && !oracle.isLost(uid, id)) {
      return `${phone.name}: ${change.kind} ${id} is in neither the outbox nor the base`;
    }
  }
  if (waiting.size > 0) {
    return `${phone.name} holds changes that it never stored: ${[...waiting].join()}`;
  }
  return null;
}

/** Checks a phone whenever a transaction of one of its databases has completed. */
export function checkCommitted(
  phone: CheckedPhone,
  before: StoredRows,
  now: StoredRows,
  database: string,
): void {
  const { bases, outbox, rejected } = now;
  const { oracle, verdicts } = phone.world;
  checkSession(phone, before, now);
  checkCatalogue(phone, before, now);
  if (bases === before.bases && outbox === before.outbox && rejected === before.rejected) return;
  const waiting = new Set(outbox.map(({ id }) => id));
  for (const { id, uid } of before.outbox) {
    // The server may have acknowledged the change while its tab kept data in memory. Then the change leaves the
    // device's outbox once the tab returns to the device.
    if (waiting.has(id) || oracle.acknowledged.has(id)) continue;
    // The change was moved from memory to the device.
    if (database !== DEVICE && phone.storage.everInOutbox.has(id)) continue;
    oracle.acknowledged.add(id);
    // An answer from before a restore may have said that the change was applied.
    const wasRejected = oracle.applied(uid, id)?.outcome === 'rejected' && !oracle.isLost(uid, id);
    if (wasRejected && !rejected.some((row) => row.id === id)) {
      verdicts.break(5, `${phone.name}: ${id} was rejected, and the phone does not list it`);
    }
  }
  // A database in memory does not hold what other tabs have stored on the device since.
  if (database !== DEVICE) return;
  const users = new Set([...outbox, ...before.outbox, ...bases].map(({ uid }) => uid));
  for (const uid of users) {
    const isOwn = (row: { readonly uid: string }) => row.uid === uid;
    checkShown(phone, uid, bases.find(isOwn), outbox.filter(isOwn));
  }
}

/** Invariant 10: a session that the auth service would still renew must not become `ended`. */
function checkSession({ name, world }: CheckedPhone, before: StoredRows, now: StoredRows): void {
  const { auth, verdicts } = world;
  if (before.meta === now.meta) return;
  const shopperOf = ({ meta }: StoredRows) => {
    const row = meta.find(({ key }) => key === 'shopper');
    return row?.key === 'shopper' ? row : null;
  };
  const shopperBefore = shopperOf(before);
  const shopperNow = shopperOf(now);
  if (shopperBefore?.session !== 'live' || shopperNow?.session !== 'ended') return;
  if (shopperNow.uid !== shopperBefore.uid) return;
  const stored = before.session.map(({ value }) => refreshTokenOf(value)).find(Boolean);
  if (stored === undefined || !auth.wouldRenew(stored)) return;
  verdicts.break(10, `${name} ends the session of ${shopperBefore.uid}, which is good`);
}

/** Invariant 13: no old answer brings back an older version of the catalogue. */
function checkCatalogue({ name, world }: CheckedPhone, before: StoredRows, now: StoredRows): void {
  if (world.hasBeenRestored) return;
  const versionIn = ({ meta }: StoredRows) => {
    const row = meta.find(({ key }) => key === 'catalogue');
    return row?.key === 'catalogue' ? row.version : null;
  };
  const [stored, next] = [versionIn(before), versionIn(now)];
  if (!stored || !next || next.epoch !== stored.epoch || next.ver >= stored.ver) return;
  world.verdicts.break(13, `${name} goes back from catalogue ${stored.ver} to ${next.ver}`);
}

/** @param session the text that auth-js stores */
function refreshTokenOf(session: string): string | undefined {
  try {
    return (JSON.parse(session) as { refresh_token?: string }).refresh_token;
  } catch {
    return undefined;
  }
}
