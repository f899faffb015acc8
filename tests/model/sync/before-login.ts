/** Random stories of a visitor who taps first and logs in afterwards. */
import type { ChangeAction } from '../../../src/domain/change.ts';
import { SHOP_URL } from './page-bundle.ts';
import type { Phone } from './phone.ts';
import { PRODUCTS } from './server.ts';
import { logOutIn } from './shopping.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** A visitor's tap, and the shopper as whom they log in. */
interface Visit {
  readonly world: World;
  readonly phone: Phone;
  readonly tab: Tab;
  /** The id of the tap, and later of the stored change. */
  readonly id: string;
  readonly uid: string;
}

/** A visitor taps in a tab of the phone, and then logs in in one of several ways. */
export function tapBeforeLogin(world: World, phone: Phone): void {
  const { chance, verdicts } = world;
  const tab = chance.pickIfAny(phone.tabsOnDevice);
  if (!tab) return;
  const uid = chance.pick(world.users);
  const story = chance.weighted([
    [6, logInFromAlert],
    [2, logInOtherwise],
    [6, endWhenStored],
    [6, registerFirst],
  ]);
  verdicts.action(`${tab.name}: a visitor taps, ${story.name} as ${uid.slice(0, 4)}`);
  world.runIn(tab, async () => {
    if (phone.shopper) await logOutIn(world, tab);
    const id = await tapSignedOut(world, tab);
    if (id !== null) await story({ world, phone, tab, id, uid });
  });
}

async function logInFromAlert(visit: Visit): Promise<void> {
  followLink(visit);
  visit.world.verdicts.fault('login from the alert of a tap');
  soon(visit, () => logIn(visit, visit.id));
}

async function logInOtherwise(visit: Visit): Promise<void> {
  followLink(visit);
  soon(visit, () => logIn(visit, null));
}

/**
 * The tab ends when it has stored the change. Another tab may send the change before the browser brings the
 * first tab back.
 */
async function endWhenStored(visit: Visit): Promise<void> {
  followLink(visit);
  visit.world.deferred.whenStored(visit.id, () => {
    if (visit.phone.liveTabs.length < 2) visit.phone.openTab();
    endAndReopen(visit);
  });
  soon(visit, () => logIn(visit, visit.id));
}

/** A registration awaits a mail. Then the same shopper or another one logs in in the tab. */
async function registerFirst(visit: Visit): Promise<void> {
  const { world, tab, id, uid } = visit;
  followLink(visit);
  await tab.modules?.sendWithDeferred(id, `${uid}@weft.test`, async () => ({
    ok: true,
    value: 'confirm',
  }));
  const loginUid = world.chance.happens(0.7) ? uid : world.chance.pick(world.users);
  soon(visit, () => logIn({ ...visit, uid: loginUid }, id));
}

/** A visitor taps. Returns the id in the link of the alert; null when the page shows no alert. */
async function tapSignedOut(world: World, tab: Tab): Promise<string | null> {
  const { chance, deferred } = world;
  const page = tab.modules;
  if (!page || page.shopperStore.snapshot() !== null) return null;
  const productId = chance.pick(PRODUCTS);
  const isHeart = chance.happens(0.3);
  const action: ChangeAction = isHeart
    ? { kind: 'favourite.add', args: { productId } }
    : { kind: 'cart.add', args: { productId, by: 1 } };
  const last = page.noticeStore.snapshot();
  // The tap counts for any shopper (undefined), because another tab may log in meanwhile. It is removed again
  // when an alert answers it.
  tab.phone.unmatchedTaps.add(undefined, action);
  if (isHeart) await page.setFavourite(productId, nameOf(productId), true);
  else await page.addToCart(productId, nameOf(productId));
  const notice = page.noticeStore.snapshot();
  const href = notice === last ? undefined : notice?.action?.href;
  const id = href === undefined ? null : new URL(href, SHOP_URL).searchParams.get('add');
  if (id === null) return null;
  tab.phone.unmatchedTaps.remove(undefined, action);
  deferred.add(id, action);
  return id;
}

/** Does what a click on the link of the alert does. */
function followLink({ tab: { modules } }: Visit): void {
  modules?.noticeStore.snapshot()?.action?.run?.();
  modules?.dismissNotice();
}

/**
 * Logs in with the form of the tab, unless the tab shows a shopper.
 *
 * @param id of the tap whose alert has opened the form; null for a form that was opened otherwise
 */
async function logIn({ world, phone, tab, uid }: Visit, id: string | null): Promise<void> {
  if (tab.modules?.shopperStore.snapshot() !== null) return;
  // A tab that was frozen may not show yet who is signed in, and logs out first.
  if (phone.shopper !== undefined && phone.shopper.uid !== uid) await logOutIn(world, tab);
  if (id !== null) world.deferred.allow(id, uid);
  await phone.signedIn.change(tab, uid, () => world.taps.signIn(tab, uid, id));
}

/** Ends the tab and opens it again with its `sessionStorage`, as a browser brings a tab back. */
function endAndReopen({ world, phone, tab }: Visit): void {
  const { clock, chance, verdicts } = world;
  const end = () => {
    if (tab.isDead || world.areFaultsOver) return;
    verdicts.fault('tab ended right after the storing of a deferred tap');
    verdicts.say(`${tab.name} ends`);
    tab.die();
    clock.after(chance.between(0, 8000), reopen, null);
  };
  const reopen = () => {
    if (world.areFaultsOver) return;
    const newTab = phone.openTab();
    for (const [key, text] of tab.sessionStorage.values) newTab.sessionStorage.setItem(key, text);
    verdicts.say(`${tab.name} is brought back as ${newTab.name}`);
  };
  clock.after(0, end, null);
}

/** Runs work in the tab after a while, unless the injection of faults is over by then. */
function soon({ world, tab }: Visit, work: () => Promise<unknown>): void {
  const run = () => {
    if (!world.areFaultsOver) world.runIn(tab, work);
  };
  world.clock.after(world.chance.pick([0, 300, 5000]), run, tab);
}

function nameOf(productId: number): string {
  return `Product ${productId}`;
}
