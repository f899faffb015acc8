/** A tab whose storage fails: it continues in memory, and returns to the device with all that was done. */
import { IDBDatabase as FDBDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readState } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { recordSaveAttempt } from '../../src/db/shopper-log.ts';
import { ANNA, BERTA, productRow, storePages } from './catalogue.ts';
import { freezeWithin } from './device.ts';
import {
  addOne as addOneIn,
  device,
  loadTab,
  plugInDeviceBeforeEach,
  settled,
  type Tab,
  letStorageWork,
  until,
} from './tab.ts';

const STORES = ['meta', 'session', 'bases', 'outbox', 'refused', 'orders', 'drafts', 'running'];

/** Another tab's database on the same device. */
let otherDb: WeftDatabase;
let tab: Tab;

plugInDeviceBeforeEach();
beforeEach(async () => {
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error;
  });
  tab = await loadTab();
  otherDb = new tab.WeftDatabase();
  await otherDb.open();
  await otherDb.meta.put({ key: 'device', id: 'phone-1' });
  await otherDb.meta.put({ key: 'shopper', uid: ANNA, email: 'anna@weft.test', session: 'live' });
  await otherDb.session.put({ key: 'weft-session', value: sessionOf(ANNA, 1) });
  await otherDb.bases.put({ uid: ANNA, ver: 4, stamp: 'four', cart: [], favourites: [7] });
});
afterEach(() => {
  tab.connection.db.close();
  otherDb.close();
});

/** A stored session; each renewal has a higher number. */
function sessionOf(uid: string, renewal: number): string {
  return JSON.stringify({ user: { id: uid, email: '' }, refresh_token: `r${renewal}` });
}

/** Opens the tab as the page does, with the stores fed. */
async function openTab(): Promise<void> {
  await settled(tab.connection.open().then(() => tab.feedStores()));
}

const addOne = (productId: number) => settled(addOneIn(tab, productId));

/** Makes the whole storage fail, for every tab. */
function failStorage(): void {
  const name = 'UnknownError';
  device.fail({ store: 'open', name });
  for (const store of [...STORES, 'chunks']) {
    for (const mode of ['readonly', 'readwrite'] as const) {
      device.fail({ store, mode, name });
    }
  }
}

/** Makes the storage fail, and waits until the tab works from memory. */
async function failOverToMemory(): Promise<void> {
  failStorage();
  await settled(tab.connection.recoverFrom(new DOMException('away', 'UnknownError')));
  expect(tab.connection.kept).toBe('memory');
}

/**
 * Heals the storage, and waits until the tab has tried it again and works from it.
 *
 * @param pauseMs until the next try: a second after the first failure; after many failures up to a minute
 */
async function returnToDevice(pauseMs = 1000): Promise<void> {
  device.heal();
  await vi.advanceTimersByTimeAsync(pauseMs);
  await until(() => tab.connection.kept === 'device');
}

/** The lines of the cart on screen: product and quantity. */
const shownCart = () =>
  tab.shopperStore.snapshot()?.data.cart.map(({ productId, quantity }) => [productId, quantity]);
/** The products of the changes in the device's outbox. */
const changedProducts = async () =>
  (await otherDb.outbox.toArray()).map(
    ({ change: { args } }) => 'productId' in args && args.productId,
  );

test('when the storage fails, the tap that discovers it is reported as not stored, later taps reach the phone afterwards, and the shopper stays', async () => {
  await openTab();
  expect(await addOne(1)).toBe('done');
  await until(() => shownCart()?.length === 1);
  failStorage();
  expect(await addOne(2)).toBe('not-stored');
  expect(tab.connection.kept).toBe('memory');
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
  expect(await addOne(3)).toBe('done');
  await until(() => shownCart()?.length === 2);
  await returnToDevice();
  expect(await changedProducts()).toEqual([1, 3]);
  expect(await addOne(4)).toBe('done');
  expect(await changedProducts()).toEqual([1, 3, 4]);
});

describe.each(['UnknownError', 'DataError'])('when reads fail with %s', (name) => {
  beforeEach(async () => {
    vi.stubGlobal('reportError', () => undefined);
    await openTab();
    await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
    for (const store of STORES) device.fail({ store, mode: 'readonly', name });
  });

  test('a shopper who logs out is not shown from memory', async () => {
    vi.stubGlobal('location', new URL('https://shop.weft.test'));
    const { logOut } = await import('../../src/account/mutations.ts');
    expect(await settled(logOut())).toBe(true);
    await until(() => tab.connection.kept === 'memory');
    expect(await addOne(1)).toBe('signed-out');
    await until(() => tab.shopperStore.snapshot() === null);
  });

  test.each([
    ['logged out', null],
    ['logged in another shopper', BERTA],
  ])('a shopper is not shown from memory once another tab has %s', async (_who, uid) => {
    // The other tab writes to `localStorage` who is logged in now, and tells this tab.
    vi.stubGlobal('localStorage', { getItem: () => uid, removeItem: () => undefined });
    await tab.connection.failover.forgetAllBut(uid);
    await otherDb.meta.delete('shopper');
    await until(() => tab.shopperStore.snapshot() === null);
    expect(tab.connection.kept).toBe('memory');
  });
});

