/** Tabs tell each other who is signed in, even if their storage has failed and they work from memory. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  announcingToTabs,
  fetchUnlessRenewedElsewhere,
  followTabs,
} from '../../src/account/other-tabs.ts';
import { TabChannel } from '../../src/db/tab-channel.ts';
import type { SessionStore } from '../../src/remote/auth/session.ts';
import { freezeWithin } from '../db/device.ts';
import {
  addOne as addOneIn,
  device,
  loadTab,
  plugInDeviceBeforeEach,
  settled,
  type Tab,
  letStorageWork,
  until,
} from '../db/tab.ts';

const ADA = '0b8f8a3e-0000-4000-8000-000000000001';
const EVE = '0b8f8a3e-0000-4000-8000-000000000002';

/** How long a tab works from memory before it first retries the device; as in `db/failover.ts`. */
const FIRST_PAUSE_MS = 1000;
/** How long a tab waits for answers of other tabs; as in `db/tab-channel.ts`. */
const ANSWER_MS = 500;

/** A tab with what signing in needs. */
interface OpenTab extends Tab {
  readonly tabs: TabChannel;
  readonly store: SessionStore;
  /** Renews the session as auth-js does. */
  readonly renew: (refreshToken: string) => Promise<Response>;
}

let openTabs: OpenTab[];
let renewals: string[];

plugInDeviceBeforeEach();
beforeEach(() => {
  openTabs = [];
  renewals = [];
  vi.stubGlobal('fetch', async (_: unknown, init: { body: string }) => {
    renewals.push(init.body);
    return new Response('{}');
  });
});
afterEach(() => {
  for (const { connection, tabs } of openTabs) {
    connection.db.close();
    tabs.close();
  }
});

async function openTab(): Promise<OpenTab> {
  const tab = await loadTab();
  const tabs = new TabChannel();
  followTabs(tab.session, tab.connection, tabs, tab.showNoOther);
  await settled(tab.connection.open().then(() => tab.feedStores()));
  // Loads the modules of a tap now. Loaded after the next `loadTab`, they would be that tab's copies.
  await settled(tab.change([]));
  const fetch = fetchUnlessRenewedElsewhere(tab.session, tab.connection, tabs);
  const opened: OpenTab = {
    ...tab,
    tabs,
    store: announcingToTabs(tab.session, tab.connection, tabs),
    renew: (refreshToken) =>
      fetch('https://shop.weft.test/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        body: JSON.stringify({ refresh_token: refreshToken }),
      }),
  };
  openTabs.push(opened);
  return opened;
}

/** A stored session; each renewal has a higher number. */
function sessionOf(uid: string, renewal: number): string {
  return JSON.stringify({
    access_token: `a${renewal}`,
    refresh_token: `${uid} ${renewal}`,
    expires_at: 2_000_000_000,
    user: { id: uid, email: '' },
  });
}

const addOne = (tab: Tab) => settled(addOneIn(tab));
async function signIn(tab: OpenTab, uid: string, renewal = 1): Promise<void> {
  await settled(tab.store.setItem(tab.store.key, sessionOf(uid, renewal)));
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === uid);
}

/** The session in the database that this tab works with. */
const storedSession = ({ session }: Tab) => session.getItem(session.key);

/** Makes the storage fail until this tab works from memory, and then heals it. */
async function moveToMemory(tab: Tab): Promise<void> {
  for (const store of ['open', 'meta', 'outbox']) {
    device.fail({ store });
    device.fail({ store, mode: 'readonly', name: 'UnknownError' });
  }
  // A tap that discovered the failure would be lost, unless a read in the background came first.
  await settled(tab.connection.recoverFrom(new DOMException('away', 'UnknownError')));
  expect(tab.connection.kept).toBe('memory');
  device.heal();
}

async function openTabInMemory(uid: string): Promise<OpenTab> {
  const tab = await openTab();
  await signIn(tab, uid);
  await moveToMemory(tab);
  return tab;
}

/** As `logOut` in `account/mutations.ts`: tells the other tabs first, then forgets. */
async function logOut(tab: OpenTab): Promise<void> {
  tab.tabs.post({ kind: 'shopper', uid: null });
  await settled(tab.logOut());
}

