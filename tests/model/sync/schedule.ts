/**
 * Runs one schedule: random actions; then all faults end, and all changes must reach the server and all
 * phones must show what the server has.
 */
import { Chance } from '../kit/chance.ts';
import type { Outcome } from '../kit/totals.ts';
import { doRandomAction } from './actions.ts';
import { inBrowser } from './browser.ts';
import type { Setup } from './environment.ts';
import { checkEnd } from './final-checks.ts';
import { emptyOutboxes, endAllFaults, waitUntilSettled } from './recovery.ts';
import { signInAs } from './shopping.ts';
import { World } from './world.ts';

/**
 * The name of a measure: simulated milliseconds until an outbox was empty, counted from the `online` event or
 * from the page becoming visible.
 */
export const AFTER_WAKE_UP = 'ms until outboxes were empty after a wake-up';
/** The same, counted from the end of all faults, of which no event tells the page. */
export const WITHOUT_WAKE_UP =
  'ms until outboxes were empty after the last fault without a wake-up';

/** The tabs that a schedule begins with have opened a database by this simulated time. */
const OPENED_BY_MS = 10_000;

/** A stream of random draws. The other parts of the simulator use other streams. */
const SIZES_STREAM = 5;

/** @throws when the simulator itself, and not the shop, does something wrong */
export async function runSchedule(seed: number, setup: Setup): Promise<Outcome> {
  const sizes = new Chance(seed, SIZES_STREAM);
  const world = new World(
    seed,
    { users: sizes.pick([1, 2, 2, 3]), phones: sizes.pick([1, 1, 1, 2, 2, 3]) },
    setup,
  );
  return inBrowser(world.clock, seed, async () => {
    try {
      await world.clock.inRealTime(() => setup.server.reset(world.users));
      await openTabsAndSignIn(world);
      await runRandomActions(world);
      const measures = await endAndCheck(world);
      return outcomeOf(world, measures);
    } finally {
      await closeAllTabs(world);
    }
  });
}

async function openTabsAndSignIn(world: World): Promise<void> {
  // Without Web Locks, two tabs of a phone sync the same database at once.
  const hasLocks = world.chance.happens(0.4);
  for (const phone of world.phones) {
    phone.openTab({ hasLocks });
    if (world.chance.happens(0.4)) phone.openTab({ hasLocks });
  }
  const tabs = world.phones.flatMap((phone) => phone.tabs);
  // A shopper can sign in only once the tab has opened a database.
  await world.clock.runUntil(() => tabs.every(({ kept }) => kept !== null), OPENED_BY_MS);
  for (const [i, phone] of world.phones.entries()) {
    // Mostly one shopper with several phones, sometimes each with their own.
    const uid = world.users[world.chance.happens(0.7) ? 0 : i % world.users.length];
    if (uid !== undefined && world.chance.happens(0.95)) signInAs(world, phone, uid);
  }
  // The first action comes while the first pulls are running, or after them.
  const limitMs = world.clock.nowMs + world.chance.pick([200, 1000]);
  await world.clock.runUntil(() => world.isBroken, limitMs);
}

async function runRandomActions(world: World): Promise<void> {
  const { chance, clock } = world;
  const count = chance.between(8, 24);
  for (let i = 0; i < count && !world.isBroken; i++) {
    await doRandomAction(world, chance.pick(world.phones));
    const pauseMs = chance.weighted([
      [4, chance.between(0, 30)],
      [5, chance.between(30, 800)],
      [2, chance.between(800, 15_000)],
      [0.4, chance.between(15_000, 90_000)],
    ]);
    await clock.runUntil(() => world.isBroken, clock.nowMs + pauseMs);
    for (const phone of world.phones) for (const tab of phone.tabs) tab.signedIn.checkShown(tab);
  }
}

/** Ends all faults, lets the phones and the server become equal, and checks them. */
async function endAndCheck(world: World): Promise<Outcome['measures']> {
  if (world.isBroken) return [];
  const isTold = await endAllFaults(world);
  const times = await emptyOutboxes(world);
  if (!world.isBroken) await waitUntilSettled(world);
  if (!world.isBroken) await checkEnd(world);
  return [[isTold ? AFTER_WAKE_UP : WITHOUT_WAKE_UP, times]];
}

/** Closes all tabs, also those that pending events of the schedule open later. */
async function closeAllTabs({ phones, clock }: World): Promise<void> {
  const openTabs = () => phones.flatMap(({ tabs }) => tabs).filter(({ isDead }) => !isDead);
  do {
    for (const tab of openTabs()) tab.die();
    await clock.runUntil(() => openTabs().length > 0, Infinity);
  } while (openTabs().length > 0);
}

function outcomeOf(world: World, measures: Outcome['measures']): Outcome {
  if (world.errors.length > 0) {
    throw new Error(`the simulator failed at seed ${world.seed}`, { cause: world.errors[0] });
  }
  const { counts, faults, violations } = world.verdicts;
  const changes = [...world.oracle.changes];
  const lostUnsent = changes.filter(
    ({ uid, id, isGoneFromPhone }) => isGoneFromPhone && !world.oracle.applied(uid, id),
  );
  const lostByRestores = changes.filter(({ uid, id }) => world.oracle.isLost(uid, id));
  return {
    seed: world.seed,
    counts: [
      ...counts,
      ['changes', changes.length],
      // A phone's storage was rolled back, or a tab ended that kept them in memory.
      ['changes lost unsent on phones', lostUnsent.length],
      ['acknowledged changes lost by restores', lostByRestores.length],
      ['errors in consoles', world.pageErrors.length],
    ],
    faults: [...faults],
    measures,
    violations,
  };
}
