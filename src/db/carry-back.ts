/**
 * What a shopper has on the device, taken to memory when the device fails and carried back when it
 * answers again. Other tabs may have gone on with the device meanwhile, so each row is merged by
 * three: as it was taken, as it is in memory, as it is on the device. Changes are never lost and
 * never doubled: they go by their ids.
 */
import type { OutboxRow, ShopperBase, ShopperRow, WeftDatabase } from './database.ts';
import { lateIds } from './late-change.ts';
import { withTimeout } from './open.ts';
import { SESSION_KEY } from './session-key.ts';
import { forgetShopperData, readShopperState } from './shopper-log.ts';

const TABLES = [
  'meta',
  'session',
  'bases',
  'outbox',
  'refused',
  'orders',
  'drafts',
  'running',
] as const;
/** The rows of one shopper, each with a key of its own. */
const OF_SHOPPER = ['refused', 'orders', 'drafts', 'running'] as const;
/** The catalogue has a home of its own. */
const CATALOGUE_KEYS = ['catalogue', 'catalogue-attempt'];

type Row = object;

/** By table, each row under its primary key. */
export type Rows = Readonly<Record<(typeof TABLES)[number], ReadonlyMap<string | number, Row>>>;

const NONE: ReadonlyMap<string | number, Row> = new Map();
const NO_ROWS: Rows = {
  meta: NONE,
  session: NONE,
  bases: NONE,
  outbox: NONE,
  refused: NONE,
  orders: NONE,
  drafts: NONE,
  running: NONE,
};

/** All that is not the catalogue, in one transaction. */
export function readRows(db: WeftDatabase): Promise<Rows> {
  return db.transaction('r', [...TABLES], () => rowsOf(db));
}

/** What reads or writes a few rows and takes longer than this is held up by something. */
export const ANSWER_MS = 4000;

export function canBeRead(db: WeftDatabase): Promise<boolean> {
  return withTimeout(readRows(db), ANSWER_MS).then(
    () => true,
    () => false,
  );
}

/**
 * Of the signed-in shopper, what is needed to go on without the device; null when nobody is. Short,
 * for it is read after every tap.
 */
