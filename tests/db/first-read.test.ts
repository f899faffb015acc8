/** The first read of the database without Dexie finds the same as Dexie does. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  appendChanges,
  readResult,
  readChunks,
  readState,
  recordResult,
} from '../../src/db/catalogue-log.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { type FirstRead, readFirst } from '../../src/db/first-read.ts';
import { openForReading } from '../../src/db/plain-read.ts';
import { DATABASE } from '../../src/db/names.ts';
import { enqueueIn } from '../../src/db/outbox.ts';
import { deviceId, readShopperState, recordSaveResult } from '../../src/db/shopper-data.ts';
import { ANNA, BERTA, END_OF_LOAD, productRow, rejectedRow, storePages } from './catalogue.ts';

let factory: IDBFactory;
let db: WeftDatabase;

beforeEach(() => {
  // No test depends on how fast the machine answers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  factory = new IDBFactory();
  vi.stubGlobal('indexedDB', factory);
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  db = new WeftDatabase({ indexedDB: factory, IDBKeyRange });
});
afterEach(() => {
  db.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let ids = 0;
const newId = () => `change-${(ids += 1)}`;

/** What Dexie reads for the screens. */
async function readByDexie(): Promise<FirstRead> {
  const state = await readState(db);
  return {
    chunks: state ? await readChunks(db, state.generation, 0) : [],
    tables: { state, result: await readResult(db), shopper: await readShopperState(db) },
  };
}

/** What the first read returns. */
async function readPlainly(): Promise<FirstRead> {
  const plain = await openForReading();
  if (!plain) throw new Error('no database yet');
  try {
    return await readFirst(plain);
  } finally {
    plain.close();
  }
}

async function signIn(uid: string): Promise<void> {
  await db.meta.put({ key: 'shopper', uid, email: 'anna@weft.test', session: 'live' });
}

/** A version of the database above this build's, which is 10: IndexedDB's version is Dexie's times ten. */
const NEWER_VERSION = 20;
/** Version of the stored catalogue. `storePages` makes it the number of the load's generation too. */
const VERSION = 7;

test('the first screen is read as Dexie reads it: products, unsaved changes, rejected changes', async () => {
  // A whole catalogue of two chunks, and a third chunk with changes.
  const pages = [[productRow(1), productRow(2)], [productRow(3)], END_OF_LOAD];
  await storePages(db, VERSION, pages);
  const atVersion = (ver: number) => ({ epoch: 'one', ver, stamp: String(ver) });
  const changes = { rows: [productRow(2)], removed: [1] };
  await appendChanges(db, atVersion(VERSION), changes, atVersion(VERSION + 2));
  // A second load has begun, so screens do not read its chunk yet. Its generation is any later number.
  await storePages(db, VERSION + 1, [[productRow(5)]], atVersion(VERSION + 2));
  await recordResult(db, { kind: 'offline' });
  await deviceId(db);
  for (const uid of [BERTA, ANNA]) {
    await signIn(uid);
    const cart = [{ productId: 2, quantity: 3, priceWhenAdded: 9 }];
    await db.bases.put({ uid, ver: 4, stamp: 'four', cart, favourites: [2] });
    for (const productId of [1, 2]) {
      await enqueueIn(db, uid, [{ kind: 'cart.add', args: { productId, by: 1 } }], newId);
    }
    await db.rejected.put(rejectedRow(uid, `rejected-${uid}`));
  }
  await recordSaveResult(db, ANNA, 'offline');
  const first = await readPlainly();
  expect(first).toEqual(await readByDexie());
  expect(first.chunks).toHaveLength(3);
  const shopper = first.tables?.shopper;
  expect(shopper?.pending).toHaveLength(2);
  expect(shopper?.rejected).toHaveLength(1);
  expect(shopper?.result?.outcome).toBe('offline');
});

test('a failed save of another shopper is not read', async () => {
  await signIn(ANNA);
  await recordSaveResult(db, BERTA, 'failed');
  const first = await readPlainly();
  expect(first).toEqual(await readByDexie());
  expect(first.tables?.shopper?.result).toBeUndefined();
});

test('reading on a new phone finds nothing and creates nothing', async () => {
  expect(await openForReading()).toBeNull();
  const created = vi.fn<(event: IDBVersionChangeEvent) => void>();
  (await openVersion(1, created)).close();
  expect(created.mock.calls[0]?.[0].oldVersion).toBe(0);
});

test('a database that a newer build has made is left to Dexie', async () => {
  (await openVersion(NEWER_VERSION)).close();
  await expect(readPlainly()).rejects.toThrow('another version');
  expect((await factory.databases()).map(({ version }) => version)).toEqual([NEWER_VERSION]);
});

test('products that do not answer are given up after a second', async () => {
  await signIn(ANNA);
  const plain = await openForReading();
  const silent = () => ({});
  const silentStore = { count: silent, getAll: silent };
  vi.spyOn(plain!, 'transaction').mockReturnValue({ objectStore: () => silentStore } as never);
  const reading = expect(readFirst(plain!)).rejects.toThrow('no answer within 1000 ms');
  await vi.advanceTimersByTimeAsync(1000);
  await reading;
  plain?.close();
});

test('reading the first screen blocks no upgrade', async () => {
  await signIn(ANNA);
  db.close();
  const reading = readPlainly();
  (await openVersion(NEWER_VERSION)).close();
  expect((await reading).tables?.shopper?.shopper.uid).toBe(ANNA);
});

/** Opens the database with plain IndexedDB. */
function openVersion(
  version: number,
  onUpgrade: (event: IDBVersionChangeEvent) => void = () => undefined,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = factory.open(DATABASE.name, version);
    opening.addEventListener('upgradeneeded', onUpgrade);
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(new Error('not opened')));
  });
}
