import { IDBDatabase as FDBDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { appendPage, beginLoad, readState } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { recordSaveAttempt } from '../../src/db/shopper-log.ts';
import type { ProductRow } from '../../src/domain/product.ts';
import { Device, holdTime, loadTab, type Tab, turns, until } from './device.ts';

const ANNA = '0b8f8a3e-0000-4000-8000-000000000001';
const BERTA = '0b8f8a3e-0000-4000-8000-000000000002';
const STORES = ['meta', 'session', 'bases', 'outbox', 'refused', 'orders', 'drafts', 'running'];

let device: Device;
/** Another tab's database on the same device. */
let other: WeftDatabase;
let tab: Tab;

beforeEach(async () => {
  holdTime();
  device = new Device();
  device.plugIn();
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error;
  });
  tab = await loadTab();
  other = new tab.WeftDatabase();
  await other.open();
  await other.meta.put({ key: 'device', id: 'phone-1' });
  await other.meta.put({ key: 'shopper', uid: ANNA, email: 'anna@weft.test', session: 'live' });
  await other.session.put({ key: 'weft-session', value: sessionOf(ANNA, 1) });
  await other.bases.put({ uid: ANNA, ver: 4, cart: [], favourites: [7] });
});
afterEach(() => {
  tab.connection.db.close();
  other.close();
  device.unplug();
  vi.useRealTimers();
});

function sessionOf(uid: string, generation: number): string {
  return JSON.stringify({ user: { id: uid, email: '' }, refresh_token: `r${generation}` });
}

/** Opens the tab as the page does, with the stores fed. */
async function openTab(): Promise<void> {
  await settled(tab.connection.open().then(() => tab.feedStores()));
}

const addOne = (productId: number) => settled(tab.change([add(productId)]));
const add = (productId: number) => ({ kind: 'cart.add', args: { productId, by: 1 } }) as const;

async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await until(() => isOver);
  return work;
}

/** The storage is away altogether, for every tab. */
function away(name = 'UnknownError'): void {
  device.fail({ store: 'open', name });
  for (const store of [...STORES, 'chunks']) {
    for (const mode of ['readonly', 'readwrite'] as const) {
      device.fail({ store, mode, name, moment: 'request' });
    }
  }
}

/** The same, and the tab has found out. */
async function goesToMemory(): Promise<void> {
  away();
  await settled(tab.connection.recoverFrom(new DOMException('away', 'UnknownError')));
  expect(tab.connection.kept).toBe('memory');
}

async function comesBack(): Promise<void> {
  device.heal();
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => tab.connection.kept === 'device');
}

const shownCart = () =>
  tab.shopperStore.snapshot()?.data.cart.map(({ productId, quantity }) => [productId, quantity]);
const waiting = async () =>
  (await other.outbox.toArray()).map(
    ({ change: { args } }) => 'productId' in args && args.productId,
  );

test('storage that is away for a second: the shopper stays, taps go on, and all is on the phone after it', async () => {
  await openTab();
  expect(await addOne(1)).toBe('done');
  await until(() => shownCart()?.length === 1);
  away();
  expect(await addOne(2)).toBe('not-stored');
  expect(tab.connection.kept).toBe('memory');
  expect(tab.shopperStore.snapshot()?.shopper.uid).toBe(ANNA);
  expect(await addOne(3)).toBe('done');
  await until(() => shownCart()?.length === 2);
  await comesBack();
  expect(await waiting()).toEqual([1, 3]);
  expect(await addOne(4)).toBe('done');
  expect(await waiting()).toEqual([1, 3, 4]);
});

describe.each(['UnknownError', 'DataError'])('after a logout nothing can be read: %s', (name) => {
  beforeEach(async () => {
    vi.stubGlobal('reportError', () => undefined);
    await openTab();
    await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
    for (const store of STORES) device.fail({ store, mode: 'readonly', name });
  });

  test('the shopper before is not brought back from memory', async () => {
    vi.stubGlobal('location', new URL('https://shop.weft.test'));
    const { logOut } = await import('../../src/account/mutations.ts');
    expect(await settled(logOut())).toBe(true);
    await until(() => tab.connection.kept === 'memory');
    expect(await addOne(1)).toBe('signed-out');
    await until(() => tab.shopperStore.snapshot() === null);
  });

  test.each([
    ['nobody', null],
    ['another shopper', BERTA],
  ])('the other tabs, which are told of it, show %s', async (_who, uid) => {
    vi.stubGlobal('localStorage', { getItem: () => uid, removeItem: () => undefined });
    await tab.connection.failover.forgetAllBut(uid);
    await other.meta.delete('shopper');
    await until(() => tab.shopperStore.snapshot() === null);
    expect(tab.connection.kept).toBe('memory');
  });
});