export function readSeen(db: WeftDatabase) {
  return db.transaction('r', db.meta, db.session, db.bases, db.outbox, db.refused, async () => {
    const state = await readShopperState(db);
    if (!state) return { state, rows: null };
    const { shopper, base, pending, rejected } = state;
    const device = await db.meta.get('device');
    const rows: Rows = {
      ...NO_ROWS,
      meta: new Map([shopper, ...(device ? [device] : [])].map((row) => [row.key, row])),
      session: new Map((await db.session.toArray()).map((row) => [row.key, row])),
      bases: new Map(base && [[base.uid, base]]),
      outbox: new Map(pending.map((row) => [row.seq, row])),
      refused: new Map(rejected.map((row) => [row.id, row])),
    };
    return { state, rows };
  });
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

/** As they were taken from a device where nobody is signed in. What is not saved stays. */
export function withoutShopper({ meta, outbox }: Rows): Rows {
  const left = [...meta].filter(([key]) => key !== 'shopper');
  return { ...NO_ROWS, meta: new Map(left), outbox };
}

/** Makes these rows all that a database in memory has of a shopper. */
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

/**
 * Brings what was done in memory to the device, in one transaction that also shows that the device
 * can be written. `taken` is what memory was filled with; null when nothing could be read then.
 */
export function carryBack(device: WeftDatabase, taken: Rows | null, now: Rows): Promise<void> {
  return device.transaction('rw', [...TABLES], async () => {
    await device.drafts.put({ uid: PROBE, fields: {} });
    await device.drafts.delete(PROBE);
    const there = await rowsOf(device);
    // Another device id, or none: the storage was emptied meanwhile, and nothing of it was settled.
    const isOther = !isEqual(there.meta.get('device'), taken?.meta.get('device'));
    const before = isOther ? null : taken;
    const isEmptied = isOther && taken !== null;
    const uid =
      (isEmptied && shopperIn(there)?.uid) || (await carryShopper(device, before, now, there));
    const isNewer = uid !== undefined && (await carryBase(device, uid, before, now, there));
    await carryChanges(device, isNewer ? uid : undefined, before, now, there);
    if (uid === undefined) return;
    for (const name of OF_SHOPPER) await carryRows(device, name, uid, before, now, there);
  });
}

/** No shopper's id. */
const PROBE = '';

/** Who is signed in, and the session: what this tab did counts unless another tab did something too. */
async function carryShopper(
  device: WeftDatabase,
  taken: Rows | null,
  now: Rows,
  there: Rows,
): Promise<string | undefined> {
  const [was, is, other] = [taken, now, there].map((rows) => shopperIn(rows));
  const session = (rows: Rows | null) => rows?.session.get(SESSION_KEY);
  const isUntouched = other?.uid === was?.uid && isEqual(session(there), session(taken));
  const isOurs = is?.uid !== was?.uid || !isEqual(session(now), session(taken));
  if (!isOurs || (taken !== null && !isUntouched)) return other?.uid;
  // Nothing was taken: another tab has brought this session, which may be good though ours has ended.
  if (taken === null && is?.session === 'ended' && other?.session === 'live') return other.uid;
  if (other && other.uid !== is?.uid) await forgetShopperData(device, other.uid);
  await device.session.clear();
  if (!is) {
    await device.meta.delete('shopper');
    return undefined;
  }
  await device.table<Row>('session').bulkPut([...now.session.values()]);
  await device.meta.put(is);
  const own = now.meta.get('device');
  if (own && !there.meta.has('device')) await device.table<Row>('meta').put(own);
  return is.uid;
}

/** True when the device has now what the server said to memory. */
async function carryBase(
  device: WeftDatabase,
  uid: string,
  taken: Rows | null,
  now: Rows,
  there: Rows,
): Promise<boolean> {
  const [was, base, other] = [taken, now, there].map(
    (rows) => rows?.bases.get(uid) as ShopperBase | undefined, // what `database.ts` keeps there
  );
  if (!base) return false;
  if (isEqual(base, other)) return true;
  if (isEqual(base, was)) return false;
  if (other && !isEqual(other, was) && other.ver >= base.ver) return false;
  // Memory never asked about what another tab made: it may be in this base already.
  const asked = new Set([...changesIn(taken), ...changesIn(now)].map(({ id }) => id));
  if (changesIn(there).some((row) => row.uid === uid && !asked.has(row.id))) return false;
  await device.bases.put(base);
  return true;
}

/** Changes behind those of the device, in their order; `settledOf`: whose acknowledgements count. */
async function carryChanges(
  device: WeftDatabase,
  settledOf: string | undefined,
  taken: Rows | null,
  now: Rows,
  there: Rows,
): Promise<void> {
  const known = new Set([...changesIn(taken), ...changesIn(there)].map(({ id }) => id));
  const late = lateIds();
  // Taken from the device, or out of the late ones, and no longer there: another tab has had it
  // acknowledged.
  const made = changesIn(now).filter(
    ({ id, isLate }) => !known.has(id) && (!isLate || late.has(id)),
  );
  await device.outbox.bulkAdd(made.map(({ uid, id, change }) => ({ uid, id, change })));
  const waiting = new Set(changesIn(now).map(({ id }) => id));
  const settled = changesIn(taken).filter(({ id, uid }) => uid === settledOf && !waiting.has(id));
  await device.outbox
    .where('id')
    .anyOf(settled.map(({ id }) => id))
    .delete();
}

async function carryRows(
  device: WeftDatabase,
  name: (typeof OF_SHOPPER)[number],
  uid: string,
  taken: Rows | null,
  now: Rows,
  there: Rows,
): Promise<void> {
  const table = device.table<Row, string | number>(name);
  for (const key of new Set([...now[name].keys(), ...(taken?.[name].keys() ?? [])])) {
    const [was, is, other] = [taken?.[name].get(key), now[name].get(key), there[name].get(key)];
    if (isEqual(is, was) || !isEqual(other, was)) continue;
    if (!is) await table.delete(key);
    else if ((is as { uid?: unknown }).uid === uid) await table.put(is);
  }
}

function shopperIn(rows: Rows | null): ShopperRow | undefined {
  return rows?.meta.get('shopper') as ShopperRow | undefined; // what `database.ts` keeps under the key
}

function changesIn(rows: Rows | null): readonly OutboxRow[] {
  return [...(rows?.outbox.values() ?? [])] as OutboxRow[]; // in the order of their keys
}

/** Rows are plain data, and a copy keeps the order of its fields. */
function isEqual(a: Row | undefined, b: Row | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
