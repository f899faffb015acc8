/** Random actions that inject faults: into storage, tabs, network, services and the database. */
import type { Phone } from './phone.ts';
import { changeCatalogue, makeChanges, randomAction, signInAs, tap } from './shopping.ts';
import type { World } from './world.ts';

/** The most open tabs of one phone. */
const MAX_TABS = 3;
/** A request that a closed tab has sent has arrived after this time. */
const MOST_IN_TRANSIT_MS = 60_000;

/** A tab crashes within the next 40 steps of its code (`Tab.stepsToLive`). */
export function crashTab(world: World, phone: Phone): void {
  const tab = world.chance.pickIfAny(phone.liveTabs);
  if (!tab) return;
  tab.stepsToLive = world.chance.between(1, 40);
  world.verdicts.action(`${tab.name} has ${tab.stepsToLive} steps to live`);
  // Gives the tab work, so that it crashes in the middle of it.
  if (world.chance.happens(0.7)) tap(world, phone);
  world.runIn(tab, async () => tab.events.fire('online'));
}

export function openTab(world: World, phone: Phone): void {
  if (phone.tabs.filter(({ isDead }) => !isDead).length >= MAX_TABS) return;
  const tab = phone.openTab({ hasLocks: world.chance.happens(0.4) });
  world.verdicts.action(`${tab.name} opens`);
}

/** The phone crashes, and its storage is rolled back to a snapshot, mostly to one of the last eight. */
export function rollBackStorage(world: World, phone: Phone): void {
  const { snapshots } = phone.storage;
  const recent = snapshots.slice(world.chance.happens(0.8) ? -8 : 0);
  world.verdicts.action(`${phone.name} crashes, its storage is rolled back`);
  world.verdicts.fault('storage rolled back');
  phone.rollBack(world.chance.pick(recent));
  phone.openTab();
}

/** A change that may still be repeated is kept for 400 days. */
const MOST_DAYS = 399;

/** All phones are put away for a month or a year. The server's upkeep runs, and some phones are taken up again. */
export async function passDays(world: World): Promise<void> {
  const { chance, clock, network, oracle, server, verdicts } = world;
  const days = chance.pick([31, 31, 31, 340]);
  if (world.daysPassed + days > MOST_DAYS) return;
  world.daysPassed += days;
  for (const phone of world.phones) for (const tab of phone.tabs) tab.die();
  // Requests and deferred events of the closed tabs still end.
  if (!(await clock.runUntil(() => network.inTransit === 0, clock.nowMs + MOST_IN_TRANSIT_MS)))
    return;
  verdicts.action(`${days} days go by`);
  verdicts.fault(`phones silent for ${days} days`);
  await clock.inRealTime(() => server.passDays(world.users, days));
  for (const uid of world.users) {
    oracle.noteForgotten(uid, await clock.inRealTime(() => server.rowsOf(uid)));
  }
  for (const phone of world.phones) {
    if (chance.happens(0.2)) rollBackStorage(world, phone);
    else if (chance.happens(0.5)) phone.openTab();
  }
}

/** The storage begins to fail, mostly while the shopper uses it. */
export async function failStorage(world: World, phone: Phone): Promise<void> {
  const { chance } = world;
  world.verdicts.action(`${phone.name}: ${phone.faults.draw(chance)}`);
  if (phone.faults.isOfCatalogue) {
    // Phones write the catalogue only when it has changed.
    await changeCatalogue(world);
    world.fireInTabs(phone, 'online');
  }
  if (chance.happens(0.7)) tap(world, phone);
  if (chance.happens(0.2)) openTab(world, phone);
}

/** A tab opens while no database does, and a shopper signs in and shops in its memory. */
export function shopInMemory(world: World, phone: Phone): void {
  const { chance, clock } = world;
  if (phone.tabs.filter(({ isDead }) => !isDead).length >= MAX_TABS) return;
  phone.faults.block(chance.pick([3000, 20_000]));
  const tab = phone.openTab();
  world.verdicts.action(`${tab.name} opens while the storage is blocked`);
  const uid = chance.pick(world.users);
  const signIn = () => void signInAs(world, phone, uid, tab.isReady ? [tab] : []);
  clock.after(2500, signIn, null);
  for (const ms of [5000, 8000]) {
    const shop = () => world.taps.makeChanges(tab, [randomAction(chance)]);
    clock.after(ms, () => world.runIn(tab, shop), tab);
  }
}

/** A tab freezes in the middle of a transaction, while the shopper uses other tabs of the phone. */
export function freezeTab(world: World, phone: Phone): void {
  const { chance } = world;
  if (phone.liveTabs.length < 2) openTab(world, phone);
  const tab = chance.pickIfAny(phone.liveTabs);
  if (!tab) return;
  tab.freezesForMs = chance.pick([2000, 10_000, 30_000, 90_000]);
  world.verdicts.action(`${tab.name} freezes as it writes`);
  world.runIn(tab, () => world.taps.makeChanges(tab, [randomAction(chance)]));
  for (const ms of [chance.between(20, 300), chance.between(300, 2500)]) {
    world.clock.after(ms, () => tap(world, phone), null);
  }
  if (chance.happens(0.3)) world.clock.after(200, () => openTab(world, phone), null);
}

