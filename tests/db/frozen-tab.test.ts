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
/** What the shopper is told of taps that wait: false for each, and true when none waits any more. */
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

/** Opens a tab. If another one locks the tables, it is not fed yet. */
async function openTab({ isLocked = false } = {}): Promise<Tab> {
  const tab = await loadTab();
  tab.onWait((isOver) => notices.push(isOver));
  const fedStores = tab.connection.open().then(() => tab.feedStores());
  openTabs.push(tab);
  if (isLocked) {
    await until(() => tab.connection.kept !== null);
    await letStorageWork();
  } else await settled(fedStores);
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
  expect(localEntries.has('weft-waiting-taps')).toBe(false);
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

test('the shopper reads within a second that a tap is not saved yet, and that it is when it is', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const tap = addOne(tab);
  await letStorageWork();
  expect(notices).toEqual([]);
  await vi.advanceTimersByTimeAsync(900);
  await until(() => notices.length > 0);
  expect(notices).toEqual([false]);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect(notices).toEqual([false, true]);
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

test('a tap under way when the page is left is saved once by the next tab', async () => {
  const listeners: (() => void)[] = [];
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
    if (type === 'pagehide') listeners.push(listener);
  });
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  void addOne(tab);
  await letStorageWork();
  expect(localEntries.has('weft-waiting-taps')).toBe(false);
  for (const leave of listeners) leave();
  expect(localEntries.get('weft-waiting-taps')).toContain(ANNA);
  tab.connection.db.close();
  thaw();
  await expectSavedOnce(await openTab());
});

test('a tap of a page that is kept for Back is stored once, though the next page stores it too', async () => {
  const listeners: (() => void)[] = [];
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
    if (type === 'pagehide') listeners.push(listener);
  });
  const tab = await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const tap = addOne(tab);
  await letStorageWork();
  for (const leave of listeners) leave();
  const next = await openTab({ isLocked: true });
  // The browser aborts the transaction of the page that is left.
  device.fail({ store: 'outbox', moment: 'abort', name: 'AbortError', times: 1 });
  thaw();
  expect(await settled(tap)).toBe('done');
  await expectSavedOnce(next);
});

test('a tab that is opened beside a frozen one stores its taps for the right shopper, and shows them', async () => {
  await openTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const delayed = await openTab({ isLocked: true });
  expect(delayed.shopperStore.snapshot()).toBeUndefined();
  const tap = addOne(delayed);
  await waitForNotice();
  expect(notices).toEqual([false]);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect((await frozenDb.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
  await until(() => delayed.shopperStore.snapshot()?.data.cart.length === 1);
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
