/** Everything becomes good again, and everybody whose changes wait on a phone signs in there. */
import { jsonOf } from './fold.ts';
import type { Phone } from './phone.ts';
import { signInAs } from './shopping.ts';
import type { World } from './world.ts';

/** Simulated time within which an outbox is empty, or its queue counts as stuck. */
const BUDGET_MS = 180_000;

/** A tab in memory finds back to a device that is well within this time. */
const BACK_MS = 90_000;

/** Simulated times that outboxes took to become empty. */
export interface Emptied {
  /** From `online`, from becoming visible or from a login. */
  readonly woken: readonly number[];
  /** Without anything that tells the page. */
  readonly unwoken: readonly number[];
}

/** Makes everything good again. Returns whether the pages are told so, as they mostly are. */
export async function healAll(world: World): Promise<boolean> {
  const { clock, chance, verdicts } = world;
  verdicts.say('all is well again');
  world.isHealing = true;
  for (const phone of world.phones) {
    phone.faults.end();
    for (const tab of phone.tabs) {
      tab.stepsToLive = Infinity;
      tab.freezesForMs = null;
      tab.thaw();
    }
    if (phone.tabs.every(({ isDead }) => isDead)) phone.openTab();
  }
  // A device is asked again in pauses of its own: the times to be measured begin behind that.
  const isBack = () => tabsOf(world).every(({ kept }) => kept === 'device');
  await clock.runUntil(() => world.isBroken || isBack(), clock.nowMs + BACK_MS);
  await world.restores.restore();
  world.gateway.authHealth = 'good';
  world.gateway.restHealth = 'good';
  world.realtime.health = 'good';
  for (const phone of world.phones) phone.weather = 'good';
  if (!chance.happens(0.7)) {
    verdicts.fault('healed without a word');
    return false;
  }
  const event = chance.pick(['online', 'online', 'visibilitychange']);
  for (const tab of tabsOf(world)) world.begin(tab, async () => tab.page.fire(event));
  return true;
}

/** Returns how long each outbox took to become empty. */
export async function emptyOutboxes(world: World, isWoken: boolean): Promise<Emptied> {
  const first: number[] = [];
  const woken: number[] = [];
  await drain(world, first, (phone) => phone.shopper?.session === 'live');
  // Then those whose session has ended, and those who had logged out, one after the other.
  for (let round = 0; round < world.users.length + 1 && !world.isBroken; round++) {
    const limitMs = world.clock.nowMs + 10_000;
    const tabs = tabsOf(world);
    const isCalm = () =>
      tabs.every(({ isReady }) => isReady) && world.phones.every(({ hasLate }) => !hasLate);
    await world.clock.runUntil(isCalm, limitMs);
    const waiting = world.phones.flatMap((phone) => {
      const [row] = phone.storage.durable.outbox;
      const isEnded = phone.shopper?.session === 'ended';
      const uid = isEnded ? phone.shopper?.uid : row?.uid;
      return uid === undefined ? [] : [{ phone, uid }];
    });
    for (const { phone, uid } of waiting) signInAs(world, phone, uid);
    const isOne = (phone: Phone) => waiting.some((each) => each.phone === phone);
    await world.clock.runUntil(
      () => waiting.every(({ phone, uid }) => isLive(phone, uid)),
      world.clock.nowMs + 5000,
    );
    await drain(world, woken, isOne);
  }
  return isWoken ? { woken: [...first, ...woken], unwoken: [] } : { woken, unwoken: first };
}

/** Runs on until nothing is on its way and all phones have what the server has. */
export async function settleAll(world: World): Promise<void> {
  const limitMs = world.clock.nowMs + BUDGET_MS;
  const isSettled = () =>
    world.network.underway === 0 && world.phones.every((phone) => stateOf(world, phone) === null);
  const isOver = () => world.isBroken || isSettled() || endedIn(world).length > 0;
  while (world.clock.nowMs < limitMs && (await world.clock.runUntil(isOver, limitMs))) {
    const ended = endedIn(world);
    if (ended.length === 0) return;
    // Storage that went back holds a token of long ago, with which a session ends sooner or later.
    for (const { phone, uid } of ended) signInAs(world, phone, uid);
    await world.clock.runUntil(
      () => ended.every(({ phone, uid }) => isLive(phone, uid)),
      world.clock.nowMs + 5000,
    );
  }
  for (const phone of world.phones) {
    const state = stateOf(world, phone);
    if (state !== null)
      world.verdicts.break(state.startsWith('memory') ? 9 : 4, `${phone.name}: ${state}`);
  }
}

