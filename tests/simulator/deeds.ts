/** What shoppers, other clients, the shop and bad luck do during a schedule, drawn at random. */
import type { ChangeAction } from '../../src/domain/change.ts';
import type { Chance } from './chance.ts';
import type { Phone } from './phone.ts';
import { PRODUCTS } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { World } from './world.ts';

/** Never was in the shop. */
const NO_PRODUCT = 999;
const MOST_TABS = 3;

type Deed = (world: World, phone: Phone) => void | Promise<void>;

const DEEDS: readonly (readonly [number, Deed])[] = [
  [34, tap],
  [0.7, tapOften],
  [5, crashTab],
  [4, openTab],
  [2.5, rollBack],
  [2, logOut],
  [4, signIn],
  [3, expireToken],
  [1.5, endSession],
  [2, changeAuthMood],
  [12, changeWeather],
  [7, writeRow],
  [2, changeCatalogue],
  [2, changeRealtime],
  [3, ringForNothing],
  [2, wakeUp],
  [4, look],
  [1, dismissRefused],
  [1, askAgain],
];

/** Something happens to this phone, its shopper or the shop. */
export function doSomething(world: World, phone: Phone): void | Promise<void> {
  return world.chance.weighted(DEEDS)(world, phone);
}

/** Makes shopper `uid` the phone's, after a logout of whoever was. */
export function signInAs(world: World, phone: Phone, uid: string): boolean {
  const [tab] = phone.liveTabs;
  if (!tab) return false;
  const session = world.auth.signIn(uid, world.clock.nowMs);
  world.verdicts.operation(`${tab.name}: ${uid.slice(0, 4)} signs in`);
  world.begin(tab, async () => {
    if (phone.shopper && phone.shopper.uid !== uid) await tab.logOut();
    await tab.signIn(session);
  });
  return true;
}

export function randomAction(chance: Chance): ChangeAction {
  const productId = chance.happens(0.02) ? NO_PRODUCT : chance.pick(PRODUCTS);
  const many = chance.happens(0.04);
  const kind = chance.weighted<ChangeAction['kind']>([
    [10, 'cart.add'],
    [4, 'cart.set'],
    [3, 'cart.remove'],
    [1, 'cart.clear'],
    [3, 'favourite.add'],
    [2, 'favourite.remove'],
  ]);
  switch (kind) {
    case 'cart.add':
    case 'cart.reduce':
      return { kind, args: { productId, by: many ? 600 : chance.between(1, 3) } };
    case 'cart.set':
      return { kind, args: { productId, quantity: many ? 1000 : chance.between(1, 9) } };
    case 'cart.clear':
      return { kind, args: {} };
    case 'cart.remove':
    case 'favourite.add':
    case 'favourite.remove':
      return { kind, args: { productId } };
  }
}

function enqueue(world: World, phone: Phone, count: number): void {
  const uid = phone.shopper?.uid;
  const [...tabs] = phone.liveTabs;
  if (uid === undefined || tabs.length === 0) return;
  const tab = world.chance.pick(tabs);
  const actions = Array.from({ length: count }, () => randomAction(world.chance));
  const what = actions.map(({ kind, args }) => `${kind} ${JSON.stringify(args)}`);
  world.verdicts.operation(`${tab.name} taps ${count > 4 ? `${count} times` : what.join(', ')}`);
  // Between seeing who is signed in and the change itself, somebody else may sign in.
  const ms = world.chance.happens(0.7) ? 0 : world.chance.between(0, 60);
  world.clock.after(ms, () => world.begin(tab, () => tab.tap(uid, actions)), tab);
}

function tap(world: World, phone: Phone): void {
  enqueue(world, phone, world.chance.pick([1, 1, 1, 2, 4]));
}

function tapOften(world: World, phone: Phone): void {
  enqueue(world, phone, world.chance.between(30, 130));
}

function crashTab(world: World, phone: Phone): void {
  const [...tabs] = phone.liveTabs;
  if (tabs.length === 0) return;
  const tab = world.chance.pick(tabs);
  tab.stepsToLive = world.chance.between(1, 40);
  world.verdicts.operation(`${tab.name} has ${tab.stepsToLive} steps to live`);
  // Activity, so that it dies in the midst of it.
  if (world.chance.happens(0.7)) tap(world, phone);
  world.begin(tab, async () => tab.page.fire('online'));
}

function openTab(world: World, phone: Phone): void {
  if (phone.tabs.filter(({ isDead }) => !isDead).length >= MOST_TABS) return;
  const tab = phone.openTab(world.chance.happens(0.4));
  world.verdicts.operation(`${tab.name} opens`);
}

