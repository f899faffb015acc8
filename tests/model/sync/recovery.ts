/**
 * The end of a schedule: all faults end, and shoppers whose changes wait on a phone sign in there. Then all
 * phones must equal the server (invariant 4).
 */
import { jsonOf } from './fold.ts';
import type { Phone } from './phone.ts';
import { signInAs } from './shopping.ts';
import type { World } from './world.ts';

/** An outbox that is not empty after this simulated time is stuck. */
const MAX_EMPTYING_MS = 180_000;
/** A phone that realtime, silent for a while, has not told of a change asks again after ten minutes. */
const MAX_SETTLING_MS = 660_000;
const MAX_OPENING_MS = 10_000;
const MAX_SIGN_IN_MS = 5000;

/** Ends all faults. Returns whether an event tells the pages so. */
export async function endAllFaults(world: World): Promise<boolean> {
  const { clock, chance, verdicts } = world;
  verdicts.say('all faults end');
  world.areFaultsOver = true;
  for (const phone of world.phones) {
    phone.faults.end();
    for (const tab of phone.tabs) {
      tab.stepsToLive = Infinity;
      tab.freezesForMs = null;
      tab.thaw();
    }
  }
  // Tabs that have not opened the device's database yet may still choose memory, which lasts as long as they do.
  const areOpen = () => tabsOf(world).every(({ kept }) => kept !== null);
  await clock.runUntil(() => world.isBroken || areOpen(), clock.nowMs + MAX_OPENING_MS);
  for (const phone of world.phones) {
    for (const tab of phone.tabs) if (tab.kept !== 'device') tab.die();
    if (phone.hasWaitingTaps || phone.tabs.every(({ isDead }) => isDead)) phone.openTab();
  }
  await clock.runUntil(() => world.isBroken || areOpen(), clock.nowMs + MAX_OPENING_MS);
  // A restore that is still due happens now, because no fault may come later.
  await world.restores.restoreDatabase();
  world.gateway.authHealth = 'good';
  world.gateway.restHealth = 'good';
  world.realtime.health = 'good';
  for (const phone of world.phones) phone.networkState = 'good';
  if (!chance.happens(0.7)) {
    verdicts.fault('faults end without an event');
    return false;
  }
  const event = chance.pick(['online', 'online', 'visibilitychange']);
  for (const tab of tabsOf(world)) world.runIn(tab, async () => tab.events.fire(event));
  return true;
}

/**
 * Waits until the outboxes of all shoppers who are signed in are empty. Returns how many simulated milliseconds each
 * took.
 */
export async function emptyOutboxes(world: World): Promise<readonly number[]> {
  const { clock } = world;
  const beganMs = clock.nowMs;
  const times: number[] = [];
  const isLive = ({ shopper }: Phone) => shopper?.session === 'live';
  const waiting = new Set(world.phones.filter((phone) => isLive(phone) && hasPending(phone)));
  const isDone = () => {
    for (const phone of waiting) {
      // Where the session has ended, the changes wait for a login.
      if (isLive(phone) && hasPending(phone)) continue;
      waiting.delete(phone);
      if (isLive(phone)) times.push(clock.nowMs - beganMs);
    }
    return waiting.size === 0 || world.isBroken;
  };
  if (!(await clock.runUntil(isDone, beganMs + MAX_EMPTYING_MS))) {
    for (const { name } of waiting) {
      const text = `the outbox of ${name} is not empty after ${MAX_EMPTYING_MS / 1000} s`;
      world.verdicts.break(4, text);
    }
  }
  return times;
}

/**
 * Waits until no request is on its way and all phones have what the server has. Signs shoppers in where this
 * needs a login.
 */
