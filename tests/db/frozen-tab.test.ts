import { IDBObjectStore as FDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appendPage, beginLoad, readState } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import type { ProductRow } from '../../src/domain/product.ts';
import {
  Device,
  freezeWithin,
  holdTime,
  loadTab,
  plugInLocalStorage,
  type Tab,
  turns,
  until,
} from './device.ts';

const ANNA = '0b8f8a3e-0000-4000-8000-000000000001';
const BERTA = '0b8f8a3e-0000-4000-8000-000000000002';

/** What a tap writes. */
const TAP = ['meta', 'bases', 'outbox'];

let device: Device;
/** The tab that freezes. */
let other: WeftDatabase;
let kept: Map<string, string>;
let open: Tab[];
let told: boolean[];

beforeEach(async () => {
  holdTime();
  device = new Device();
  device.plugIn();
  kept = plugInLocalStorage();
  open = [];
  told = [];
  const { WeftDatabase } = await loadTab();
  other = new WeftDatabase();
  await other.meta.put({ key: 'shopper', uid: ANNA, email: '', session: 'live' });
  await beginLoad(other, null, { epoch: 'one', ver: 1 }, 1);
  for (const rows of [[product(1), product(2)], null]) {
    const under = (await readState(other))?.load;
    if (under) await appendPage(other, under, rows);
  }
});
afterEach(() => {
  other.close();
  for (const { connection } of open) connection.db.close();
  device.unplug();
  vi.useRealTimers();
});

function product(id: number): ProductRow {
  return [id, `S-${id}`, 'M', null, 'Tee', null, null, null, 9, null, null];
}

async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await until(() => isOver);
  return work;
}

/** @param isHeldUp the device does not answer it: patience runs out first */
async function openTab(isHeldUp = false): Promise<Tab> {
  const tab = await loadTab();
  tab.onLateChange((isKept) => told.push(isKept));
  const fed = tab.connection.open().then(() => tab.feedStores());
  open.push(tab);
  if (isHeldUp) {
    await until(() => tab.connection.kept !== null);
    await turns();
    await vi.advanceTimersByTimeAsync(1000);
  }
  await settled(fed);
  return tab;
}

/** Starts the first reading; its patience with what is known of the catalogue is over then. */
async function fillPatiently(tab: Tab): Promise<{ readonly filling: Promise<boolean> }> {
  const before = device.opened;
  const filling = tab.fillStores();
  await until(() => device.opened > before);
  await vi.advanceTimersByTimeAsync(1000);
  return { filling };
}

const addOne = (tab: Tab) => tab.change([{ kind: 'cart.add', args: { productId: 1, by: 1 } }]);

test('a tap that waits says so before a second is over, is kept, and is done once', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(other, TAP);
  const tap = addOne(tab);
  await turns();
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(900);
  await until(() => told.length > 0);
  expect(told).toEqual([true]);
  expect(JSON.stringify([...kept])).toContain(ANNA);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect(await other.outbox.count()).toBe(1);
  expect(kept.has('weft-late-changes')).toBe(false);
  await until(() => tab.shopperStore.snapshot()?.data.cart[0]?.quantity === 1);
});

test('a heart tapped meanwhile is done as it was meant, and two taps are two', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(other, TAP);
  const heart = tab.change(({ favourites }) => [
    { kind: favourites.includes(2) ? 'favourite.remove' : 'favourite.add', args: { productId: 2 } },
  ]);
  const taps = [addOne(tab), addOne(tab), heart];
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => told.length === 3);
  thaw();
  await settled(Promise.all(taps));
  const rows = await other.outbox.toArray();
  expect(rows.map(({ change }) => change.kind)).toEqual(['favourite.add', 'cart.add', 'cart.add']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});

test('a tap that waited in a tab which was closed is done by the next one, once', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(other, TAP);
  void addOne(tab);
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => told.length > 0);
  tab.connection.db.close();
  thaw();
  const next = await openTab();
  await until(() => next.shopperStore.snapshot()?.data.cart[0]?.quantity === 1);
  expect(await other.outbox.count()).toBe(1);
  expect(kept.has('weft-late-changes')).toBe(false);
});