/** Whose session has ended, and who has changes waiting on a phone where they are not signed in. */
function endedIn(world: World) {
  return world.phones.flatMap((phone) => {
    const { shopper, storage } = phone;
    if (shopper?.session === 'ended') return [{ phone, uid: shopper.uid }];
    const [row] = storage.durable.outbox;
    const isOthers = row !== undefined && row.uid !== shopper?.uid;
    return isOthers && !phone.person.isChanging ? [{ phone, uid: row.uid }] : [];
  });
}

async function drain(
  world: World,
  times: number[],
  isMeant: (phone: Phone) => boolean,
): Promise<void> {
  const { clock } = world;
  const began = clock.nowMs;
  const rest = new Set(world.phones.filter((phone) => isMeant(phone) && hasPending(phone)));
  const isDone = () => {
    for (const phone of rest) {
      // A session that turns out to have ended is another matter.
      if (phone.shopper?.session === 'live' && hasPending(phone)) continue;
      rest.delete(phone);
      if (phone.shopper?.session === 'live') times.push(clock.nowMs - began);
    }
    return rest.size === 0 || world.isBroken;
  };
  if (await clock.runUntil(isDone, began + BUDGET_MS)) return;
  for (const phone of rest) {
    world.verdicts.break(4, `the outbox of ${phone.name} is not empty after ${BUDGET_MS / 1000} s`);
  }
}

function hasPending(phone: Phone): boolean {
  return phone.shopper !== undefined && phone.pendingOf(phone.shopper.uid).length > 0;
}

function isLive(phone: Phone, uid: string): boolean {
  return phone.shopper?.uid === uid && phone.shopper.session === 'live';
}

/** What keeps a phone from being as the server is, in words; null when nothing does. */
function stateOf(world: World, phone: Phone): string | null {
  const { shopper, storage, tabs } = phone;
  const live = tabs.filter(({ isDead }) => !isDead);
  const inMemory = live.find(({ kept }) => kept === 'memory');
  if (inMemory) return `memory is still in use in ${inMemory.name}`;
  if (phone.hasLate) return 'taps wait beside its outbox';
  if (storage.durable.outbox.length > 0)
    return `its outbox is not empty: ${JSON.stringify(storage.durable.meta)}`;
  const shown = catalogueOf(phone);
  const prices = [...world.server.products].map(([id, price]) => [id, minorOf(price)] as const);
  const expected = textOf(new Map(prices));
  const wrong = shown.find((each) => each !== null && each !== expected);
  if (wrong !== undefined) return `its catalogue is ${wrong}, not ${expected}`;
  if (!shopper) return null;
  const base = storage.durable.bases.find(({ uid }) => uid === shopper.uid);
  const state = world.oracle.stateOf(shopper.uid);
  const isSame =
    base?.ver === world.oracle.versionOf(shopper.uid) && jsonOf(base) === jsonOf(state);
  return isSame ? null : `its base is not the server’s: ${JSON.stringify(storage.durable.meta)}`;
}

/** What its tabs show of the catalogue; null for one that has not read it. */
function catalogueOf({ liveTabs }: Phone): readonly (string | null)[] {
  return liveTabs.map(({ modules }) => {
    const catalogue = modules?.catalogueStore.snapshot();
    if (!catalogue?.isComplete) return null;
    const { index } = catalogue;
    const products = Array.from({ length: index.size }, (_, place) => index.at(place));
    return textOf(new Map(products.flatMap((each) => (each ? [[each.id, each.price]] : []))));
  });
}

function minorOf(price: number | null): number | null {
  return price === null ? null : Math.round(price * 100);
}

function textOf(products: ReadonlyMap<number, unknown>): string {
  const sorted = [...products].sort(([a], [b]) => a - b);
  return sorted.map(([id, price]) => `${id}:${String(price)}`).join(' ');
}

function tabsOf(world: World) {
  return world.phones.flatMap(({ tabs }) => tabs.filter(({ isDead }) => !isDead));
}
