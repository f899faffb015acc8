/**
 * Copies a shopper's rows to memory when the device fails, and merges them back when it answers again.
 * Other tabs may have written to the device meanwhile, so this is a three-way merge: `ancestor` is
 * what memory was filled with, `ours` is memory now, `theirs` is the device now. A row that another
 * tab changed stays as it is, but for a base, of which the newer one wins. Outbox changes are merged by id, so no
 * change is lost or doubled. Of `meta` only the shopper and the device's id go back: the other rows only save
 * work, or a count on screen until the next pull.
 */
import { CATALOGUE_KEYS } from './catalogue-log.ts';
import type { OutboxRow, ShopperBase, ShopperRow, WeftDatabase } from './database.ts';
import { lateIds } from './late-change.ts';
import { didSucceed, withTimeout } from './open.ts';
import { SESSION_KEY } from './schema.ts';
import { forgetShopperData } from './shopper-log.ts';

const TABLES = [
  'meta',
  'session',
  'bases',
  'outbox',
  'refused',
  'orders',
  'staff',
  'drafts',
  'running',
] as const;
/** Tables whose rows belong to one shopper and are merged one by one. */
const OF_SHOPPER = ['refused', 'orders', 'staff', 'drafts', 'running'] as const;

type Row = object;

/** Rows by table and primary key. */
export type Rows = Readonly<Record<(typeof TABLES)[number], ReadonlyMap<string | number, Row>>>;

const NONE: ReadonlyMap<string | number, Row> = new Map();
export const NO_ROWS: Rows = {
  meta: NONE,
  session: NONE,
  bases: NONE,
  outbox: NONE,
  refused: NONE,
  orders: NONE,
  staff: NONE,
  drafts: NONE,
  running: NONE,
};

/** Reads everything except the catalogue, which `catalogue-home.ts` moves, in one transaction. */
export function readAllRows(db: WeftDatabase): Promise<Rows> {
  return db.transaction('r', [...TABLES], () => rowsOf(db));
}

/** Reading or writing a few rows takes longer than this only if another tab blocks the database. */
export const ROWS_TIMEOUT_MS = 4000;

export function canBeRead(db: WeftDatabase): Promise<boolean> {
  return didSucceed(withTimeout(readAllRows(db), ROWS_TIMEOUT_MS));
}