test('a storage that opens after five seconds is waited for: nobody is taken for signed out', async () => {
  vi.stubGlobal('localStorage', { getItem: () => ANNA, setItem: () => undefined });
  device.holdOpens();
  const opened = tab.connection.open().then(() => tab.feedStores());
  await vi.advanceTimersByTimeAsync(2000);
  await until(() => tab.connection.kept === 'memory');
  await vi.advanceTimersByTimeAsync(3000);
  const tap = tab.change([add(1)]);
  await turns();
  expect(tab.shopperStore.snapshot()).toBeUndefined();
  device.release();
  await until(() => tab.connection.kept === 'device');
  expect(await settled(tap)).toBe('done');
  await opened;
  await until(() => shownCart()?.length === 1);
  expect(await waiting()).toEqual([1]);
});

test('a storage that never opens is given up in the end, and somebody can sign in', async () => {
  vi.stubGlobal('localStorage', { getItem: () => ANNA, setItem: () => undefined });
  device.fail({ store: 'open' });
  await openTab();
  expect(tab.connection.kept).toBe('memory');
  await vi.advanceTimersByTimeAsync(10_000);
  await until(() => tab.shopperStore.snapshot() === null);
  await settled(tab.session.setItem('weft-session', sessionOf(BERTA, 1)));
  expect(await addOne(1)).toBe('done');
  device.heal();
  await vi.advanceTimersByTimeAsync(60_000);
  await until(() => tab.connection.kept === 'device');
  expect(await waiting()).toEqual([1]);
  expect((await other.outbox.toArray())[0]?.uid).toBe(BERTA);
  expect(await other.meta.get('shopper')).toMatchObject({ uid: BERTA });
});

test('a session that ended in memory does not end the one that another tab has brought to the phone', async () => {
  away();
  await settled(tab.connection.open().then(() => tab.feedStores()));
  await vi.advanceTimersByTimeAsync(10_000);
  await until(() => tab.shopperStore.snapshot() === null);
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  expect(await addOne(1)).toBe('done');
  await settled(tab.session.removeItem('weft-session'));
  await until(() => tab.shopperStore.snapshot()?.shopper.session === 'ended');
  device.heal();
  await vi.advanceTimersByTimeAsync(60_000);
  await until(() => tab.connection.kept === 'device');
  expect(await other.meta.get('shopper')).toMatchObject({ uid: ANNA, session: 'live' });
  expect((await other.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 1));
  expect(await waiting()).toEqual([1]);
});

test('what the server took while the page was in memory is not sent again from the phone', async () => {
  await openTab();
  for (const id of [1, 2]) await addOne(id);
  await turns();
  await goesToMemory();
  await addOne(3);
  const [first] = await settled(Promise.resolve(tab.connection.db.outbox.toArray()));
  await tab.connection.db.outbox.delete(first?.seq ?? 0);
  await tab.connection.db.bases.put({
    uid: ANNA,
    ver: 5,
    cart: [{ productId: 1, quantity: 1, priceWhenAdded: null }],
    favourites: [7],
  });
  await comesBack();
  expect(await waiting()).toEqual([2, 3]);
  expect((await other.bases.get(ANNA))?.ver).toBe(5);
  await until(() => JSON.stringify(shownCart()) === '[[1,1],[2,1],[3,1]]');
});

test('what another tab had taken by the server meanwhile does not come back from memory', async () => {
  await openTab();
  for (const id of [1, 2]) await addOne(id);
  await goesToMemory();
  await addOne(3);
  device.heal();
  const [first] = await other.outbox.toArray();
  await other.outbox.delete(first?.seq ?? 0);
  await other.bases.put({ uid: ANNA, ver: 6, cart: [], favourites: [8] });
  await comesBack();
  expect(await waiting()).toEqual([2, 3]);
  expect((await other.bases.get(ANNA))?.ver).toBe(6);
});

test('a session that was renewed in memory alone is on the phone after it, and not an older one', async () => {
  await openTab();
  await goesToMemory();
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  await comesBack();
  expect((await other.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 2));
});

test('a session that another tab has renewed holds against one that was renewed in memory', async () => {
  await openTab();
  await goesToMemory();
  await settled(tab.session.setItem('weft-session', sessionOf(ANNA, 2)));
  device.heal();
  await other.session.put({ key: 'weft-session', value: sessionOf(ANNA, 3) });
  await comesBack();
  expect((await other.session.get('weft-session'))?.value).toBe(sessionOf(ANNA, 3));
});

test('whoever signed in on the phone meanwhile stays: memory brings nobody back, and loses no change', async () => {
  await openTab();
  await goesToMemory();
  await addOne(3);
  device.heal();
  await other.bases.delete(ANNA);
  await other.meta.put({ key: 'shopper', uid: BERTA, email: '', session: 'live' });
  await other.session.put({ key: 'weft-session', value: sessionOf(BERTA, 1) });
  await comesBack();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === BERTA);
  expect(shownCart()).toEqual([]);
  expect((await other.outbox.toArray()).map(({ uid }) => uid)).toEqual([ANNA]);
  expect(await other.bases.get(ANNA)).toBeUndefined();
});