/** The user follows a link right after a tap, and the next page opens; sometimes they come back with Back. */
export function leavePage(world: World, phone: Phone): void {
  const { chance, clock } = world;
  const tab = chance.pickIfAny(phone.liveTabs);
  if (!tab) return;
  world.verdicts.action(`${tab.name} is left after a tap`);
  world.runIn(tab, () => world.taps.makeChanges(tab, [randomAction(chance)]));
  const backAfterMs = chance.happens(0.4) ? chance.pick([500, 5000, 30_000]) : null;
  const leave = () => {
    if (!tab.isReady || world.areFaultsOver) return;
    clock.runAs(tab, () => tab.leave(backAfterMs));
    phone.openTab();
  };
  clock.after(chance.between(0, 6), leave, null);
}

/** Makes a backup, from which the database is restored after the next few transactions. */
export async function backUpDatabase(world: World): Promise<void> {
  const { chance, restores, verdicts } = world;
  const count = chance.pick([1, 1, 2, 2, 3, 4, 6]);
  verdicts.action(`a backup, which is restored after ${count} transactions`);
  await restores.backup(count);
  if (chance.happens(0.4)) await reuseVersionNumber(world);
}

/**
 * Phones load a version of the catalogue that the restore then removes. A later version with other products
 * gets the same number.
 */
async function reuseVersionNumber(world: World): Promise<void> {
  await changeCatalogue(world);
  for (const phone of world.phones) bringToFront(world, phone);
  const restoreAndChange = async () => {
    if (world.areFaultsOver) return;
    await world.restores.restoreDatabase();
    await changeCatalogue(world);
  };
  world.clock.after(world.chance.between(500, 5000), restoreAndChange, null);
}

/** All access tokens of a shopper expire; the sessions can be renewed. */
export function expireTokens(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.action(`tokens of ${uid.slice(0, 4)} expire`);
  world.auth.expireAll(uid);
}

export function endSessions(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.action(`sessions of ${uid.slice(0, 4)} are ended`);
  world.auth.endAll(uid);
}

export function changeAuthHealth(world: World): void {
  const health = world.chance.pick(['good', 'good', 'busy', 'down'] as const);
  world.gateway.authHealth = health;
  world.verdicts.action(`the auth service is ${health}`);
}

/** For a while, the REST service rejects tokens or serves an endless catalogue; or it is good. */
export function changeRestHealth(world: World): void {
  const health = world.chance.pick([
    'good',
    'rejecting tokens',
    'rejecting tokens',
    'endless catalogue',
  ] as const);
  world.gateway.restHealth = health;
  world.verdicts.action(`REST: ${health}`);
  if (health === 'good') return;
  const recover = () => {
    world.gateway.restHealth = 'good';
  };
  world.clock.after(world.chance.pick([2000, 10_000, 40_000]), recover, null);
}

/** The phone's network changes. A phone that goes online tells its tabs. */
export function changeNetwork(world: World, phone: Phone): void {
  const before = phone.networkState;
  phone.networkState = world.chance.pick([
    'good',
    'bad',
    'bad',
    'bad',
    'lossy',
    'offline',
    'offline',
  ]);
  world.verdicts.action(`${phone.name}: the network is ${phone.networkState}`);
  if (before !== 'offline' || phone.networkState === 'offline') return;
  world.fireInTabs(phone, 'online');
}

/** Makes 60 to 240 changes offline; then the phone goes online on a lossy network. */
export function queueOnLossyNetwork(world: World, phone: Phone): void {
  phone.networkState = 'offline';
  makeChanges(world, phone, 240);
  world.verdicts.fault('long queue on a lossy network');
  const goOnline = () => {
    if (world.areFaultsOver) return;
    phone.networkState = 'lossy';
    world.verdicts.action(`${phone.name}: the network is lossy`);
    world.fireInTabs(phone, 'online');
  };
  world.clock.after(world.chance.between(500, 3000), goOnline, null);
}

/** The health of the realtime service changes, and a phone goes online, so that its tabs connect again. */
export function changeRealtime(world: World, phone: Phone): void {
  const health = world.chance.pick(['good', 'silent', 'closing', 'closing', 'failing'] as const);
  world.realtime.health = health;
  world.verdicts.action(`realtime is ${health}`);
  if (health === 'silent') world.verdicts.fault('realtime silent');
  if (health !== 'good' && health !== 'silent') world.realtime.closeAll();
  world.fireInTabs(phone, 'online');
}

export function bringToFront(world: World, phone: Phone): void {
  world.verdicts.action(`the page of ${phone.name} comes to the front`);
  world.fireInTabs(phone, 'visibilitychange');
}
