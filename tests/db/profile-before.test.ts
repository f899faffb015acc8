/** This build and an earlier one open each other's browser profiles. */
import Dexie from 'dexie';
import { IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { applyPull, enqueue, readPending } from '../../src/db/shopper-log.ts';
import { readWaiting } from '../../src/db/waiting-read.ts';
import { parseSession } from '../../src/remote/auth/session.ts';
import { device, loadTab, plugInDeviceBeforeEach, type Tab, until } from './tab.ts';
import { ANNA, DEVICE, readProfile, SHOP, writeProfile } from './profile-before.ts';

/** The version as IndexedDB counts it: Dexie's times ten. */
const SHOP_VERSION = 30;

let tab: Tab;

plugInDeviceBeforeEach({ stopsTimers: false });
beforeEach(async () => {
  // An error in the background fails the test.
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error;
  });
  await writeProfile(device.factory);
  tab = await loadTab();
});

async function openShop(): Promise<void> {
  await tab.connection.open();
  await tab.feedStores();
}

/** The database as the build before opens it. */
function openBefore(): Dexie {
  const db = new Dexie('weft', { indexedDB: device.factory, IDBKeyRange });
  db.version(1).stores({ chunks: '[generation+seq]', meta: 'key' });
  db.version(2).stores({
    session: 'key',
    bases: 'uid',
    outbox: '++seq, [uid+seq], id',
    refused: 'id, uid',
  });
  db.version(3).stores({ orders: 'uid', drafts: 'uid', running: 'uid' });
  return db;
}

test('a phone that the build before has used shows everything at its first screen', async () => {
  expect(await tab.fillStores()).toBe(true);
  const view = tab.shopperStore.snapshot();
  expect(view?.shopper.email).toBe('anna@weft.test');
  expect(view?.data.cart.map(({ productId, quantity }) => [productId, quantity])).toEqual([
    [1, 5],
    [2, 1],
  ]);
  expect(view?.data.favourites).toEqual([]);
  expect(view?.rejected).toEqual(SHOP.refused);
  expect(view?.unsaved).toBe(3);
  expect(tab.catalogueStore.snapshot()?.index.size).toBe(2);
});

test('opening the profile loses and changes nothing, and leaves the database open to the build before', async () => {
  await openShop();
  await until(() => tab.shopperStore.snapshot()?.unsaved === 3);
  tab.connection.db.close();
  const { version, rows } = await readProfile(device.factory, 'weft');
  expect(version).toBe(SHOP_VERSION);
  expect(rows).toEqual(SHOP);
});

test('the session of the build before is valid, and the service worker finds the unsaved changes', async () => {
  const waiting = await readWaiting();
  expect(waiting?.changes.map(({ id }) => id)).toEqual(['c-3', 'c-4', 'c-6']);
  expect(parseSession(waiting?.session ?? null)).toMatchObject({
    uid: ANNA,
    refreshToken: 'v3ry-s3cr3t',
  });
});

test('unsaved changes are acknowledged as before, those of another account stay, and a rejected one can be tried again', async () => {
  await openShop();
  const { db } = tab.connection;
  const ids = (await readPending(db, ANNA)).map(({ id }) => id);
  const answer = { uid: ANNA, device: DEVICE, ver: 9, acks: ids, rejected: [] };
  const data = { cart: [{ productId: 1, quantity: 5, priceWhenAdded: 48.5 }], favourites: [] };
  const base = await db.bases.get(ANNA);
  expect(base).toEqual(SHOP.bases[0]); // without a stamp, because that build stored none
  await applyPull(db, base ?? null, ids, { ...answer, data, stamp: crypto.randomUUID() });
  expect((await db.outbox.toArray()).map(({ id }) => id)).toEqual(['c-5']);
  expect(await tab.changeAgain('c-1')).toBe('done');
  db.close();
});

test('the build before, deployed again, reads what this build has written', async () => {
  await openShop();
  const { db } = tab.connection;
  const idAndClock = { newId: () => 'c-7', now: () => new Date(0) };
  await enqueue(db, ANNA, [{ kind: 'cart.add', args: { productId: 1, by: 1 } }], idAndClock);
  db.close();
  const before = openBefore();
  await before.open();
  expect(before.backendDB().version).toBe(SHOP_VERSION);
  const changesOfAnna = before.table('outbox').where('[uid+seq]').between([ANNA, 0], [ANNA, 99]);
  expect(await changesOfAnna.count(), 'three of that build, and c-7').toBe(4);
  expect(await before.table('meta').toArray()).toHaveLength(SHOP.meta.length);
  before.close();
});

test('both builds in two tabs: neither blocks the other, and each sees the other’s changes', async () => {
  const before = openBefore();
  await before.open();
  await openShop();
  const change = { kind: 'cart.add', args: { productId: 2, by: 1 }, id: 'c-8', schema: 1 };
  await before.table('outbox').add({ uid: ANNA, id: 'c-8', change });
  await until(() => tab.shopperStore.snapshot()?.unsaved === 4);
  expect(before.isOpen()).toBe(true);
  before.close();
  tab.connection.db.close();
});