test('a logout in memory holds on the phone once that answers again', async () => {
  await openTab();
  await goesToMemory();
  await settled(tab.logOut());
  await comesBack();
  expect(await other.meta.get('shopper')).toBeUndefined();
  expect(await other.session.count()).toBe(0);
  expect(await other.bases.count()).toBe(0);
});

function product(id: number): ProductRow {
  return [id, `S-${id}`, 'M', null, 'Tee', null, null, null, 9, null, null];
}

async function load(generation: number, isWhole: boolean): Promise<void> {
  const expected = (await readState(other))?.version ?? null;
  await beginLoad(other, expected, { epoch: 'one', ver: generation }, generation);
  for (const rows of isWhole ? [[product(1), product(2)], null] : [[product(1)]]) {
    const under = (await readState(other))?.load;
    if (under) await appendPage(other, under, rows);
  }
}

const full = () => new DOMException('no room', 'QuotaExceededError');

test('no room for the catalogue: it goes on in this tab, and the cart stays on the phone', async () => {
  await load(1, true);
  await load(2, false);
  await openTab();
  await settled(tab.connection.failover.recoverCatalogueFrom(full()));
  expect(tab.connection.kept).toBe('device');
  expect(tab.connection.isFull).toBe(true);
  expect((await readState(tab.connection.catalogue))?.load?.generation).toBe(2);
  // What is whole stays for the next start without a network; what is not makes room.
  expect(await readState(other)).toMatchObject({ generation: 1, load: null });
  expect(await other.chunks.count()).toBe(1);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
  expect(await addOne(1)).toBe('done');
  expect(await waiting()).toEqual([1]);
});

test('no room for a tap: the catalogue makes room for it, and stays in this tab', async () => {
  await load(1, true);
  await openTab();
  device.fail({ store: 'outbox', moment: 'commit', times: 1 });
  expect(await addOne(1)).toBe('done');
  expect(tab.connection.kept).toBe('device');
  expect(await waiting()).toEqual([1]);
  expect(await other.chunks.count()).toBe(0);
  expect(await tab.connection.catalogue.chunks.count()).toBe(1);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});

test('a failure of what nobody waits for moves nothing', async () => {
  await openTab();
  device.fail({ store: 'meta', times: 1 });
  await settled(recordSaveAttempt(tab.connection.db, ANNA, 'offline').catch(() => undefined));
  for (const name of ['QuotaExceededError', 'UnknownError', 'AbortError']) {
    const error = new DOMException('passing', name);
    await settled(tab.connection.recoverFrom(error));
    await settled(
      tab.connection.failover.recoverCatalogueFrom(new DOMException('x', 'AbortError')),
    );
  }
  expect(tab.connection.kept).toBe('device');
  expect(await addOne(1)).toBe('done');
});

test('a catalogue that fails again and again goes on in memory, and comes back by itself', async () => {
  await load(1, true);
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
  expect(await other.chunks.count()).toBe(1);
});

test('a catalogue whose reading failed as nothing should is loaded anew, and followed from then on', async () => {
  await load(1, true);
  await openTab();
  vi.stubGlobal('reportError', () => undefined);
  device.fail({ store: 'meta', mode: 'readonly', name: 'DataError' });
  await other.meta.put({ key: 'catalogue-attempt', failure: null });
  await until(async () => (await other.chunks.count()) === 0);
  device.heal();
  await vi.advanceTimersByTimeAsync(1000);
  await load(2, true);
  await until(() => tab.catalogueStore.snapshot()?.position?.generation === 2);
  expect(tab.catalogueStore.snapshot()?.index.rows()).toHaveLength(2);
});

test('a database that has opened in name only is opened again', async () => {
  const { transaction } = FDBDatabase.prototype;
  FDBDatabase.prototype.transaction = () => {
    FDBDatabase.prototype.transaction = transaction;
    throw new DOMException('not now', 'InvalidStateError');
  };
  await openTab();
  expect(await addOne(1)).toBe('done');
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => tab.connection.kept === 'device');
  expect(await waiting()).toEqual([1]);
});

test('a screen whose reading failed once is read again, by itself', async () => {
  device.fail({ store: 'bases', mode: 'readonly', name: 'AbortError', moment: 'abort', times: 1 });
  await openTabLate();
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  expect(tab.connection.kept).toBe('device');
});

async function openTabLate(): Promise<void> {
  const opening = tab.connection.open().then(() => tab.feedStores());
  for (let turn = 0; turn < 4; turn++) {
    await turns();
    await vi.advanceTimersByTimeAsync(1000);
  }
  await settled(opening);
}
