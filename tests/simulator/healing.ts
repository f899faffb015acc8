/** Everything becomes good again, and everybody whose changes wait on a phone signs in there. */
import { signInAs } from './deeds.ts';
import type { Phone } from './phone.ts';
import type { World } from './world.ts';

/** Simulated time within which an outbox is empty, or its queue counts as stuck. */
const BUDGET_MS = 180_000;

/** The network is good for all, and the pages hear of it. */
export async function healAll(world: World): Promise<void> {
  world.verdicts.say('all is well again');
  world.network.authMood = 'good';
  world.isRealtimeSilent = false;
  for (const phone of world.phones) {
    phone.weather = 'good';
    for (const tab of phone.tabs) tab.stepsToLive = Infinity;
    if (phone.tabs.every(({ isDead }) => isDead)) phone.openTab();
  }
  for (const tab of tabsOf(world)) world.begin(tab, async () => tab.page.fire('online'));
}

/** Returns the longest time that an outbox took to become empty; null if all were already. */
export async function emptyOutboxes(world: World): Promise<number | null> {
  const times: number[] = [];
  await drain(world, times, (phone) => phone.shopper?.session === 'live');
  // Then those whose session has ended, and those who had logged out, one after the other.
  for (let round = 0; round < world.users.length + 1 && !world.isBroken; round++) {
    const limitMs = world.clock.nowMs + 5000;
    const tabs = tabsOf(world);
    await world.clock.runUntil(() => tabs.every(({ isReady }) => isReady), limitMs);
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
    await drain(world, times, isOne);
  }
  return times.length > 0 ? Math.max(...times) : null;
}

/** Runs on until nothing is on its way and all phones have what the server has. */
export async function settleAll(world: World): Promise<void> {
  const limitMs = world.clock.nowMs + BUDGET_MS;
  const isQuiet = () => world.network.underway === 0 && isCurrent(world);
  const isOver = () => world.isBroken || isQuiet() || endedIn(world).length > 0;
  while (await world.clock.runUntil(isOver, limitMs)) {
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
    if (!isPhoneCurrent(world, phone)) {
      const state = JSON.stringify(phone.storage.durable.meta);
      world.verdicts.break(4, `${phone.name} does not catch up with the server: ${state}`);
    }
  }
}

function endedIn(world: World) {
  return world.phones.flatMap((phone) =>
    phone.shopper?.session === 'ended' ? [{ phone, uid: phone.shopper.uid }] : [],
  );
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

function isCurrent(world: World): boolean {
  return world.phones.every((phone) => isPhoneCurrent(world, phone));
}

function isPhoneCurrent(world: World, { shopper, storage }: Phone): boolean {
  if (storage.durable.outbox.length > 0) return false;
  if (!shopper) return true;
  const base = storage.durable.bases.find(({ uid }) => uid === shopper.uid);
  return base?.ver === world.ledger.versionOf(shopper.uid);
}

function tabsOf(world: World) {
  return world.phones.flatMap(({ tabs }) => tabs.filter(({ isDead }) => !isDead));
}
