/** Random actions of shoppers on their phones, of shoppers' other clients, and of the shop's staff. */
import { isStorageFailure } from '../../../src/db/storage-failure.ts';
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { Chance } from '../kit/chance.ts';
import { SIMULATED } from './indexed-db.ts';
import type { PageModules } from './page-bundle.ts';
import { checkShown } from './phone-checks.ts';
import type { Phone } from './phone.ts';
import { PRODUCTS } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** The id of a product that was never in the shop. */
const UNKNOWN_PRODUCT = 999;

/**
 * Signs a shopper in on the phone, and logs another shopper out first.
 *
 * @returns false when no tab of the phone can do it
 */
export function signInAs(
  world: World,
  phone: Phone,
  uid: string,
  tabs: readonly Tab[] = phone.tabsOnDevice,
): boolean {
  const tab = world.chance.pickIfAny(tabs);
  if (!tab) return false;
  world.verdicts.action(`${tab.name}: ${uid.slice(0, 4)} signs in`);
  world.runIn(tab, async () => {
    const shown = tab.modules?.shopperStore.snapshot()?.shopper.uid;
    const present = tab.kept === 'device' ? phone.shopper?.uid : shown;
    if (present !== undefined && present !== uid) await logOutIn(world, tab);
    await tab.signedIn.change(tab, uid, () => world.taps.signIn(tab, uid));
  });
  return true;
}

/** Logs the phone's shopper out in this tab. */
export function logOutIn({ taps }: World, tab: Tab): Promise<void> {
  const isOnDevice = tab.kept === 'device';
  const shown = tab.modules?.shopperStore.snapshot()?.shopper.uid;
  const uid = isOnDevice ? tab.phone.shopper?.uid : shown;
  return tab.signedIn.change(tab, null, async () => uid === undefined || taps.logOut(tab, uid));
}

/** A change of the cart or the favourites, which the server may have to reject. */
export function randomAction(chance: Chance): ChangeAction {
  const productId = chance.happens(0.05) ? UNKNOWN_PRODUCT : chance.pick(PRODUCTS);
  const isLarge = chance.happens(0.1);
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
    return { kind, args: { productId, quantity: isLarge ? 1000 : chance.between(1, 9) } };
  }
  if (kind === 'cart.remove' || kind === 'favourite.add' || kind === 'favourite.remove') {
    return { kind, args: { productId } };
  }
  return { kind, args: { productId, by: isLarge ? 600 : chance.between(1, 3) } };
}

/** The shopper presses one to four buttons in one tab. */
export function tap(world: World, phone: Phone): void {
  const { chance, clock, verdicts, taps } = world;
  const tab = chance.pickIfAny(phone.liveTabs);
  if (!tab) return;
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
    clock.after(ms, () => world.runIn(tab, () => taps.press(tab, button, productId)), tab);
  }
}

/**
 * Stores random changes at once, also such as no button of this page makes: wrong product ids, large numbers.
 *
 * @param max the largest number of changes; the smallest is 1, or a quarter of `max` where `max` is above 4
 */
export function makeChanges(world: World, phone: Phone, max: number): void {
  const { chance, verdicts, taps } = world;
  if (!phone.shopper) return;
  const tab = chance.pickIfAny(phone.liveTabs);
  if (!tab) return;
  const min = max > 4 ? Math.floor(max / 4) : 1;
  const count = chance.between(min, max);
  const actions = Array.from({ length: count }, () => randomAction(chance));
  const texts = actions.map(({ kind, args }) => `${kind} ${JSON.stringify(args)}`);
  verdicts.action(`${tab.name} makes ${count > 4 ? `${count} changes` : texts.join(', ')}`);
  world.runIn(tab, () => taps.makeChanges(tab, actions));
}

export function logOut(world: World, phone: Phone): void {
  if (!phone.shopper) return;
  const tab = world.chance.pickIfAny(phone.tabsOnDevice);
  if (!tab) return;
  world.verdicts.action(`${tab.name}: ${phone.shopper.uid.slice(0, 4)} logs out`);
  if (phone.pendingOf(phone.shopper.uid).length > 0)
    world.verdicts.fault('logout with unsaved changes');
  world.runIn(tab, () => logOutIn(world, tab));
}