/** Makes `localStorage` say that Anna was logged in last, as far as the device knows. */
function hintAtAnna(): void {
  vi.stubGlobal('localStorage', { getItem: () => ANNA, setItem: () => undefined });
}

test('the tab waits five seconds for a storage that opens after a delay, and does not show the shopper as logged out', async () => {
  hintAtAnna();
  device.delayOpens();
  const opened = tab.connection.open().then(() => tab.feedStores());
  await vi.advanceTimersByTimeAsync(2000);
  await until(() => tab.connection.kept === 'memory');
  await vi.advanceTimersByTimeAsync(3000);
  const tap = addOneIn(tab);
  await letStorageWork();
  expect(tab.shopperStore.snapshot()).toBeUndefined();
  device.answerOpens();
  await until(() => tab.connection.kept === 'device');
  expect(await settled(tap)).toBe('done');
  await opened;
  await until(() => shownCart()?.length === 1);
  expect(await changedProducts()).toEqual([1]);
});

test('the tab stops waiting for a storage that never opens, and a shopper can log in', async () => {
  hintAtAnna();
  device.fail({ store: 'open' });
  await openTab();
  expect(tab.connection.kept).toBe('memory');
  await vi.advanceTimersByTimeAsync(10_000);
  await until(() => tab.shopperStore.snapshot() === null);
  await settled(tab.session.setItem('weft-session', sessionOf(BERTA, 1)));
  expect(await addOne(1)).toBe('done');
  await returnToDevice(60_000);
  expect(await changedProducts()).toEqual([1]);
  expect((await otherDb.outbox.toArray())[0]?.uid).toBe(BERTA);
  expect(await otherDb.meta.get('shopper')).toMatchObject({ uid: BERTA });
});

test('a session that ends in memory does not end the one that another tab has stored on the phone', async () => {
  failStorage();
  await openTab();
  await vi.advanceTimersByTimeAsync(10_000);
  await until(() => tab.shopperStore.snapshot() === null);
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  expect(await addOne(1)).toBe('done');
  await settled(tab.session.removeItem('weft-session'));
  await until(() => tab.shopperStore.snapshot()?.shopper.session === 'ended');
  await returnToDevice(60_000);
  expect(await otherDb.meta.get('shopper')).toMatchObject({ uid: ANNA, session: 'live' });
  expect((await otherDb.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 1));
  expect(await changedProducts()).toEqual([1]);
});

test('a change that the server applied while the page was in memory is not sent again from the phone', async () => {
  await openTab();
  for (const id of [1, 2]) await addOne(id);
  await until(() => shownCart()?.length === 2);
  await failOverToMemory();
  await addOne(3);
  // The sync pulls in memory, and the answer acknowledges the first change.
  const [first] = await settled(Promise.resolve(tab.connection.db.outbox.toArray()));
  await tab.connection.db.outbox.delete(first?.seq ?? 0);
  await tab.connection.db.bases.put({
    uid: ANNA,
    ver: 5,
    stamp: 'five',
    cart: [{ productId: 1, quantity: 1, priceWhenAdded: null }],
    favourites: [7],
  });
  await returnToDevice();
  expect(await changedProducts()).toEqual([2, 3]);
  expect((await otherDb.bases.get(ANNA))?.ver).toBe(5);
  await until(() => JSON.stringify(shownCart()) === '[[1,1],[2,1],[3,1]]');
});

test('a change that another tab has sent meanwhile does not come back from memory', async () => {
  await openTab();
  for (const id of [1, 2]) await addOne(id);
  await failOverToMemory();
  await addOne(3);
  device.heal();
  // The other tab pulls, and the answer acknowledges the first change.
  const [first] = await otherDb.outbox.toArray();
  await otherDb.outbox.delete(first?.seq ?? 0);
  await otherDb.bases.put({ uid: ANNA, ver: 6, stamp: 'six', cart: [], favourites: [8] });
  await returnToDevice();
  expect(await changedProducts()).toEqual([2, 3]);
  expect((await otherDb.bases.get(ANNA))?.ver).toBe(6);
});

test('a session that was renewed in memory is stored on the phone afterwards, instead of the older one', async () => {
  await openTab();
  await failOverToMemory();
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  await returnToDevice();
  expect((await otherDb.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 2));
});

