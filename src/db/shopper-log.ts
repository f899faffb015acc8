/**
 * One shopper's data on this phone: what the server last said (`bases`) and what the shopper has
 * done since (`outbox`). Screens show the one folded with the other; nothing else is stored.
 *
 * A change enters the outbox in one transaction and leaves it only in the transaction that brings
 * the base which already contains it. So each is always in exactly one of the two.
 */
import Dexie, { type Table } from 'dexie';
import {
  type Change,
  type ChangeAction,
  CHANGE_SCHEMA,
  foldChanges,
  NOTHING,
  type ShopperData,
} from '../domain/change.ts';
import type { OutboxRow, SaveAttempt, ShopperBase, ShopperRow, WeftDatabase } from './database.ts';
import type { ShopperState } from './shopper-store.ts';

/** What the server answers to a pull. */
export interface Pulled {
  readonly uid: string;
  readonly device: string;
  readonly ver: number;
  /** The version's random name; null where the server gives none. */
  readonly stamp: string | null;
  /** Null when nothing has changed since the version that was asked about. */
  readonly data: ShopperData | null;
  /** Ids of the asked-about changes that the server has dealt with. */
  readonly acks: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly message: string }[];
}

/** Makes ids and tells the time; arguments, so that a test can hold them still. */
export interface IdAndClock {
  readonly newId: () => string;
  readonly now: () => Date;
}

/** Version that a phone asks about; null before its first pull. */
export type Since = Pick<ShopperBase, 'ver' | 'stamp'> | null;

export async function readShopper(db: WeftDatabase): Promise<ShopperRow | undefined> {
  const row = await db.meta.get('shopper');
  return row?.key === 'shopper' ? row : undefined;
}

/** Null when nobody is signed in. */
export function readShopperState(db: WeftDatabase): Promise<ShopperState | null> {
  return db.transaction('r', db.meta, db.bases, db.outbox, db.refused, async () => {
    const shopper = await readShopper(db);
    if (!shopper) return null;
    const { uid } = shopper;
    const attempt = await db.meta.get('save-attempt');
    return {
      shopper,
      base: await db.bases.get(uid),
      pending: await readPending(db, uid),
      rejected: await db.refused.where('uid').equals(uid).toArray(),
      attempt: attempt?.key === 'save-attempt' && attempt.uid === uid ? attempt : undefined,
    };
  });
}

/** The changes that wait, in the order they were made. */
export function readPending(db: WeftDatabase, uid: string): PromiseLike<OutboxRow[]> {
  return db.outbox.where('[uid+seq]').between([uid, Dexie.minKey], [uid, Dexie.maxKey]).toArray();
}

/** This phone's id, made when it is first needed. */
export function deviceId(db: WeftDatabase, newId: () => string): Promise<string> {
  return db.transaction('rw', db.meta, async () => {
    const row = await db.meta.get('device');
    if (row?.key === 'device') return row.id;
    const id = newId();
    await db.meta.put({ key: 'device', id });
    return id;
  });
}

/** Changes, or how they follow from what the shopper's data are at that very moment. */
export type Mutation = readonly ChangeAction[] | ((shown: ShopperData) => readonly ChangeAction[]);

/**
 * Puts changes behind the others of this shopper, all or none; resolves once they are durable.
 * Does nothing and answers false when somebody else, or nobody, is signed in by then.
 *
 * @param isWanted asked when the storage has answered: false leaves all as it is
 */
export function enqueue(
  db: WeftDatabase,
  uid: string,
  mutation: Mutation,
  idAndClock: IdAndClock,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.bases, db.outbox, async () => {
    if ((await readShopper(db))?.uid !== uid) return false;
    const actions = typeof mutation === 'function' ? mutation(await readShown(db, uid)) : mutation;
    if (isWanted()) await append(db, uid, actions, idAndClock);
    return true;
  });
}

/** Asks for a rejected change once more, under a new id, if it still lies there. */
export function retryRejected(
  db: WeftDatabase,
  id: string,
  idAndClock: IdAndClock,
): Promise<boolean> {
  return db.transaction('rw', db.meta, db.outbox, db.refused, async () => {
    const row = await db.refused.get(id);
    if (!row || (await readShopper(db))?.uid !== row.uid) return false;
    await db.refused.delete(id);
    await append(db, row.uid, [row.change], idAndClock);
    return true;
  });
}

async function readShown(db: WeftDatabase, uid: string): Promise<ShopperData> {
  const pending = await readPending(db, uid);
  const base = await db.bases.get(uid);
  return foldChanges(
    base ?? NOTHING,
    pending.map(({ change }) => change),
  );
}

