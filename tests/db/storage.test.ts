/** A page whose storage is blocked, late, failing or full. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readState } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ANNA, END_OF_LOAD, productRow, storePages } from './catalogue.ts';
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
  await otherDb.bases.put({ uid: ANNA, ver: 4, stamp: 'four', cart: [], favourites: [7] });
});
afterEach(() => {
  tab.connection.db.close();
  otherDb.close();
});

/** Opens the tab as the page does, with the stores fed. */
async function openTab(): Promise<void> {
  await settled(tab.connection.open().then(() => tab.feedStores()));
}

const addOne = (productId: number) => settled(addOneIn(tab, productId));

/** The lines of the cart on screen: product and quantity. */
const shownCart = () =>
  tab.shopperStore.snapshot()?.data.cart.map(({ productId, quantity }) => [productId, quantity]);
/** The products of the changes in the device's outbox. */
const changedProducts = async () =>
  (await otherDb.outbox.toArray()).map(
    ({ change: { args } }) => 'productId' in args && args.productId,
  );

test('where the storage is blocked the page works in memory, and confirms a tap when the server has acknowledged it', async () => {
  device.fail({ store: 'open' });
  await openTab();
  expect(tab.connection.kept).toBe('memory');
  expect(tab.shopperStore.snapshot()).toBeNull();
  const { db } = tab.connection;
  await settled(tab.pageSession.setItem('weft-session', JSON.stringify({ user: { id: ANNA } })));
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  const outcomes: string[] = [];
  const tap = async () => outcomes.push(await addOneIn(tab));
  void tap();
  await until(() => shownCart()?.length === 1);
  await letStorageWork();
  expect(outcomes).toEqual([]);
  await db.outbox.clear();
  await until(() => outcomes.length > 0);
  expect(outcomes).toEqual(['done']);
  device.heal();
  expect(await changedProducts()).toEqual([]);
});

test('a page whose storage fails to open once opens it again', async () => {
  device.fail({ store: 'open', times: 1 });
  await openTab();
  expect(tab.connection.kept).toBe('device');
});

test('the page waits for a storage that opens late, and then stores what was tapped', async () => {
  device.delayOpens();
  const opened = tab.connection.open().then(() => tab.feedStores());
  await letStorageWork();
  await vi.advanceTimersByTimeAsync(60_000);
  const tap = addOneIn(tab);
  await letStorageWork();
  expect(tab.connection.kept).toBeNull();
  expect(tab.shopperStore.snapshot()).toBeUndefined();
  device.answerOpens();
  expect(await settled(tap)).toBe('done');
  await opened;
  expect(tab.connection.kept).toBe('device');
  expect(await changedProducts()).toEqual([1]);
});

/** Stores a whole catalogue of two products on the device. */
const load = (generation: number) =>
  storeLoad(generation, [[productRow(1), productRow(2)], END_OF_LOAD]);
/** Stores the first page of a load, which goes on. */
const beginToLoad = (generation: number) => storeLoad(generation, [[productRow(1)]]);

async function storeLoad(generation: number, pages: Parameters<typeof storePages>[2]) {
  const expected = (await readState(otherDb))?.version ?? null;
  await storePages(otherDb, generation, pages, expected);
}

const quotaError = () => new DOMException('no room', 'QuotaExceededError');

/** Makes the transaction of the next tap fail because the device is full. */
function fillDeviceForNextTap(): void {
  device.fail({ store: 'outbox', atCommit: true, name: 'QuotaExceededError', times: 1 });
}

/** Puts pictures on the device, which the first deletion removes. Returns the names of the caches deleted since. */
function plugInPictures(): string[] {
  const deleted: string[] = [];
  vi.stubGlobal('caches', { delete: async (name: string) => deleted.push(name) === 1 });
  return deleted;
}

test('with no room for the catalogue the pictures leave the phone, and then the tab keeps it in memory; the cart stays on the phone', async () => {
  await load(1);
  await beginToLoad(2);
  await openTab();
  plugInPictures();
  await settled(tab.connection.storage.recoverCatalogueFrom(quotaError()));
  expect(tab.connection.isFull).toBe(false);
  await settled(tab.connection.storage.recoverCatalogueFrom(quotaError()));
  expect(tab.connection.kept).toBe('device');
  expect(tab.connection.isFull).toBe(true);
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
  // The products stay on screen.
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});

test('with no room for a tap the shopper hears so, though the page keeps new pictures all the while', async () => {
  await openTab();
  vi.stubGlobal('caches', { delete: async () => true });
  device.fail({ store: 'outbox', name: 'QuotaExceededError' });
  expect(await addOne(1)).toBe('not-stored');
});

test('a catalogue that cannot be read because of a bug is loaded again, and followed from then on', async () => {
  await load(1);
  await openTab();
  vi.stubGlobal('reportError', () => undefined);
  device.fail({ store: 'meta', mode: 'readonly', name: 'DataError' });
  // The page follows `meta`, and so reads the catalogue anew.
  await otherDb.meta.put({ key: 'catalogue-result', failure: null });
  await until(async () => (await otherDb.chunks.count()) === 0);
  device.heal();
  await vi.advanceTimersByTimeAsync(1000);
  await load(2);
  await until(() => tab.catalogueStore.snapshot()?.position?.generation === 2);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});
