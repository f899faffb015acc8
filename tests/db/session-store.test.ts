/** A renewed session and a logout outlive a storage that fails or waits, in this tab and in the others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ANNA, BERTA } from './catalogue.ts';
import { freezeWithin } from './device.ts';
import { device, loadTab, plugInDeviceBeforeEach, settled, type Tab, until } from './tab.ts';

/** The longest pause before the second attempt to store a session. */
const FIRST_PAUSE_MS = 1000;

let openTabs: Tab[];
let stopsHearing: (() => void)[];
let tab: Tab;
/** The device, as another page reads it. */
let otherDb: WeftDatabase;

plugInDeviceBeforeEach();
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  openTabs = [];
  stopsHearing = [];
  tab = await openTab();
  otherDb = new tab.WeftDatabase();
  await otherDb.open();
  await settled(tab.pageSession.setItem('weft-session', sessionOf(ANNA, 0)));
  await until(() => tab.shopperStore.snapshot()?.shopper.uid === ANNA);
  // A tab uses an unstored renewal only of the session that it has read.
  await settled(tab.pageSession.getItem('weft-session'));
});
afterEach(() => {
  otherDb.close();
  for (const { connection } of openTabs) connection.db.close();
  for (const stopHearing of stopsHearing) stopHearing();
  vi.restoreAllMocks();
});

async function openTab(): Promise<Tab> {
  const opened = await loadTab();
  openTabs.push(opened);
  stopsHearing.push(opened.hearTabs((news) => opened.pageSession.hear(news)));
  await settled(opened.connection.open().then(() => opened.feedStores()));
  return opened;
}

/** A stored session; each renewal has a higher number. */
function sessionOf(uid: string, renewal: number): string {
  return JSON.stringify({ user: { id: uid, email: '' }, refresh_token: `${uid} ${renewal}` });
}

/** Renews Anna's session to this number, if the stored one has the number before. */
const renew = (on: Tab, renewal: number) =>
  settled(
    on.pageSession.replaceIf(
      (text) => text === sessionOf(ANNA, renewal - 1),
      sessionOf(ANNA, renewal),
    ),
  );

const sessionIn = (on: Tab) => settled(on.pageSession.getItem('weft-session'));
const storedSession = async () => (await otherDb.session.get('weft-session'))?.value;
const shownIn = (on: Tab) => on.shopperStore.snapshot()?.shopper.uid;

/** Makes each write of a session fail, in every tab. */
function failWrites(): void {
  for (const store of ['session', 'meta']) device.fail({ store, name: 'UnknownError' });
}

test('a renewed session that cannot be stored is used by this tab, and stored when the storage works again', async () => {
  failWrites();
  expect(await renew(tab, 1)).toBe(true);
  expect(await sessionIn(tab)).toBe(sessionOf(ANNA, 1));
  expect(await renew(tab, 2)).toBe(true);
  expect(await sessionIn(tab)).toBe(sessionOf(ANNA, 2));
  expect(await storedSession()).toBe(sessionOf(ANNA, 0));
  device.heal();
  await vi.advanceTimersByTimeAsync(2 * FIRST_PAUSE_MS);
  await until(async () => (await storedSession()) === sessionOf(ANNA, 2));
});

test('auth-js passes on a renewed session that cannot be stored, and a login that cannot be stored fails', async () => {
  failWrites();
  await renew(tab, 1);
  await settled(tab.pageSession.setItem('weft-session', sessionOf(ANNA, 1)));
  const login = settled(tab.pageSession.setItem('weft-session', sessionOf(BERTA, 0)));
  await expect(login).rejects.toThrow();
});

test('a renewed session that waits for a frozen tab is used meanwhile', async () => {
  const thaw = await freezeWithin(otherDb, ['meta']);
  const renewal = tab.pageSession.replaceIf(() => true, sessionOf(ANNA, 1));
  expect(await sessionIn(tab)).toBe(sessionOf(ANNA, 1));
  thaw();
  expect(await settled(renewal)).toBe(true);
  expect(await storedSession()).toBe(sessionOf(ANNA, 1));
});

test('a renewed session does not replace the one of a shopper who has logged in meanwhile', async () => {
  failWrites();
  await renew(tab, 1);
  device.heal();
  await otherDb.session.put({ key: 'weft-session', value: sessionOf(BERTA, 0) });
  expect(await sessionIn(tab)).toBe(sessionOf(BERTA, 0));
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  expect(await sessionIn(tab)).toBe(sessionOf(BERTA, 0));
  expect(await storedSession()).toBe(sessionOf(BERTA, 0));
});

test('a logout that cannot be stored shows the shopper in no tab, and is stored when the storage works again', async () => {
  const second = await openTab();
  await until(() => shownIn(second) === ANNA);
  failWrites();
  expect(await settled(tab.pageSession.logOut(ANNA))).toBe(false);
  await until(() => shownIn(tab) === undefined && shownIn(second) === undefined);
  expect(await sessionIn(tab)).toBeNull();
  expect(await sessionIn(second)).toBeNull();
  expect(await storedSession()).toBe(sessionOf(ANNA, 0));
  device.heal();
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  await until(async () => (await storedSession()) === undefined);
  expect(await otherDb.meta.get('shopper')).toBeUndefined();
});

test('a session that is renewed while the logout cannot be stored does not bring the shopper back', async () => {
  const second = await openTab();
  await sessionIn(second);
  failWrites();
  await settled(tab.pageSession.logOut(ANNA));
  await until(() => shownIn(second) === undefined);
  await settled(second.pageSession.replaceIf((text) => text !== null, sessionOf(ANNA, 1)));
  expect(await sessionIn(second)).toBeNull();
});

test('a logout that cannot be stored is not taken for a session that has ended', async () => {
  failWrites();
  await settled(tab.pageSession.logOut(ANNA));
  device.heal();
  const isEnded = tab.pageSession.replaceIf((text) => text !== null, null);
  expect(await settled(isEnded)).toBe(false);
  expect(await otherDb.meta.get('shopper')).toMatchObject({ session: 'live' });
});

test('a shopper who logs in again while their logout cannot be stored stays logged in', async () => {
  const second = await openTab();
  failWrites();
  await settled(tab.pageSession.logOut(ANNA));
  await until(() => second.pageSession.isLoggedOut(ANNA));
  device.heal();
  await settled(second.pageSession.setItem('weft-session', sessionOf(ANNA, 5)));
  await until(() => shownIn(second) === ANNA && !tab.pageSession.isLoggedOut(ANNA));
  await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS);
  expect(await storedSession()).toBe(sessionOf(ANNA, 5));
});
