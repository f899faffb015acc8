/** Actions of bad luck: at the storage, the tabs, the network and the services. */
import type { Phone } from './phone.ts';
import { change, changeCatalogue, randomAction, tap } from './shopping.ts';
import type { World } from './world.ts';

const MOST_TABS = 3;

export function crashTab(world: World, phone: Phone): void {
  const [...tabs] = phone.liveTabs;
  if (tabs.length === 0) return;
  const tab = world.chance.pick(tabs);
  tab.stepsToLive = world.chance.between(1, 40);
  world.verdicts.action(`${tab.name} has ${tab.stepsToLive} steps to live`);
  // Activity, so that it dies in the midst of it.
  if (world.chance.happens(0.7)) tap(world, phone);
  world.begin(tab, async () => tab.page.fire('online'));
}

export function openTab(world: World, phone: Phone): void {
  if (phone.tabs.filter(({ isDead }) => !isDead).length >= MOST_TABS) return;
  const tab = phone.openTab(world.chance.happens(0.4));
  world.verdicts.action(`${tab.name} opens`);
}

export function rollBack(world: World, phone: Phone): void {
  const { snapshots } = phone.storage;
  const recent = snapshots.slice(world.chance.happens(0.8) ? -8 : 0);
  world.verdicts.action(`${phone.name} crashes, its storage goes back`);
  world.verdicts.fault('storage rolled back');
  phone.rollBack(world.chance.pick(recent));
  phone.openTab();
}

/** Storage fails, mostly while the shopper uses it. */
export async function failStorage(world: World, phone: Phone): Promise<void> {
  const { chance } = world;
  world.verdicts.action(`${phone.name}: ${phone.faults.begin(chance)}`);
  if (phone.faults.isOfCatalogue) {
    // Phones write the catalogue only when there is news.
    await changeCatalogue(world);
    world.tell(phone, 'online');
  }
  if (chance.happens(0.7)) tap(world, phone);
  if (chance.happens(0.2)) openTab(world, phone);
}

export function slowStorage(world: World, phone: Phone): void {
  const { chance } = world;
  const openMs = chance.pick([900, 3000, 5000, 7000, 15_000]);
  world.verdicts.action(`${phone.name}: databases open in ${openMs} ms`);
  phone.faults.slowDown(openMs, chance.pick([2000, 10_000, 60_000]));
  openTab(world, phone);
}

/** A tab stops in the middle of a transaction, and its phone's other tabs are used. */
export function freezeTab(world: World, phone: Phone): void {
  const { chance } = world;
  if (phone.liveTabs.length < 2) openTab(world, phone);
  const [...tabs] = phone.liveTabs;
  if (tabs.length === 0) return;
  const tab = chance.pick(tabs);
  tab.freezesForMs = chance.pick([2000, 10_000, 30_000, 90_000]);
  world.verdicts.action(`${tab.name} freezes as it writes`);
  world.begin(tab, () => world.taps.change(tab, [randomAction(chance)]));
  for (const ms of [chance.between(20, 300), chance.between(300, 2500)]) {
    world.clock.after(ms, () => tap(world, phone), null);
  }
  if (chance.happens(0.3)) world.clock.after(200, () => openTab(world, phone), null);
}

/** The server will have lost the next few transactions. */
export async function setBack(world: World): Promise<void> {
  const { chance, restores, verdicts } = world;
  const count = chance.pick([1, 1, 2, 2, 3, 4, 6]);
  verdicts.action(`a backup; the next ${count} transactions will be lost`);
  await restores.backup(count);
  if (chance.happens(0.4)) await reuseVersion(world);
}

/** Phones load a version of the catalogue that other products have after the restore. */
async function reuseVersion(world: World): Promise<void> {
  await changeCatalogue(world);
  for (const phone of world.phones) wakeUp(world, phone);
  const again = async () => {
    if (world.isHealing) return;
    await world.restores.restore();
    await changeCatalogue(world);
  };
  world.clock.after(world.chance.between(500, 5000), again, null);
}

export function expireToken(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.action(`tokens of ${uid.slice(0, 4)} are no longer good`);
  world.auth.expireAll(uid);
}

export function endSession(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.action(`sessions of ${uid.slice(0, 4)} are ended`);
  world.auth.endAll(uid);
}

export function changeAuthHealth(world: World): void {
  const health = world.chance.pick(['good', 'good', 'busy', 'away'] as const);
  world.gateway.authHealth = health;
  world.verdicts.action(`the auth service is ${health}`);
}

/** REST is unwell for a while. */
export function changeRestHealth(world: World): void {
  const health = world.chance.pick(['good', 'refusing', 'refusing', 'endless'] as const);
  world.gateway.restHealth = health;
  world.verdicts.action(`REST is ${health}`);
  if (health === 'good') return;
  const well = () => {
    world.gateway.restHealth = 'good';
  };
  world.clock.after(world.chance.pick([2000, 10_000, 40_000]), well, null);
}

export function changeWeather(world: World, phone: Phone): void {
  const before = phone.weather;
  phone.weather = world.chance.pick(['good', 'bad', 'bad', 'bad', 'lossy', 'offline', 'offline']);
  world.verdicts.action(`${phone.name}: the network is ${phone.weather}`);
  if (before !== 'offline' || phone.weather === 'offline') return;
  world.tell(phone, 'online');
}

/** A long queue, and then a line on which three of ten requests fail. */
export function queueOnLossyLine(world: World, phone: Phone): void {
  phone.weather = 'offline';
  change(world, phone, 240);
  world.verdicts.fault('long queue on a lossy line');
  const back = () => {
    if (world.isHealing) return;
    phone.weather = 'lossy';
    world.verdicts.action(`${phone.name}: the network is lossy`);
    world.tell(phone, 'online');
  };
  world.clock.after(world.chance.between(500, 3000), back, null);
}

export function changeRealtime(world: World, phone: Phone): void {
  const health = world.chance.pick(['good', 'silent', 'closing', 'closing', 'refusing'] as const);
  world.realtime.health = health;
  world.verdicts.action(`realtime is ${health}`);
  if (health === 'silent') world.verdicts.fault('realtime silent');
  if (health !== 'good' && health !== 'silent') world.realtime.closeAll();
  world.tell(phone, 'online');
}

export function notifyForNothing(world: World, phone: Phone): void {
  world.verdicts.action(`realtime notifies ${phone.name} for nothing`);
  world.realtime.notifyAt(phone.liveTabs);
}

export function wakeUp(world: World, phone: Phone): void {
  world.verdicts.action(`${phone.name} comes to the front`);
  world.tell(phone, 'visibilitychange');
}