test('a tab that is opened while another is frozen knows whose taps it keeps, and shows the products', async () => {
  await openTab();
  const thaw = await freezeWithin(other, TAP);
  const late = await openTab(true);
  expect(late.shopperStore.snapshot()).toBeUndefined();
  const tap = addOne(late);
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => told.length > 0);
  expect(told).toEqual([true]);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect((await other.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
  await until(() => late.shopperStore.snapshot()?.data.cart.length === 1);
});

test('a tap that was kept for somebody who logged out meanwhile waits for them, unseen', async () => {
  const tab = await openTab();
  const thaw = await freezeWithin(other, TAP);
  void addOne(tab);
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => told.length > 0);
  tab.connection.db.close();
  thaw();
  await other.meta.delete('shopper');
  const next = await openTab();
  await until(async () => (await other.outbox.count()) === 1);
  expect(next.shopperStore.snapshot()).toBeNull();
  expect((await other.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
});

test('a tap that waits while somebody else signs in is kept for the shopper whose screen was tapped', async () => {
  const tab = await openTab();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  const thaw = await freezeWithin(other, TAP);
  const tap = addOne(tab);
  const view = tab.shopperStore.snapshot();
  if (!view) throw new Error('nobody is shown');
  tab.shopperStore.set({ ...view, shopper: { ...view.shopper, uid: BERTA } });
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => told.length > 0);
  thaw();
  expect(await settled(tap)).toBe('done');
  expect((await other.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
});

test('the products are on screen although a frozen tab holds back what is known of them', async () => {
  const thaw = await freezeWithin(other, TAP);
  const tab = await loadTab();
  const { filling } = await fillPatiently(tab);
  expect(await settled(filling)).toBe(true);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
  thaw();
});

test('a frozen tab is told from a slow device: products that are there are not waited for', async () => {
  const thaw = await freezeWithin(other, TAP);
  const tab = await loadTab();
  const before = device.opened;
  const filling = tab.fillStores();
  await until(() => device.opened > before);
  await turns();
  await vi.advanceTimersByTimeAsync(50);
  expect(await settled(filling)).toBe(true);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
  thaw();
});

test('a frozen tab that holds back the products too: the network has them, and then the device', async () => {
  const thaw = await freezeWithin(other, [...TAP, 'chunks']);
  const tab = await loadTab();
  const { filling } = await fillPatiently(tab);
  await turns();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await settled(filling)).toBe(false);
  const late = await openTab(true);
  expect(late.connection.catalogue).not.toBe(late.connection.db);
  expect(late.connection.kept).toBe('device');
  thaw();
  await until(() => late.connection.catalogue === late.connection.db);
  await until(() => late.catalogueStore.snapshot()?.index.size === 2);
});

test('a tab that freezes after the first answer: the products come from the network, and then the device', async () => {
  const tab = await loadTab();
  open.push(tab);
  await tab.connection.open();
  const thaw = await freezeWithin(other, ['chunks']);
  const feeding = tab.feedStores();
  await turns();
  await vi.advanceTimersByTimeAsync(4000);
  await settled(feeding);
  expect(tab.connection.catalogue).not.toBe(tab.connection.db);
  thaw();
  await until(() => tab.catalogueStore.snapshot()?.index.size === 2);
});

test('a page that is busy as the answers arrive takes them for no frozen tab', async () => {
  await openTab();
  const tab = await loadTab();
  const { prototype } = FDBObjectStore;
  const { count } = prototype;
  prototype.count = function (this: IDBObjectStore, ...given) {
    const request = count.apply(this, given);
    request.addEventListener('success', () => vi.advanceTimersByTime(100));
    return request;
  };
  const filling = tab.fillStores();
  expect(await settled(filling)).toBe(true);
  prototype.count = count;
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
});
