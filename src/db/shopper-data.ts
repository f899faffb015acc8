/**
 * One shopper's data on this phone: the server's last answer (`bases`) and the shopper's changes since
 * (`outbox`). Screens show the base with the outbox applied to it (`foldChanges`).
 * A tap adds a change to the outbox. A push sends it but does not remove it. A pull answers rows and
 * acknowledgements; `applyPull` stores the rows and deletes the acknowledged changes in one
 * transaction. So screens count each change once.
 */
import Dexie, { type Table } from 'dexie';
import type { Pulled, Since } from '../domain/change.ts';
import type { OutboxRow, SaveResult, ShopperBase, ShopperRow, WeftDatabase } from './database.ts';
import type { ShopperState } from './shopper-store.ts';

export function readShopper(db: WeftDatabase): Promise<ShopperRow | undefined> {
  return db.meta.get('shopper');
}

/** A shopper's unacknowledged changes, in the order they were made. */
export function readPending(db: WeftDatabase, uid: string): PromiseLike<OutboxRow[]> {
  return db.outbox.where('[uid+seq]').between([uid, Dexie.minKey], [uid, Dexie.maxKey]).toArray();
}

/** The version of a shopper's data that this phone pulled last, also before a logout; 0 before the first pull. */
export async function readBaseVer(db: WeftDatabase, uid: string): Promise<number> {
  const [base, device] = await Promise.all([db.bases.get(uid), db.meta.get('device')]);
  return base?.ver ?? device?.lastVers?.[uid] ?? 0;
}

/** Reads what screens show of the shopper; null when signed out. */
export function readShopperState(db: WeftDatabase): Promise<ShopperState | null> {
  return db.transaction('r', db.meta, db.bases, db.outbox, db.rejected, async () => {
    const shopper = await readShopper(db);
    if (!shopper) return null;
    const { uid } = shopper;
    const result = await db.meta.get('save-result');
    return {
      shopper,
      base: await db.bases.get(uid),
      pending: await readPending(db, uid),
      rejected: await db.rejected.where('uid').equals(uid).toArray(),
      result: result?.uid === uid ? result : undefined,
    };
  });
}

/** This phone's id. The first call makes it. */
export function deviceId(db: WeftDatabase): Promise<string> {
  return db.transaction('rw', db.meta, async () => {
    const row = await db.meta.get('device');
    if (row) return row.id;
    const id = crypto.randomUUID();
    await db.meta.put({ key: 'device', id });
    return id;
  });
}

/**
 * Stores the answer to a pull, in one transaction. Stores nothing and returns `stale` if
 * - another shopper or device id is on this phone now,
 * - another tab has stored a newer answer,
 * - the answer says "unchanged" about a version that is no longer the base, or
 * - it brings rows, and the outbox has a change that is not in `asked`: another tab may have sent it
 *   meanwhile, so it would count twice.
 *
 * If the base still is `since`, rows of any version are stored: a lower version, or the same version with
 * another stamp, comes from a server that was restored from a backup.
 *
 * @param asked ids of the changes that the pull named
 */
export function applyPull(
  db: WeftDatabase,
  since: Since,
  asked: readonly string[],
  pulled: Pulled,
): Promise<'applied' | 'stale'> {
  const { uid, device, ver, stamp, data } = pulled;
  return db.transaction('rw', db.meta, db.bases, db.outbox, db.rejected, async () => {
    if ((await db.meta.get('device'))?.id !== device) return 'stale';
    if ((await readShopper(db))?.uid !== uid) return 'stale';
    const base = await db.bases.get(uid);
    if (data) {
      if (base && !isSameVersion(base, since) && !isSameOrNewer(pulled, base)) return 'stale';
      const askedIds = new Set(asked);
      if ((await readPending(db, uid)).some(({ id }) => !askedIds.has(id))) return 'stale';
      await db.bases.put({ ...base, uid, ver, stamp, ...data });
    } else if (base?.ver !== ver || base.stamp !== stamp) {
      return 'stale';
    }
    await settle(db, pulled);
    return 'applied';
  });
}

function isSameVersion(base: ShopperBase, since: Since): boolean {
  return base.ver === since?.ver && base.stamp === since.stamp;
}

function isSameOrNewer(pulled: Pulled, base: ShopperBase): boolean {
  return pulled.ver > base.ver || (pulled.ver === base.ver && pulled.stamp === base.stamp);
}

/** Deletes acknowledged changes. Those that the server rejected move to `rejected`, where the shopper sees them. */
async function settle(db: WeftDatabase, { uid, acks, rejected }: Pulled): Promise<void> {
  if (acks.length === 0) return;
  const rows = await db.outbox
    .where('id')
    .anyOf([...acks])
    .toArray();
  const ofShopper = rows.filter((row) => row.uid === uid);
  const reasons = new Map(rejected.map(({ id, message }) => [id, message]));
  const parked = ofShopper.flatMap(({ id, change }) => {
    const message = reasons.get(id);
    return message === undefined ? [] : [{ id, uid, change, message }];
  });
  await db.rejected.bulkPut(parked);
  await db.outbox.bulkDelete(ofShopper.map(({ seq }) => seq));
}

export async function recordSaveResult(
  db: WeftDatabase,
  uid: string,
  outcome: SaveResult['outcome'],
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const last = await db.meta.get('save-result');
    if (last?.uid === uid && last.outcome === outcome) return;
    await db.meta.put({ key: 'save-result', uid, outcome });
  });
}

/** The tables that `forgetShopperData` writes to. */
export function forgettable(db: WeftDatabase): Table[] {
  return [db.meta, db.bases, db.rejected, db.orders, db.staff, db.drafts, db.running];
}

/**
 * Deletes a shopper's data at a logout, except unsaved changes. The logout dialog names the rejected
 * changes that this deletes (`countOpen`).
 */
export async function forgetShopperData(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', forgettable(db), async () => {
    // For the changes between the next login and its first pull: the server rejects a change whose version is too old.
    const device = await db.meta.get('device');
    const lastVers = { ...device?.lastVers, [uid]: await readBaseVer(db, uid) };
    if (device) await db.meta.put({ ...device, lastVers });
    for (const table of [db.bases, db.orders, db.staff, db.drafts, db.running]) {
      await table.delete(uid);
    }
    await db.rejected.where('uid').equals(uid).delete();
    await db.meta.delete('save-result');
  });
}