/** Signs a random shopper in, sometimes while taps of the shopper before are still on their way. */
export function signInAnyone(world: World, phone: Phone): void {
  const uid = world.chance.pick(world.users);
  if (world.chance.happens(0.4)) tap(world, phone);
  const isSwitch = phone.shopper !== undefined && phone.shopper.uid !== uid;
  const tabCount = phone.liveTabs.length;
  if (!signInAs(world, phone, uid, phone.tabsWithStorage) || !isSwitch) return;
  world.verdicts.fault(tabCount > 1 ? 'switch of user beside another tab' : 'switch of user');
}

/**
 * Another shopper signs in, and for 300 ms buttons are pressed every 15 ms, some several times, in any of the
 * phone's tabs. Meanwhile or later the shopper who was signed in before, if any, signs in again.
 */
export function alternateAccounts(world: World, phone: Phone): void {
  const others = world.users.filter((uid) => uid !== phone.shopper?.uid);
  if (phone.liveTabs.length < 2 || others.length === 0) return;
  world.verdicts.fault('accounts alternate in two tabs');
  const firstUid = phone.shopper?.uid;
  signInAs(world, phone, world.chance.pick(others));
  for (let ms = 15; ms <= 300; ms += 15) world.clock.after(ms, () => tap(world, phone), null);
  if (firstUid === undefined) return;
  const signInAgain = () => void signInAs(world, phone, firstUid);
  world.clock.after(world.chance.between(50, 3000), signInAgain, null);
}

/** Another client of a shopper writes rows of the cart or the favourites directly, not by `push`. */
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
  const write = { kind, productId, quantity } as RowWrite; // some kinds ignore some fields
  return world.write(chance.pick(world.users), write);
}

/** The shop's staff change, delete, take off sale or bring back a product, or save one without a change. */
export async function changeCatalogue(world: World): Promise<void> {
  const { chance, server, verdicts, clock, restores } = world;
  if (chance.happens(0.15)) {
    verdicts.action('the shop saves a product without a change');
    // Not counted as a transaction: a restore would lose nothing of it.
    await clock.inRealTime(() => server.writeNothing());
    return;
  }
  const id = chance.pick(PRODUCTS);
  const isThere = server.products.has(id);
  const price = chance.between(100, 9999) / 100;
  const isRepriced = isThere && chance.happens(0.6);
  const isOffSale = isThere && !isRepriced && chance.happens(0.5);
  const leaves = isOffSale ? 'goes off sale' : 'leaves';
  verdicts.action(`product ${id} ${isRepriced ? price : isThere ? leaves : 'comes back'}`);
  if (isThere && !isRepriced) verdicts.fault(isOffSale ? 'product off sale' : 'product withdrawn');
  await clock.inRealTime(() => {
    if (isRepriced) return server.reprice(id, price);
    if (!isThere) return server.stock(id);
    return isOffSale ? server.takeOffSale(id) : server.withdraw(id);
  });
  world.gateway.purge();
  restores.countTransaction();
}

export function checkScreens(world: World, phone: Phone): void {
  for (const tab of phone.liveTabs) {
    world.verdicts.action(`the shopper looks at ${tab.name}`);
    tab.signedIn.checkShown(tab);
    runOnStorage(world, tab, async ({ connection, readShopperState }) => {
      if (tab.kept !== 'device' || !phone.faults.isGood) return;
      const state = await readShopperState(connection.db);
      if (state && !tab.isDead) checkShown(phone, state.shopper.uid, state.base, state.pending);
    });
  }
}

/** Runs work on a tab's database, without a mutation of the page. The storage may fail meanwhile. */
function runOnStorage(world: World, tab: Tab, work: (page: PageModules) => Promise<void>): void {
  world.runIn(tab, async () => {
    if (!tab.modules) return;
    await work(tab.modules).catch((error: unknown) => {
      // Simulated errors are recognised by their message, because `isStorageFailure` does not know all of them
      // (`DataError`). The error of a failed commit has no message, and `isStorageFailure` knows it.
      const isSimulated = error instanceof Error && error.message.includes(SIMULATED);
      if (!isSimulated && !isStorageFailure(error)) throw error;
    });
  });
}