test('a tab in memory stops showing and saving for a shopper who logs out in another tab', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const deviceTab = await openTab();
  expect(await addOne(memoryTab)).toBe('done');
  await logOut(deviceTab);
  await until(() => memoryTab.shopperStore.snapshot() === null);
  expect(await settled(storedSession(memoryTab))).toBeNull();
  await signIn(deviceTab, EVE);
  expect(await addOne(memoryTab)).toBe('signed-out');
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  await until(() => memoryTab.shopperStore.snapshot()?.shopper.uid === EVE);
  expect(memoryTab.connection.kept).toBe('device');
  // Ada's change from memory is stored for her next login.
  const rows = await deviceTab.connection.db.outbox.toArray();
  expect(rows.map(({ uid }) => uid)).toEqual([ADA]);
  expect(memoryTab.shopperStore.snapshot()?.data.cart).toEqual([]);
});

test('a tab stops showing a shopper who logs out in another tab, though a frozen tab locks the device', async () => {
  const [leavingTab, watchingTab] = [await openTab(), await openTab()];
  const { db } = leavingTab.connection;
  await settled(leavingTab.store.setItem(leavingTab.store.key, sessionOf(ADA, 1)));
  await until(() => watchingTab.shopperStore.snapshot()?.shopper.uid === ADA);
  const thaw = await freezeWithin(db, ['meta', 'bases', 'outbox']);
  leavingTab.tabs.post({ kind: 'shopper', uid: null });
  await until(() => watchingTab.shopperStore.snapshot() === null);
  thaw();
  // That logout was not stored, so the device still says that Ada is logged in.
  await until(() => watchingTab.shopperStore.snapshot()?.shopper.uid === ADA);
});

test('a tab in memory stops showing its shopper when another shopper logs in without a logout between', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const deviceTab = await openTab();
  await signIn(deviceTab, EVE);
  await until(() => memoryTab.shopperStore.snapshot() === null);
});

test('a tab in memory stops showing its shopper at a login that a frozen tab delays', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const deviceTab = await openTab();
  const thaw = await freezeWithin(deviceTab.connection.db, ['session']);
  const login = deviceTab.store.setItem(deviceTab.store.key, sessionOf(EVE, 1));
  await until(() => memoryTab.shopperStore.snapshot() === null);
  thaw();
  await settled(login);
});

test('a session that one tab renews logs out no shopper in a tab in memory', async () => {
  const memoryTab = await openTabInMemory(ADA);
  await signIn(memoryTab, EVE);
  const deviceTab = await openTab();
  expect(deviceTab.shopperStore.snapshot()?.shopper.uid).toBe(ADA);
  const renewed = sessionOf(ADA, 2);
  await settled(deviceTab.store.replaceIf(deviceTab.store.key, () => true, renewed));
  // auth-js then stores the renewed session itself.
  await settled(deviceTab.store.setItem(deviceTab.store.key, renewed));
  await letStorageWork();
  expect(memoryTab.shopperStore.snapshot()?.shopper.uid).toBe(EVE);
});

test('a tab in memory leaves renewing the session to the tab that uses the device', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const deviceTab = await openTab();
  await expect(settled(memoryTab.renew(`${ADA} 1`))).rejects.toThrow('another tab');
  await settled(deviceTab.renew(`${ADA} 1`));
  expect(renewals).toHaveLength(1);
});

test('a tab in memory that is alone renews the session, which reaches the device later', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const renewal = memoryTab.renew(`${ADA} 1`);
  await vi.advanceTimersByTimeAsync(ANSWER_MS);
  await settled(renewal);
  expect(renewals).toHaveLength(1);
  await signIn(memoryTab, ADA, 2);
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  await until(() => memoryTab.connection.kept === 'device');
  expect(await storedSession(memoryTab)).toBe(sessionOf(ADA, 2));
});

test('of two tabs in memory one renews the session, and both use it', async () => {
  const renewingTab = await openTabInMemory(ADA);
  const secondTab = await openTab();
  await moveToMemory(secondTab);
  await signIn(renewingTab, ADA, 2);
  await until(async () => (await storedSession(secondTab)) === sessionOf(ADA, 2));
  const rejection = expect(secondTab.renew(`${ADA} 1`)).rejects.toThrow('another tab');
  await vi.advanceTimersByTimeAsync(ANSWER_MS);
  await rejection;
  expect(renewals).toEqual([]);
});

test('a session that one tab renews in memory reaches a tab that uses the device', async () => {
  const memoryTab = await openTabInMemory(ADA);
  const deviceTab = await openTab();
  await signIn(memoryTab, ADA, 2);
  await until(async () => (await storedSession(deviceTab)) === sessionOf(ADA, 2));
  expect(deviceTab.connection.kept).toBe('device');
});
