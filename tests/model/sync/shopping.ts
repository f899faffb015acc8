/** Actions of shoppers on their phones, of other clients and of the shop, drawn at random. */
import { isStorageFailure } from '../../../src/db/open.ts';
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { Chance } from '../kit/chance.ts';
import { SIMULATED } from './indexed-db.ts';
import type { PageModules } from './page-bundle.ts';
import type { Phone } from './phone.ts';
import { PRODUCTS } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** Never was in the shop. */
const NO_PRODUCT = 999;

/** Signs shopper `uid` in on the phone, after a logout of another one. */
export function signInAs(world: World, phone: Phone, uid: string): boolean {
  const tabs = phone.liveTabs.filter(({ kept }) => kept !== null);
  if (tabs.length === 0) return false;
  const tab = world.chance.pick(tabs);
  world.verdicts.action(`${tab.name}: ${uid.slice(0, 4)} signs in`);
  world.begin(tab, async () => {
    if (phone.shopper && phone.shopper.uid !== uid) await leave(world, tab);
    await phone.person.change(tab, uid, () => world.taps.signIn(tab, uid));
  });
  return true;
}

function leave({ taps }: World, tab: Tab): Promise<void> {
  return tab.phone.person.change(tab, null, () => taps.logOut(tab));
}

export function randomAction(chance: Chance): ChangeAction {
  const productId = chance.happens(0.05) ? NO_PRODUCT : chance.pick(PRODUCTS);
  const many = chance.happens(0.1);
  const kind = chance.weighted<ChangeAction['kind']>([
    [10, 'cart.add'],
    [3, 'cart.reduce'],
    [4, 'cart.set'],
    [3, 'cart.remove'],
    [1, 'cart.clear'],
    [3, 'favourite.add'],
    [2, 'favourite.remove'],
  ]);
  if (kind === 'cart.clear') return { kind, args: {} };
  if (kind === 'cart.set') {
    return { kind, args: { productId, quantity: many ? 1000 : chance.between(1, 9) } };
  }
  if (kind === 'cart.remove' || kind === 'favourite.add' || kind === 'favourite.remove') {
    return { kind, args: { productId } };
  }
  return { kind, args: { productId, by: many ? 600 : chance.between(1, 3) } };
}

/** The shopper presses buttons in one tab. */
export function tap(world: World, phone: Phone): void {
  const { chance, clock, verdicts, taps } = world;
  const [...tabs] = phone.liveTabs;
  if (tabs.length === 0) return;
  const tab = chance.pick(tabs);
  const count = chance.pick([1, 1, 1, 2, 4]);
  for (let i = 0; i < count; i++) {
    const button = chance.weighted([
      [8, 'add' as const],
      [5, 'plus' as const],
      [4, 'minus' as const],
      [2, 'remove' as const],
      [0.7, 'clear' as const],
      [4, 'heart' as const],
    ]);
    const productId = chance.pick(PRODUCTS);
    verdicts.action(`${tab.name} taps ${button} ${productId}`);
    const ms = chance.happens(0.7) ? i * 20 : chance.between(0, 60);
    clock.after(ms, () => world.begin(tab, () => taps.press(tab, button, productId)), tab);
  }
}

/** Changes such as an older page, an undo or a bad guess make; sometimes many at once. */
export function change(world: World, phone: Phone, most: number): void {
  const { chance, verdicts, taps } = world;
  const [...tabs] = phone.liveTabs;
  if (tabs.length === 0 || !phone.shopper) return;
  const tab = chance.pick(tabs);
  const count = most > 4 ? chance.between(Math.floor(most / 4), most) : chance.between(1, most);
  const actions = Array.from({ length: count }, () => randomAction(chance));
  const what = actions.map(({ kind, args }) => `${kind} ${JSON.stringify(args)}`);
  verdicts.action(`${tab.name} makes ${count > 4 ? `${count} changes` : what.join(', ')}`);
  world.begin(tab, () => taps.change(tab, actions));
}

export function logOut(world: World, phone: Phone): void {
  const tabs = phone.liveTabs.filter(({ kept }) => kept !== null);
  if (tabs.length === 0 || !phone.shopper) return;
  const tab = world.chance.pick(tabs);
  world.verdicts.action(`${tab.name}: ${phone.shopper.uid.slice(0, 4)} logs out`);
  if (phone.pendingOf(phone.shopper.uid).length > 0) world.verdicts.fault('logout with unsaved');
  world.begin(tab, () => leave(world, tab));
}

