import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followTabs, renewingAlone, toldToTabs } from '../../src/account/other-tabs.ts';
import { TabChannel } from '../../src/db/tab-channel.ts';
import type { SessionStore } from '../../src/remote/auth/session.ts';
import { Device, freezeWithin, holdTime, loadTab, type Tab, turns, until } from '../db/device.ts';

const ADA = '0b8f8a3e-0000-4000-8000-000000000001';
const EVE = '0b8f8a3e-0000-4000-8000-000000000002';

interface OpenTab extends Tab {
  readonly tabs: TabChannel;
  readonly store: SessionStore;
  readonly renewal: (refreshToken: string) => Promise<Response>;
}

let device: Device;
let open: OpenTab[];
let asked: string[];

beforeEach(() => {
  holdTime();
  device = new Device();
  device.plugIn();
  open = [];
  asked = [];
  vi.stubGlobal('fetch', async (_: unknown, init: { body: string }) => {
    asked.push(init.body);
    return new Response('{}');
  });
});
afterEach(() => {
  for (const { connection, tabs } of open) {
    connection.db.close();
    tabs.close();
  }
  device.unplug();
  vi.useRealTimers();
});

async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await until(() => isOver);
  return work;
}

async function openTab(): Promise<OpenTab> {
  const tab = await loadTab();
  const tabs = new TabChannel();
  followTabs(tab.session, tab.connection, tabs, tab.showNoOther);
  await settled(tab.connection.open().then(() => tab.feedStores()));
  // What it loads at its first tap must be its own, and not the next tab's.
  await settled(tab.change([]));
  const fetch = renewingAlone(tab.session, tab.connection, tabs);
  const opened: OpenTab = {
    ...tab,
    tabs,
    store: toldToTabs(tab.session, tab.connection, tabs),
    renewal: (refreshToken) =>
      fetch('https://shop.weft.test/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        body: JSON.stringify({ refresh_token: refreshToken }),
      }),
  };
  open.push(opened);
  return opened;
}

function sessionOf(uid: string, generation: number): string {
  return JSON.stringify({
    access_token: `a${generation}`,
    refresh_token: `${uid} ${generation}`,
    expires_at: 2_000_000_000,
    user: { id: uid, email: '' },
  });
}

const addOne = (tab: Tab) =>
  settled(tab.change([{ kind: 'cart.add', args: { productId: 1, by: 1 } }]));
async function signIn(tab: OpenTab, uid: string, generation = 1): Promise<void> {
  await settled(tab.store.setItem(tab.store.key, sessionOf(uid, generation)));
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === uid);
}

/** The storage fails for as long as this tab needs to give it up. */
async function intoMemory(tab: Tab): Promise<void> {
  for (const store of ['open', 'meta', 'outbox']) {
    device.fail({ store });
    device.fail({ store, mode: 'readonly', name: 'UnknownError' });
  }
  await addOne(tab);
  expect(tab.connection.kept).toBe('memory');
  device.heal();
}

async function logOut(tab: OpenTab): Promise<void> {
  tab.tabs.post({ kind: 'shopper', uid: null });
  await settled(tab.logOut());
}

test('a tab in memory neither shows nor sends as the shopper who has logged out in another tab', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  expect(await addOne(one)).toBe('done');
  await logOut(two);
  await until(() => one.shopperStore.snapshot() === null);
  expect(await settled(one.session.getItem(one.session.key))).toBeNull();
  await signIn(two, EVE);
  expect(await addOne(one)).toBe('signed-out');
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => one.shopperStore.snapshot()?.shopper.uid === EVE);
  expect(one.connection.kept).toBe('device');
  // What Ada had put into the cart in memory waits for her, as after any logout.
  const rows = await two.connection.db.outbox.toArray();
  expect(rows.map(({ uid }) => uid)).toEqual([ADA]);
  expect(one.shopperStore.snapshot()?.data.cart).toEqual([]);
});

test('a tab shows the shopper no longer who has logged out in another, though a frozen one holds the device', async () => {
  const [one, two] = [await openTab(), await openTab()];
  const { db } = one.connection;
  await settled(one.store.setItem('weft-session', sessionOf(ADA, 1)));
  await until(() => two.shopperStore.snapshot()?.shopper.uid === ADA);
  const thaw = await freezeWithin(db, ['meta', 'bases', 'outbox']);
  one.tabs.post({ kind: 'shopper', uid: null });
  await until(() => two.shopperStore.snapshot() === null);
  thaw();
  // That logout was not stored: the device says who is signed in.
  await until(() => two.shopperStore.snapshot()?.shopper.uid === ADA);
});

test('a tab in memory hears that somebody else has signed in without a logout between', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  await signIn(two, EVE);
  await until(() => one.shopperStore.snapshot() === null);
});

test('a tab in memory hears of a login that a frozen tab holds up', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  const thaw = await freezeWithin(two.connection.db, ['session']);
  const login = two.store.setItem(two.store.key, sessionOf(EVE, 1));
  await until(() => one.shopperStore.snapshot() === null);
  thaw();
  await settled(login);
});

test('a session that is renewed in one tab signs nobody out in a tab in memory', async () => {
  const two = await openTab();
  await signIn(two, ADA);
  await intoMemory(two);
  await signIn(two, EVE);
  const one = await openTab();
  expect(one.shopperStore.snapshot()?.shopper.uid).toBe(ADA);
  const renewed = sessionOf(ADA, 2);
  await settled(one.store.replaceIf(one.store.key, () => true, renewed));
  // auth-js stores once more what it was given.
  await settled(one.store.setItem(one.store.key, renewed));
  await turns();
  expect(two.shopperStore.snapshot()?.shopper.uid).toBe(EVE);
});

test('a tab in memory leaves the session to the tab that has the device', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  await expect(settled(one.renewal(`${ADA} 1`))).rejects.toThrow('another tab');
  await settled(two.renewal(`${ADA} 1`));
  expect(asked).toHaveLength(1);
});

test('a tab in memory that is alone renews the session, and the device has it in the end', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const renewal = one.renewal(`${ADA} 1`);
  await vi.advanceTimersByTimeAsync(500);
  await settled(renewal);
  expect(asked).toHaveLength(1);
  await signIn(one, ADA, 2);
  await vi.advanceTimersByTimeAsync(1000);
  await until(() => one.connection.kept === 'device');
  const stored = await one.connection.db.session.get('weft-session');
  expect(stored?.value).toBe(sessionOf(ADA, 2));
});

test('two tabs in memory use a refresh token once: what one has renewed, the other has', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  await intoMemory(two);
  await signIn(one, ADA, 2);
  await until(async () => (await two.session.getItem('weft-session')) === sessionOf(ADA, 2));
  const late = expect(two.renewal(`${ADA} 1`)).rejects.toThrow('another tab');
  await vi.advanceTimersByTimeAsync(500);
  await late;
  expect(asked).toEqual([]);
});

test('a session renewed in memory alone reaches a tab that slept over it, and the device', async () => {
  const one = await openTab();
  await signIn(one, ADA);
  await intoMemory(one);
  const two = await openTab();
  await signIn(one, ADA, 2);
  await until(async () => (await two.session.getItem('weft-session')) === sessionOf(ADA, 2));
  expect(two.connection.kept).toBe('device');
});