test('a session that another tab has renewed is not replaced by one that was renewed in memory', async () => {
  await openTab();
  await failOverToMemory();
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  device.heal();
  await otherDb.session.put({ key: 'weft-session', value: sessionOf(ANNA, 3) });
  await returnToDevice();
  expect((await otherDb.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 3));
});

test('a shopper who has logged in on the phone meanwhile stays, and no change of the one in memory is lost', async () => {
  await openTab();
  await failOverToMemory();
  await addOne(3);
  device.heal();
  await otherDb.bases.delete(ANNA);
  await otherDb.meta.put({ key: 'shopper', uid: BERTA, email: '', session: 'live' });
  await otherDb.session.put({ key: 'weft-session', value: sessionOf(BERTA, 1) });
  await returnToDevice();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === BERTA);
  expect(shownCart()).toEqual([]);
  expect((await otherDb.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
  expect(await otherDb.bases.get(ANNA)).toBeUndefined();
});

test('a logout in memory is stored on the phone once the storage works again', async () => {
  await openTab();
  await failOverToMemory();
  await settled(tab.logOut());
  await returnToDevice();
  expect(await otherDb.meta.get('shopper')).toBeUndefined();
  expect(await otherDb.session.count()).toBe(0);
  expect(await otherDb.bases.count()).toBe(0);
});

/** Stores a whole catalogue of two products on the device. */
const load = (generation: number) => storeLoad(generation, [[productRow(1), productRow(2)], null]);
/** Stores the first page of a load, which goes on. */
const beginToLoad = (generation: number) => storeLoad(generation, [[productRow(1)]]);

async function storeLoad(generation: number, pages: Parameters<typeof storePages>[2]) {
  const expected = (await readState(otherDb))?.version ?? null;
  await storePages(otherDb, generation, pages, expected);
}

const quotaError = () => new DOMException('no room', 'QuotaExceededError');

/** Makes the transaction of the next tap fail because the device is full. */
function fillDeviceForNextTap(): void {
  device.fail({ store: 'outbox', moment: 'commit', name: 'QuotaExceededError', times: 1 });
}

/** Puts pictures on the device, which the first deletion removes. Returns the names of the caches deleted since. */
function plugInPictures(): string[] {
  const deleted: string[] = [];
  vi.stubGlobal('caches', { delete: async (name: string) => deleted.push(name) === 1 });
  return deleted;
}

test('with no room for the catalogue the tab keeps it in memory, and the cart stays on the phone', async () => {
  await load(1);
  await beginToLoad(2);
  await openTab();
  await settled(tab.connection.failover.recoverCatalogueFrom(quotaError()));
  expect(tab.connection.kept).toBe('device');
  expect(tab.connection.isFull).toBe(true);
  expect((await readState(tab.connection.catalogue))?.load?.generation).toBe(2);
  // The complete catalogue stays for the next start without a network; the incomplete load is deleted.
  expect(await readState(otherDb)).toMatchObject({ generation: 1, load: null });
  expect(await otherDb.chunks.count()).toBe(1);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
  expect(await addOne(1)).toBe('done');
  expect(await changedProducts()).toEqual([1]);
});

test('with no room for a tap the pictures leave the phone for it first, and then the catalogue', async () => {
  await load(1);
  await openTab();
  const dropped = plugInPictures();
  fillDeviceForNextTap();
  expect(await addOne(1)).toBe('done');
  expect(dropped).toEqual(['pictures']);
  expect(await changedProducts()).toEqual([1]);
  expect(await otherDb.chunks.count()).toBe(1);
  expect(tab.connection.isFull).toBe(false);
  fillDeviceForNextTap();
  expect(await addOne(2)).toBe('done');
  expect(await changedProducts()).toEqual([1, 2]);
  expect(await otherDb.chunks.count()).toBe(0);
});

test('with no room for a tap the shopper hears so, though the page keeps new pictures all the while', async () => {
  await openTab();
  vi.stubGlobal('caches', { delete: async () => true });
  device.fail({ store: 'outbox', name: 'QuotaExceededError' });
  expect(await addOne(1)).toBe('not-stored');
});

test('with no room for the catalogue the pictures leave the phone for it, and then the phone counts as full', async () => {
  await load(1);
  await openTab();
  plugInPictures();
  await settled(tab.connection.failover.recoverCatalogueFrom(quotaError()));
  expect(tab.connection.isFull).toBe(false);
  await settled(tab.connection.failover.recoverCatalogueFrom(quotaError()));
  expect(tab.connection.isFull).toBe(true);
});

test('with no room for a tap the catalogue leaves the phone for it, and stays in this tab', async () => {
  await load(1);
  await openTab();
  fillDeviceForNextTap();
  expect(await addOne(1)).toBe('done');
  expect(tab.connection.kept).toBe('device');
  expect(await changedProducts()).toEqual([1]);
  expect(await otherDb.chunks.count()).toBe(0);
  expect(await tab.connection.catalogue.chunks.count()).toBe(1);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});

test('failures of background work do not move the tab to memory while the device can be read', async () => {
  await openTab();
  device.fail({ store: 'meta', times: 1 });
  await settled(recordSaveAttempt(tab.connection.db, ANNA, 'offline').catch(() => undefined));
  for (const name of ['QuotaExceededError', 'UnknownError', 'AbortError']) {
    await settled(tab.connection.recoverFrom(new DOMException('passing', name)));
    const aborted = new DOMException('passing', 'AbortError');
    await settled(tab.connection.failover.recoverCatalogueFrom(aborted));
  }
  expect(tab.connection.kept).toBe('device');
  expect(await addOne(1)).toBe('done');
});

test('a catalogue that fails repeatedly is kept in memory, and returns to the device by itself', async () => {
  await load(1);
  await openTab();
  device.fail({ store: 'chunks' });
  for (let time = 0; time < 2; time++) {
    const error = new DOMException('lost', 'UnknownError');
    await settled(tab.connection.failover.recoverCatalogueFrom(error));
  }
  expect(tab.connection.catalogue).not.toBe(tab.connection.db);
  expect(tab.connection.kept).toBe('device');
  await vi.advanceTimersByTimeAsync(1000);
  device.heal();
  await vi.advanceTimersByTimeAsync(2000);
  await until(() => tab.connection.catalogue === tab.connection.db);
  expect(await otherDb.chunks.count()).toBe(1);
});

test('a catalogue that cannot be read because of a bug is loaded again, and followed from then on', async () => {
  await load(1);
  await openTab();
  vi.stubGlobal('reportError', () => undefined);
  device.fail({ store: 'meta', mode: 'readonly', name: 'DataError' });
  await otherDb.meta.put({ key: 'catalogue-attempt', failure: null });
  await until(async () => (await otherDb.chunks.count()) === 0);
  device.heal();
  await vi.advanceTimersByTimeAsync(1000);
  await load(2);
  await until(() => tab.catalogueStore.snapshot()?.position?.generation === 2);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});

test('a reading of the full phone that fails late does not empty the catalogue in memory', async () => {
  await load(1);
  await openTab();
  vi.stubGlobal('reportError', () => undefined);
  const thaw = await freezeWithin(otherDb, ['chunks']);
  // Has the tab read the chunks, for which it now waits.
  await otherDb.meta.put({ key: 'catalogue-attempt', failure: null });
  await letStorageWork();
  const leaving = tab.connection.failover.recoverCatalogueFrom(quotaError());
  // The frozen phone lets the tab neither copy the catalogue nor delete its unfinished load.
  for (let wait = 0; wait < 2; wait++) {
    await letStorageWork();
    await vi.advanceTimersByTimeAsync(4000);
  }
  await settled(leaving);
  const memory = tab.connection.catalogue;
  await storePages(memory, 2, [[productRow(3)], null]);
  await until(() => tab.catalogueStore.snapshot()?.position?.generation === 2);
  device.fail({ store: 'chunks', mode: 'readonly', name: 'DataError' });
  thaw();
  await letStorageWork();
  expect(await memory.chunks.count()).toBe(1);
});

test('a database that opens but begins no transaction is opened again', async () => {
  const { transaction } = FDBDatabase.prototype;
  FDBDatabase.prototype.transaction = () => {
    FDBDatabase.prototype.transaction = transaction;
    throw new DOMException('not now', 'InvalidStateError');
  };
  await openTab();
  expect(await addOne(1)).toBe('done');
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => tab.connection.kept === 'device');
  expect(await changedProducts()).toEqual([1]);
});

test('a tap is answered though a frozen tab blocks the way back to the phone, and is on the phone when that tab ends', async () => {
  await openTab();
  await failOverToMemory();
  device.heal();
  const thaw = await freezeWithin(otherDb, STORES);
  await vi.advanceTimersByTimeAsync(1000); // the tab tries to return
  await letStorageWork();
  const tap = addOneIn(tab, 1);
  await vi.advanceTimersByTimeAsync(4000);
  expect(await settled(tap)).toBe('done');
  thaw();
  await returnToDevice(2000);
  expect(await changedProducts()).toEqual([1]);
});

test('a screen whose read failed once is read again by itself', async () => {
  device.fail({ store: 'bases', mode: 'readonly', name: 'AbortError', moment: 'abort', times: 1 });
  await openTabWithRetries();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  expect(tab.connection.kept).toBe('device');
});

/** Opens the tab while four seconds pass, in which failed reads are retried. */
async function openTabWithRetries(): Promise<void> {
  const opening = tab.connection.open().then(() => tab.feedStores());
  for (let turn = 0; turn < 4; turn++) {
    await letStorageWork();
    await vi.advanceTimersByTimeAsync(1000);
  }
  await settled(opening);
}