export function signIn(world: World, phone: Phone): void {
  const uid = world.chance.pick(world.users);
  if (world.chance.happens(0.4)) tap(world, phone);
  const isSwitch = phone.shopper !== undefined && phone.shopper.uid !== uid;
  const tabs = phone.liveTabs.length;
  if (!signInAs(world, phone, uid) || !isSwitch) return;
  world.verdicts.fault(tabs > 1 ? 'switch of user beside another tab' : 'switch of user');
}

/** Two accounts in two tabs, one after the other. */
export function alternate(world: World, phone: Phone): void {
  const [...others] = world.users.filter((uid) => uid !== phone.shopper?.uid);
  if (phone.liveTabs.length < 2 || others.length === 0) return;
  world.verdicts.fault('accounts alternate in two tabs');
  const back = phone.shopper?.uid;
  signInAs(world, phone, world.chance.pick(others));
  for (let ms = 15; ms <= 300; ms += 15) world.clock.after(ms, () => tap(world, phone), null);
  if (back === undefined) return;
  const again = () => void signInAs(world, phone, back);
  world.clock.after(world.chance.between(50, 3000), again, null);
}

export function writeRow(world: World): Promise<void> {
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

export async function changeCatalogue(world: World): Promise<void> {
  const { chance, server, verdicts, clock, restores } = world;
  if (chance.happens(0.15)) {
    verdicts.action('the shop writes products that are as before');
    await clock.outside(() => server.writeNothing());
    return;
  }
  const id = chance.pick(PRODUCTS);
  const isThere = server.products.has(id);
  const price = chance.between(100, 9999) / 100;
  const isRepriced = isThere && chance.happens(0.6);
  verdicts.action(`product ${id} ${isRepriced ? price : isThere ? 'leaves' : 'comes back'}`);
  if (isThere && !isRepriced) verdicts.fault('product withdrawn');
  await clock.outside(() =>
    isRepriced ? server.reprice(id, price) : isThere ? server.withdraw(id) : server.stock(id),
  );
  restores.count();
}

export function look(world: World, phone: Phone): void {
  for (const tab of phone.liveTabs) {
    world.verdicts.action(`${tab.name} looks`);
    phone.person.check(tab);
    beginOnStorage(world, tab, async ({ connection, readShopperState }) => {
      if (tab.kept !== 'device' || !phone.faults.isGood) return;
      const state = await readShopperState(connection.db);
      if (state && !tab.isDead) phone.checkShown(state.shopper.uid, state.base, state.pending);
    });
  }
}

export function dismissRejected(world: World, phone: Phone): void {
  const [tab] = phone.liveTabs;
  if (!tab || tab.kept === null || !phone.faults.isGood) return;
  world.verdicts.action(`${tab.name} has seen what was refused`);
  const ids = phone.storage.durable.refused.map(({ id }) => id);
  beginOnStorage(world, tab, ({ connection, dismissRejected }) => {
    return dismissRejected(connection.db, ids);
  });
}

/** Past the mutations, which a storage that begins to fail meanwhile fails too. */
function beginOnStorage(world: World, tab: Tab, work: (page: PageModules) => Promise<void>): void {
  world.begin(tab, async () => {
    if (!tab.modules) return;
    await work(tab.modules).catch((error: unknown) => {
      const isSimulated = error instanceof Error && error.message.includes(SIMULATED);
      // An abort at commit carries the name of its error only.
      if (!isSimulated && !isStorageFailure(error)) throw error;
    });
  });
}

export function askAgain(world: World, phone: Phone): void {
  const [tab] = phone.liveTabs;
  if (!tab) return;
  world.verdicts.action(`${tab.name} asks again for what was refused`);
  for (const { id, uid, change: refused } of phone.storage.durable.refused) {
    phone.asked.add(uid, refused);
    if (refused.kind === 'cart.set') tab.meant.push({ productId: refused.args.productId, by: 0 });
    world.begin(tab, async () => tab.modules?.changeAgain(id));
  }
}