export async function waitUntilSettled(world: World): Promise<void> {
  const limitMs = world.clock.nowMs + MAX_SETTLING_MS;
  const isSettled = () =>
    world.network.inTransit === 0 &&
    world.phones.every((phone) => differenceOf(world, phone) === null);
  const isOver = () => world.isBroken || isSettled() || missingLogins(world).length > 0;
  while (world.clock.nowMs < limitMs && (await world.clock.runUntil(isOver, limitMs))) {
    const missing = missingLogins(world);
    if (missing.length === 0) return;
    // A storage that was rolled back holds an old refresh token, which ends the session when it is used.
    await signInAll(world, missing);
  }
  for (const phone of world.phones) {
    const words = differenceOf(world, phone);
    if (words !== null) world.verdicts.break(4, `${phone.name}: ${words}`);
  }
}

/** A login that a phone needs. */
interface Login {
  readonly phone: Phone;
  readonly uid: string;
}

/** Signs these shoppers in, and waits until their sessions are live. */
async function signInAll(world: World, logins: readonly Login[]): Promise<void> {
  for (const { phone, uid } of logins) signInAs(world, phone, uid);
  const isLive = ({ phone: { shopper }, uid }: Login) =>
    shopper?.uid === uid && shopper.session === 'live';
  await world.clock.runUntil(() => logins.every(isLive), world.clock.nowMs + MAX_SIGN_IN_MS);
}

/** Shoppers whose session has ended, and shoppers whose changes wait on a phone without their login. */
function missingLogins(world: World): readonly Login[] {
  return world.phones.flatMap((phone) => {
    const { shopper, storage } = phone;
    if (shopper?.session === 'ended') return [{ phone, uid: shopper.uid }];
    const [row] = storage.rows.outbox;
    const isOthers = row !== undefined && row.uid !== shopper?.uid;
    return isOthers && !phone.signedIn.isChanging ? [{ phone, uid: row.uid }] : [];
  });
}

function hasPending(phone: Phone): boolean {
  return phone.shopper !== undefined && phone.pendingOf(phone.shopper.uid).length > 0;
}

/** In which way the device of a phone does not yet equal the server; null when it does. */
function differenceOf(world: World, phone: Phone): string | null {
  const { shopper, storage } = phone;
  // For the log: who is signed in, whether the session has ended, and which catalogue is stored.
  const meta = () => JSON.stringify(storage.rows.meta);
  if (phone.hasWaitingTaps) return 'taps wait in its localStorage';
  if (storage.rows.outbox.length > 0) return `its outbox is not empty: ${meta()}`;
  const shown = cataloguesOf(phone);
  const inMinor = (price: number | null) => (price === null ? null : Math.round(price * 100));
  const prices = [...world.server.products].map(([id, price]) => [id, inMinor(price)] as const);
  const expected = textOf(new Map(prices));
  const different = shown.find((catalogue) => catalogue !== expected);
  if (different !== undefined) return `its catalogue is ${different}, not ${expected}`;
  if (!shopper) return null;
  const base = storage.rows.bases.find(({ uid }) => uid === shopper.uid);
  const state = world.oracle.stateOf(shopper.uid);
  const isSame =
    base?.ver === world.oracle.versionOf(shopper.uid) && jsonOf(base) === jsonOf(state);
  return isSame ? null : `its base is not the server’s: ${meta()}`;
}

/** The catalogue that each tab of a phone shows, as text; null for a tab that has not read it all. */
function cataloguesOf({ liveTabs }: Phone): readonly (string | null)[] {
  return liveTabs.map(({ modules }) => {
    const catalogue = modules?.catalogueStore.snapshot();
    if (!catalogue?.isComplete) return null;
    const { index } = catalogue;
    const products = Array.from({ length: index.size }, (_, position) => index.at(position));
    return textOf(
      new Map(products.flatMap((product) => (product ? [[product.id, product.price]] : []))),
    );
  });
}

/** Products and prices as one text. */
function textOf(products: ReadonlyMap<number, unknown>): string {
  const sorted = [...products].sort(([a], [b]) => a - b);
  return sorted.map(([id, price]) => `${id}:${String(price)}`).join(' ');
}

/** The tabs that are not closed. */
function tabsOf(world: World) {
  return world.phones.flatMap(({ tabs }) => tabs.filter(({ isDead }) => !isDead));
}
