/** Tabs beside one that the system has frozen in the middle of a transaction, which locks the tables. */
import { IDBObjectStore as FDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ANNA, BERTA, productRow, storePages } from './catalogue.ts';
import { plugInStorage } from '../local-storage.ts';
import { freezeWithin } from './device.ts';
import {
  addOne,
  device,
  letStorageWork,
  loadTab,
  plugInDeviceBeforeEach,
  settled,
  type Tab,
  until,
} from './tab.ts';

/** The tables that a tap writes. */
const TAP_TABLES = ['meta', 'bases', 'outbox'];

/** The database connection of the tab that freezes. */
let frozenDb: WeftDatabase;
/** The entries of `localStorage`, where a tap waits for the device. */
let localEntries: Map<string, string>;
let openTabs: Tab[];
/** For each tap that waits, whether `localStorage` keeps it meanwhile. */
let notices: boolean[];

plugInDeviceBeforeEach();
beforeEach(async () => {
  localEntries = plugInStorage('localStorage');
  openTabs = [];
  notices = [];
  const { WeftDatabase } = await loadTab();
  frozenDb = new WeftDatabase();
  await frozenDb.meta.put({ key: 'shopper', uid: ANNA, email: '', session: 'live' });
  await storePages(frozenDb, 1, [[productRow(1), productRow(2)], null]);
});
afterEach(() => {
  frozenDb.close();
  for (const { connection } of openTabs) connection.db.close();
});

/** Opens a tab. If another one locks the tables, the tab waits for them until its timeout. */
async function openTab({ isLocked = false } = {}): Promise<Tab> {
  const tab = await loadTab();
  tab.onLateChange((isKept) => notices.push(isKept));
  const fedStores = tab.connection.open().then(() => tab.feedStores());
  openTabs.push(tab);
  if (isLocked) {
    await until(() => tab.connection.kept !== null);
    await letStorageWork();
    await vi.advanceTimersByTimeAsync(1000);
  }
  await settled(fedStores);
  return tab;
}

/** Waits until the shopper is told that a tap waits for the device. */
async function waitForNotice(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => notices.length > 0);
}

/** Expects that the added piece is shown, is in the outbox once, and no longer waits in `localStorage`. */
async function expectSavedOnce(tab: Tab): Promise<void> {
  await until(() => tab.shopperStore.snapshot()?.data.cart[0]?.quantity === 1);
  expect(await frozenDb.outbox.count()).toBe(1);
  expect(localEntries.has('weft-late-changes')).toBe(false);
}

/**
 * Starts the first read, and waits until it has opened the database. The promise is in an object, because
 * `await` would wait for it too.
 */
async function beginToFill(tab: Tab): Promise<{ readonly filling: Promise<boolean> }> {
  const before = device.opened;
  const filling = tab.fillStores();
  await until(() => device.opened > before);
  return { filling };
}

test('a page from the back/forward cache hides at once a shopper who has logged out meanwhile', async () => {
  const listeners = new Map<string, (event: unknown) => void>();
  vi.stubGlobal('addEventListener', listeners.set.bind(listeners));
  const tab = await openTab();
  const show = (persisted: boolean) => listeners.get('pageshow')?.({ persisted });
  show(true);
  expect(tab.shopperStore.snapshot()?.shopper.uid, 'who is still logged in').toBe(ANNA);
  // Another page has logged out; the device has not told this page yet.
  localEntries.delete('weft-shopper');
  show(false);
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
  show(true);
  expect(tab.shopperStore.snapshot()).toBeNull();
});

test('waiting taps that other tabs announce on a full device are retried once in each pause', async () => {
  const listeners = new Map<string, () => void>();
  vi.stubGlobal('addEventListener', listeners.set.bind(listeners));
  const tab = await openTab();
  const tap = { uid: ANNA, change: { id: 'tap-1' } };
  localEntries.set('weft-late-changes', JSON.stringify([tap]));
  device.fail({ store: 'outbox' });
  for (let announced = 0; announced < 3; announced++) listeners.get('storage')?.();
  await letStorageWork();
  const transaction = vi.spyOn(tab.connection.db, 'transaction');
  await vi.advanceTimersByTimeAsync(10_000);
  await letStorageWork();
  const retries = transaction.mock.calls.filter(([mode]) => mode === 'rw');
  expect(retries.length).toBe(1);
});

test('the shopper reads within a second that a tap waits; the tap is kept, and done once', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const tap = addOne(tab);
  await letStorageWork();
  expect(notices).toEqual([]);
  await vi.advanceTimersByTimeAsync(900);
  await until(() => notices.length > 0);
  expect(notices).toEqual([true]);
  expect(JSON.stringify([...localEntries])).toContain(ANNA);
  thaw();
  expect(await settled(tap)).toBe('done');
  await expectSavedOnce(tab);
});

test('a heart and two more taps beside a frozen tab are each saved once, as they were meant', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const heart = tab.change(({ favourites }) => [
    { kind: favourites.includes(2) ? 'favourite.remove' : 'favourite.add', args: { productId: 2 } },
  ]);
  const taps = [addOne(tab), addOne(tab), heart];
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => notices.length === 3);
  thaw();
  await settled(Promise.all(taps));
  const rows = await frozenDb.outbox.toArray();
  expect(rows.map(({ change }) => change.kind)).toEqual(['favourite.add', 'cart.add', 'cart.add']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});