async function append(
  db: WeftDatabase,
  uid: string,
  actions: readonly ChangeAction[],
  { newId, now }: IdAndClock,
): Promise<void> {
  const rows = actions.map((action) => {
    const change: Change = {
      ...action,
      id: newId(),
      schema: CHANGE_SCHEMA,
      madeAt: now().toISOString(),
    };
    return { uid, id: change.id, change };
  });
  const [row, ...others] = rows;
  if (!row || others.length > 0) {
    await db.outbox.bulkAdd(rows);
    return;
  }
  const adding = db.outbox.add(row);
  // Nothing follows: a page that freezes before it hears of the row holds the tables no longer.
  Dexie.currentTransaction.idbtrans.commit?.();
  await adding;
}

/**
 * Takes in what a pull brought, in one transaction, or nothing of it (`stale`): an answer for
 * another shopper or phone, one that another tab's newer answer has overtaken, one that says "as
 * before" about a version that is no longer here, or one that was not `asked` about a change that
 * waits here. Another tab may have sent that change before the server answered: it would be in the
 * base and in the outbox.
 *
 * While the base is the version that was asked about, the server's rows hold whatever their version:
 * a lower one, or the same one under another stamp, comes from a server that was restored.
 */
export function applyPull(
  db: WeftDatabase,
  since: Since,
  asked: readonly string[],
  pulled: Pulled,
): Promise<'applied' | 'stale'> {
  const { uid, device, ver, stamp, data } = pulled;
  return db.transaction('rw', db.meta, db.bases, db.outbox, db.refused, async () => {
    const own = await db.meta.get('device');
    if (own?.key !== 'device' || own.id !== device) return 'stale';
    if ((await readShopper(db))?.uid !== uid) return 'stale';
    const base = await db.bases.get(uid);
    if (data) {
      if (base && !isSameVersion(base, since) && !isNewer(pulled, base)) return 'stale';
      const known = new Set(asked);
      if ((await readPending(db, uid)).some(({ id }) => !known.has(id))) return 'stale';
      await db.bases.put({ uid, ver, stamp, cart: data.cart, favourites: data.favourites });
    } else if (base?.ver !== ver || (base.stamp ?? stamp) !== stamp) {
      return 'stale';
    } else if (base.stamp !== stamp) {
      await db.bases.put({ ...base, stamp });
    }
    await settle(db, pulled);
    return 'applied';
  });
}

function isSameVersion(base: ShopperBase, since: Since): boolean {
  return base.ver === since?.ver && base.stamp === since.stamp;
}

function isNewer(pulled: Pulled, base: ShopperBase): boolean {
  return pulled.ver > base.ver || (pulled.ver === base.ver && pulled.stamp === base.stamp);
}

/** Drops what the server has, and parks what it will never take where the shopper sees it. */
async function settle(db: WeftDatabase, { uid, acks, rejected }: Pulled): Promise<void> {
  if (acks.length === 0) return;
  const rows = await db.outbox
    .where('id')
    .anyOf([...acks])
    .toArray();
  const own = rows.filter((row) => row.uid === uid);
  const reasons = new Map(rejected.map(({ id, message }) => [id, message]));
  const parked = own.flatMap(({ id, change }) => {
    const message = reasons.get(id);
    return message === undefined ? [] : [{ id, uid, change, message }];
  });
  await db.refused.bulkPut(parked);
  await db.outbox.bulkDelete(own.map(({ seq }) => seq));
}

export async function recordSaveAttempt(
  db: WeftDatabase,
  uid: string,
  outcome: SaveAttempt['outcome'],
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const last = await db.meta.get('save-attempt');
    if (last?.key === 'save-attempt' && last.uid === uid && last.outcome === outcome) return;
    await db.meta.put({ key: 'save-attempt', uid, outcome });
  });
}

/** The shopper has seen why; the change is over. */
export async function dismissRejected(db: WeftDatabase, ids: readonly string[]): Promise<void> {
  await db.refused.bulkDelete([...ids]);
}

/** Where the parts of a shopper's data lie that a logout removes. */
export function forgettable(db: WeftDatabase): Table[] {
  return [db.meta, db.bases, db.refused, db.orders, db.drafts, db.running];
}

/**
 * At a logout: nothing of the shopper stays on the phone but what is not saved yet. Rejections go
 * too; whoever logs out is told of them first (`countOpen`).
 */
export async function forgetShopperData(db: WeftDatabase, uid: string): Promise<void> {
  await db.transaction('rw', forgettable(db), async () => {
    for (const table of [db.bases, db.orders, db.drafts, db.running]) await table.delete(uid);
    await db.refused.where('uid').equals(uid).delete();
    await db.meta.delete('save-attempt');
  });
}
