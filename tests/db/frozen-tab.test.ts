/** A page that comes back from the back/forward cache, and tabs beside one that is frozen in a transaction. */
import { IDBObjectStore as FDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ANNA, END_OF_LOAD, productRow, storePages } from './catalogue.ts';
import { plugInStorage } from '../page-storage.ts';
import { freezeWithin } from './device.ts';
import { letStorageWork, loadTab, plugInDeviceBeforeEach, settled, type Tab } from './tab.ts';

/** The tables that a tap writes. */
const TAP_TABLES = ['meta', 'bases', 'outbox'];

/** The database connection of the tab that freezes. */
let frozenDb: WeftDatabase;
/** The entries of `localStorage`, which says who is logged in. */
let localEntries: Map<string, string>;
let openTabs: Tab[];

plugInDeviceBeforeEach();
beforeEach(async () => {
  localEntries = plugInStorage('localStorage');
  openTabs = [];
  const { WeftDatabase } = await loadTab();
  frozenDb = new WeftDatabase();
  await frozenDb.meta.put({ key: 'shopper', uid: ANNA, email: '', session: 'live' });
});
afterEach(() => {
  frozenDb.close();
  for (const { connection } of openTabs) connection.db.close();
});

async function openTab(): Promise<Tab> {
  const tab = await loadTab();
  openTabs.push(tab);
  await settled(tab.connection.open().then(() => tab.feedStores()));
  return tab;
}

test('a page from the back/forward cache hides at once a shopper who has logged out meanwhile', async () => {
  const listeners = new Map<string, (event: unknown) => void>();
  vi.stubGlobal('addEventListener', listeners.set.bind(listeners));
  const tab = await openTab();
  const showPage = (event: { persisted: boolean }) => listeners.get('pageshow')?.(event);
  showPage({ persisted: true });
  expect(tab.shopperStore.snapshot()?.shopper.uid, 'who is still logged in').toBe(ANNA);
  // Another page has logged out; the device has not told this page yet.
  localEntries.delete('weft-shopper');
  showPage({ persisted: false });
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
  showPage({ persisted: true });
  expect(tab.shopperStore.snapshot()).toBeNull();
});

test('a start beside a tab that is frozen in a tap shows the products without the shopper', async () => {
  await storePages(frozenDb, 1, [[productRow(1)], END_OF_LOAD]);
  const tab = await loadTab();
  const thaw = await freezeWithin(frozenDb, TAP_TABLES);
  const filling = tab.fillStores();
  await letStorageWork();
  // Tables without an answer count as locked after 50 ms.
  await vi.advanceTimersByTimeAsync(100);
  expect(await settled(filling), 'read without Dexie').toBe(true);
  expect(tab.catalogueStore.snapshot()?.index.size).toBe(1);
  expect(tab.shopperStore.snapshot()).toBeUndefined();
  thaw();
});

test('a page that is busy when the answers arrive does not take its delay for a frozen tab', async () => {
  await openTab();
  const tab = await loadTab();
  const { prototype } = FDBObjectStore;
  const { getAll } = prototype;
  prototype.getAll = function (this: IDBObjectStore, ...given) {
    const request = getAll.apply(this, given);
    // The page is busy for 100 ms when the answer comes.
    request.addEventListener('success', () => vi.advanceTimersByTime(100));
    return request;
  };
  onTestFinished(() => {
    prototype.getAll = getAll;
  });
  expect(await settled(tab.fillStores()), 'read without Dexie').toBe(true);
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
});