test('a tap that waited in a tab which was closed is saved once by the next tab', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  void addOne(tab);
  await waitForNotice();
  tab.connection.db.close();
  thaw();
  await expectSavedOnce(await openTab());
});

test('a tap under way when the page is left is saved once by the next tab', async () => {
  const listeners: (() => void)[] = [];
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
    if (type === 'pagehide') listeners.push(listener);
  });
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  void addOne(tab);
  await letStorageWork();
  expect(localEntries.has('weft-late-changes')).toBe(false);
  for (const leave of listeners) leave();
  expect(localEntries.get('weft-late-changes')).toContain(ANNA);
  tab.connection.db.close();
  thaw();
  await expectSavedOnce(await openTab());
});

test('a tab that is opened beside a frozen one stores its taps for the right shopper, and shows them', async () => {
  await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const delayed = await openTab({ isLocked: true });
  expect(delayed.shopperStore.snapshot()).toBeUndefined();
  const tap = addOne(delayed);
  await waitForNotice();
  expect(notices).toEqual([true]);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect((await frozenDb.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
  await until(() => delayed.shopperStore.snapshot()?.data.cart.length === 1);
});

test('a waiting tap of a shopper who has logged out is stored for that shopper and not shown', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  void addOne(tab);
  await waitForNotice();
  tab.connection.db.close();
  thaw();
  await frozenDb.meta.delete('shopper');
  const next = await openTab();
  await until(async () => (await frozenDb.outbox.count()) === 1);
  expect(next.shopperStore.snapshot()).toBeNull();
  expect((await frozenDb.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
});

test('a waiting tap is stored for the shopper whose screen was tapped, though another one logs in', async () => {
  const tab = await openTab();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const tap = addOne(tab);
  const view = tab.shopperStore.snapshot();
  if (!view) throw new Error('no shopper is shown');
  tab.shopperStore.set({ ...view, shopper: { ...view.shopper, uid: BERTA } });
  await waitForNotice();
  thaw();
  expect(await settled(tap)).toBe('done');
  expect((await frozenDb.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
});

test('stored products are shown after a short wait while a frozen tab locks the catalogue’s state and the shopper’s data', async () => {
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const tab = await loadTab();
  const { filling } = await beginToFill(tab);
  await letStorageWork();
  await vi.advanceTimersByTimeAsync(50);
  expect(await settled(filling)).toBe(true);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
  thaw();
});

test('the products come from the network while a frozen tab locks them, and then from the device', async () => {
  const thaw = await freezeWithin(frozenDb, [...TAP_TABLES, 'chunks']);
  const tab = await loadTab();
  const { filling } = await beginToFill(tab);
  // The first read gives up its transaction over all tables, and then the one over the products.
  await vi.advanceTimersByTimeAsync(1000);
  await letStorageWork();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await settled(filling)).toBe(false);
  const delayed = await openTab({ isLocked: true });
  expect(delayed.connection.catalogue).not.toBe(delayed.connection.db);
  expect(delayed.connection.kept).toBe('device');
  thaw();
  await until(() => delayed.connection.catalogue === delayed.connection.db);
  await until(() => delayed.catalogueStore.snapshot()?.index.size === 2);
});

test('the products come from the network when a tab freezes after the first answer, and then from the device', async () => {
  const tab = await loadTab();
  openTabs.push(tab);
  await tab.connection.open();
  const thaw = await freezeWithin(frozenDb, ['chunks']);
  const feeding = tab.feedStores();
  await letStorageWork();
  await vi.advanceTimersByTimeAsync(4000);
  await settled(feeding);
  expect(tab.connection.catalogue).not.toBe(tab.connection.db);
  thaw();
  await until(() => tab.catalogueStore.snapshot()?.index.size === 2);
});

test('a page that is busy when the answers arrive does not take its delay for a frozen tab', async () => {
  await openTab();
  const tab = await loadTab();
  const { prototype } = FDBObjectStore;
  const { count } = prototype;
  prototype.count = function (this: IDBObjectStore, ...given) {
    const request = count.apply(this, given);
    // The page is busy for 100 ms when the answer comes.
    request.addEventListener('success', () => vi.advanceTimersByTime(100));
    return request;
  };
  onTestFinished(() => {
    prototype.count = count;
  });
  expect(await settled(tab.fillStores())).toBe(true);
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
});

test('a tap made shortly before the thaw does not overtake an earlier one that waits', async () => {
  const cart = [{ productId: 2, quantity: 1, priceWhenAdded: null }];
  await frozenDb.bases.put({ uid: ANNA, ver: 1, stamp: 'one', cart, favourites: [] });
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const clearing = tab.change([{ kind: 'cart.clear', args: {} }]);
  await waitForNotice();
  const adding = addOne(tab);
  await letStorageWork();
  thaw();
  expect(await settled(Promise.all([clearing, adding]))).toEqual(['done', 'done']);
  const rows = await frozenDb.outbox.toArray();
  expect(rows.map(({ change }) => change.kind)).toEqual(['cart.clear', 'cart.add']);
});

test('a tap that is kept for its shopper, whom the tab counts as signed out later, is answered as kept', async () => {
  localEntries.set('weft-shopper', ANNA);
  device.fail({ store: 'open' });
  const tab = await openTab();
  const tap = addOne(tab);
  await letStorageWork();
  await waitForNotice();
  expect(notices).toEqual([true]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await settled(tap)).toBe('waits');
});