async function rowsOf(db: WeftDatabase): Promise<Rows> {
  const entries = TABLES.map(async (name) => {
    const rows = new Map<string | number, Row>();
    await db.table<Row, string | number>(name).each((row, { primaryKey }) => {
      rows.set(primaryKey, row);
    });
    for (const key of CATALOGUE_KEYS) rows.delete(key);
    return [name, rows] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as unknown as Rows; // by each of TABLES
}

/** The rows as after a logout: without the shopper, but with unsaved changes. */
export function withoutShopper({ meta, outbox }: Rows): Rows {
  const left = [...meta].filter(([key]) => key !== 'shopper');
  return { ...NO_ROWS, meta: new Map(left), outbox };
}

/** Replaces all rows in memory, except the catalogue's; null empties them. */
export function fill(memory: WeftDatabase, rows: Rows | null): Promise<void> {
  return memory.transaction('rw', [...TABLES], async () => {
    for (const name of TABLES) {
      const table = memory.table<Row, string>(name);
      if (name === 'meta') await memory.meta.where('key').noneOf(CATALOGUE_KEYS).delete();
      else await table.clear();
      if (rows) await table.bulkPut([...rows[name].values()]);
    }
  });
}

/** The rows of the three-way merge, and the device that gets its result. */
interface Merge {
  readonly device: WeftDatabase;
  /** Null when the device could not be read before memory was filled. */
  readonly ancestor: Rows | null;
  readonly ours: Rows;
  readonly theirs: Rows;
}

/** Merges memory into the device, in one transaction; rejects if the device cannot be written. */
export function carryBack(device: WeftDatabase, ancestor: Rows | null, ours: Rows): Promise<void> {
  return device.transaction('rw', [...TABLES], async () => {
    await device.drafts.put({ uid: PROBE, fields: {} });
    await device.drafts.delete(PROBE);
    const theirs = await rowsOf(device);
    // Another device id, or none: the browser emptied the storage meanwhile. Without an ancestor, a change that
    // the device lacks does not count as acknowledged, and is written again.
    const isOtherDevice = !isEqual(theirs.meta.get('device'), ancestor?.meta.get('device'));
    const merge: Merge = { device, ancestor: isOtherDevice ? null : ancestor, ours, theirs };
    const isEmptied = isOtherDevice && ancestor !== null;
    // A shopper on an emptied device has signed in since then, which is newer than our login.
    const uid = (isEmptied && shopperIn(theirs)?.uid) || (await carryShopper(merge));
    const hasOurBase = uid !== undefined && (await carryBase(merge, uid));
    await carryChanges(merge, hasOurBase ? uid : undefined);
    if (uid === undefined) return;
    for (const name of OF_SHOPPER) await carryRows(merge, name, uid);
  });
}

/** Key of the draft that tests whether the device can be written; no shopper has this id. */
const PROBE = '';

/**
 * Writes our login, logout or new session unless another tab changed them; returns the shopper's id. Without an
 * ancestor nothing says what another tab has changed, and ours wins, because the user has just made it here.
 */
async function carryShopper(merge: Merge): Promise<string | undefined> {
  const { device, ancestor, ours, theirs } = merge;
  const [old, our, their] = [ancestor, ours, theirs].map((rows) => shopperIn(rows));
  const session = (rows: Rows | null) => rows?.session.get(SESSION_KEY);
  const haveTheyChanged = their?.uid !== old?.uid || !isEqual(session(theirs), session(ancestor));
  const haveWeChanged = our?.uid !== old?.uid || !isEqual(session(ours), session(ancestor));
  if (!haveWeChanged || (ancestor !== null && haveTheyChanged)) return their?.uid;
  // But a live session on the device is another tab's, made after ours had ended.
  if (ancestor === null && our?.session === 'ended' && their?.session === 'live') return their.uid;
  if (their && their.uid !== our?.uid) await forgetShopperData(device, their.uid);
  await device.session.clear();
  if (!our) {
    await device.meta.delete('shopper');
    return undefined;
  }
  await device.table<Row>('session').bulkPut([...ours.session.values()]);
  await device.meta.put(our);
  const deviceRow = ours.meta.get('device');
  if (deviceRow && !theirs.meta.has('device')) await device.table<Row>('meta').put(deviceRow);
  return our.uid;
}

/** Writes the base that memory has pulled, unless another tab's is newer. True if the device then has it. */
async function carryBase(merge: Merge, uid: string): Promise<boolean> {
  const { device, ancestor, ours, theirs } = merge;
  const [old, our, their] = [ancestor, ours, theirs].map(
    (rows) => rows?.bases.get(uid) as ShopperBase | undefined, // the type that `database.ts` stores there
  );
  if (!our) return false;
  if (isEqual(our, their)) return true;
  if (isEqual(our, old)) return false;
  if (their && !isEqual(their, old) && their.ver >= our.ver) return false;
  // A change of another tab waits on the device, and our pull did not ask about it. If our base contains it
  // already, screens would count it twice.
  const asked = new Set([...changesIn(ancestor), ...changesIn(ours)].map(({ id }) => id));
  if (changesIn(theirs).some((row) => row.uid === uid && !asked.has(row.id))) return false;
  await device.bases.put(our);
  return true;
}

/**
 * Appends our new changes to the device's outbox and deletes those that the server acknowledged to us.
 *
 * @param settledOf the shopper whose acknowledgements count; undefined for none
 */
async function carryChanges(merge: Merge, settledOf: string | undefined): Promise<void> {
  const { device, ancestor, ours, theirs } = merge;
  const seenIds = new Set([...changesIn(ancestor), ...changesIn(theirs)].map(({ id }) => id));
  const late = lateIds();
  // Some changes in memory are copies from the device or from the late changes (`late-change.ts`). Where the
  // original is gone, the change was acknowledged to another tab.
  const newChanges = changesIn(ours).filter(
    ({ id, isLate }) => !seenIds.has(id) && (!isLate || late.has(id)),
  );
  await device.outbox.bulkAdd(newChanges.map(({ uid, id, change }) => ({ uid, id, change })));
  const waiting = new Set(changesIn(ours).map(({ id }) => id));
  const settled = changesIn(ancestor).filter(
    ({ id, uid }) => uid === settledOf && !waiting.has(id),
  );
  await device.outbox
    .where('id')
    .anyOf(settled.map(({ id }) => id))
    .delete();
}

/** Writes the rows of a table that changed in memory only. */
async function carryRows(
  { device, ancestor, ours, theirs }: Merge,
  name: (typeof OF_SHOPPER)[number],
  uid: string,
): Promise<void> {
  const table = device.table<Row, string | number>(name);
  for (const key of new Set([...ours[name].keys(), ...(ancestor?.[name].keys() ?? [])])) {
    const [old, our, their] = [
      ancestor?.[name].get(key),
      ours[name].get(key),
      theirs[name].get(key),
    ];
    if (isEqual(our, old) || !isEqual(their, old)) continue;
    if (!our) await table.delete(key);
    else if ((our as { uid?: unknown }).uid === uid) await table.put(our);
  }
}

function shopperIn(rows: Rows | null): ShopperRow | undefined {
  return rows?.meta.get('shopper') as ShopperRow | undefined; // the type that `database.ts` stores there
}

function changesIn(rows: Rows | null): readonly OutboxRow[] {
  return [...(rows?.outbox.values() ?? [])] as OutboxRow[]; // in the order of their keys
}

/** Compares as JSON: rows are plain data, and copies keep the order of fields. */
function isEqual(a: Row | undefined, b: Row | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