function rollBack(world: World, phone: Phone): void {
  const { snapshots } = phone.storage;
  const recent = snapshots.slice(world.chance.happens(0.8) ? -8 : 0);
  world.verdicts.operation(`${phone.name} crashes, its storage goes back`);
  world.verdicts.fault('storage rolled back');
  phone.rollBack(world.chance.pick(recent));
  phone.openTab();
}

function logOut(world: World, phone: Phone): void {
  const [tab] = phone.liveTabs;
  if (!tab || !phone.shopper) return;
  world.verdicts.operation(`${tab.name}: ${phone.shopper.uid.slice(0, 4)} logs out`);
  if (phone.pendingOf(phone.shopper.uid).length > 0) world.verdicts.fault('logout with unsaved');
  world.begin(tab, () => tab.logOut());
}

function signIn(world: World, phone: Phone): void {
  const uid = world.chance.pick(world.users);
  if (world.chance.happens(0.4)) tap(world, phone);
  const isSwitch = phone.shopper !== undefined && phone.shopper.uid !== uid;
  if (signInAs(world, phone, uid) && isSwitch) world.verdicts.fault('switch of user');
}

function expireToken(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.operation(`tokens of ${uid.slice(0, 4)} are no longer good`);
  world.auth.expireAll(uid);
}

function endSession(world: World): void {
  const uid = world.chance.pick(world.users);
  world.verdicts.operation(`sessions of ${uid.slice(0, 4)} are ended`);
  world.auth.endAll(uid);
}

function changeAuthMood(world: World): void {
  world.network.authMood = world.chance.pick(['good', 'good', 'busy', 'away']);
  world.verdicts.operation(`the auth service is ${world.network.authMood}`);
}

function changeWeather(world: World, phone: Phone): void {
  const before = phone.weather;
  phone.weather = world.chance.pick(['good', 'bad', 'bad', 'bad', 'offline', 'offline']);
  world.verdicts.operation(`${phone.name}: the network is ${phone.weather}`);
  if (before !== 'offline' || phone.weather === 'offline') return;
  for (const tab of phone.liveTabs) world.begin(tab, async () => tab.page.fire('online'));
}

function writeRow(world: World): Promise<void> {
  const { chance } = world;
  const productId = chance.pick(PRODUCTS);
  const quantity = chance.between(1, 9);
  const kind = chance.weighted<RowWrite['kind']>([
    [4, 'insert'],
    [3, 'update'],
    [2, 'delete'],
    [1, 'delete all'],
    [2, 'like'],
    [1, 'unlike'],
  ]);
  const write = { kind, productId, quantity } as RowWrite; // more fields than some kinds need
  return world.write(chance.pick(world.users), write);
}

async function changeCatalogue(world: World): Promise<void> {
  const id = world.chance.pick(PRODUCTS);
  const isThere = world.server.products.has(id);
  world.verdicts.operation(`product ${id} ${isThere ? 'leaves' : 'comes back'}`);
  if (isThere) world.verdicts.fault('product withdrawn');
  await world.clock.outside(() => (isThere ? world.server.withdraw(id) : world.server.stock(id)));
}

function changeRealtime(world: World): void {
  world.isRealtimeSilent = !world.isRealtimeSilent;
  world.verdicts.operation(`realtime is ${world.isRealtimeSilent ? 'silent' : 'back'}`);
  if (world.isRealtimeSilent) world.verdicts.fault('realtime silent');
}

function ringForNothing(world: World, phone: Phone): void {
  world.verdicts.operation(`realtime rings at ${phone.name} for nothing`);
  for (const tab of phone.liveTabs) world.ring(tab);
}

function wakeUp(world: World, phone: Phone): void {
  world.verdicts.operation(`${phone.name} comes to the front`);
  for (const tab of phone.liveTabs) {
    world.begin(tab, async () => tab.page.fire('visibilitychange'));
  }
}

function look(world: World, phone: Phone): void {
  for (const tab of phone.liveTabs) {
    world.verdicts.operation(`${tab.name} looks`);
    world.begin(tab, () => tab.look());
  }
}

function dismissRefused(world: World, phone: Phone): void {
  const [tab] = phone.liveTabs;
  if (!tab) return;
  world.verdicts.operation(`${tab.name} has seen what was refused`);
  world.begin(tab, () => tab.dismissRefused());
}

function askAgain(world: World, phone: Phone): void {
  const [tab] = phone.liveTabs;
  if (!tab) return;
  world.verdicts.operation(`${tab.name} asks again for what was refused`);
  world.begin(tab, () => tab.askAgain());
}
