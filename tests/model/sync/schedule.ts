/** One schedule: things happen at random, then all heals, and then everything must be in its place. */
import { inBrowser } from './browser.ts';
import { Chance } from '../kit/chance.ts';
import type { Outcome } from '../kit/totals.ts';
import { doSomething } from './actions.ts';
import type { Setup } from './environment.ts';
import { emptyOutboxes, type Emptied, healAll, settleAll } from './healing.ts';
import { checkEnd } from './invariants.ts';
import { signInAs } from './shopping.ts';
import { World } from './world.ts';

/** Simulated times in ms in which outboxes became empty: from `online`, from becoming visible or from a login. */
export const WOKEN = 'ms until outboxes were empty after a wake-up';
/** Without anything that tells the page. */
export const UNWOKEN = 'ms until outboxes were empty after healing without a wake-up';

/** @throws when the simulator itself, and not the engine, does something wrong */
export async function runSchedule(seed: number, setup: Setup): Promise<Outcome> {
  const size = new Chance(seed, 5);
  const world = new World(
    seed,
    { users: size.pick([1, 2, 2, 3]), phones: size.pick([1, 1, 1, 2, 2, 3]) },
    setup,
  );
  return inBrowser(world.clock, new Chance(seed, 6), async () => {
    try {
      await world.clock.outside(() => setup.server.begin(world.users));
      await beginWell(world);
      await goThroughMuch(world);
      const emptied = await endWell(world);
      return outcomeOf(world, emptied);
    } finally {
      await closeAll(world);
    }
  });
}

async function beginWell(world: World): Promise<void> {
  // Two engines over one database, which locks only make rarer.
  const hasLocks = world.chance.happens(0.4);
  for (const phone of world.phones) {
    phone.openTab(hasLocks);
    if (world.chance.happens(0.4)) phone.openTab(hasLocks);
  }
  const tabs = world.phones.flatMap((phone) => phone.tabs);
  await world.clock.runUntil(() => tabs.every(({ kept }) => kept !== null), 10_000);
  for (const [i, phone] of world.phones.entries()) {
    // Mostly one shopper with several phones, sometimes each with their own.
    const uid = world.users[world.chance.happens(0.7) ? 0 : i % world.users.length];
    if (uid !== undefined && world.chance.happens(0.95)) signInAs(world, phone, uid);
  }
  const limitMs = world.clock.nowMs + world.chance.pick([200, 1000]);
  await world.clock.runUntil(() => world.isBroken, limitMs);
}

async function goThroughMuch(world: World): Promise<void> {
  const { chance, clock } = world;
  const count = chance.between(8, 24);
  for (let i = 0; i < count && !world.isBroken; i++) {
    await doSomething(world, chance.pick(world.phones));
    const pauseMs = chance.weighted([
      [4, chance.between(0, 30)],
      [5, chance.between(30, 800)],
      [2, chance.between(800, 15_000)],
      [0.4, chance.between(15_000, 90_000)],
    ]);
    await clock.runUntil(() => world.isBroken, clock.nowMs + pauseMs);
    for (const phone of world.phones) for (const tab of phone.tabs) phone.person.check(tab);
  }
}

async function endWell(world: World): Promise<Emptied> {
  if (world.isBroken) return { woken: [], unwoken: [] };
  const emptied = await emptyOutboxes(world, await healAll(world));
  if (!world.isBroken) await settleAll(world);
  if (!world.isBroken) await checkEnd(world);
  return emptied;
}

/** Ends what still runs. A person may be about to open another tab. */
async function closeAll({ phones, clock }: World): Promise<void> {
  const living = () => phones.flatMap(({ tabs }) => tabs).filter(({ isDead }) => !isDead);
  do {
    for (const tab of living()) tab.die();
    await clock.runUntil(() => living().length > 0, Infinity);
  } while (living().length > 0);
}

function outcomeOf(world: World, emptied: Emptied): Outcome {
  if (world.errors.length > 0) {
    throw new Error(`the simulator failed at seed ${world.seed}`, { cause: world.errors[0] });
  }
  const { counts, faults, violations } = world.verdicts;
  const made = [...world.oracle.made];
  const takenAway = made.filter(
    ({ uid, id, isTakenAway }) => isTakenAway && !world.oracle.applied(uid, id),
  );
  const lost = made.filter(({ uid, id }) => world.oracle.isLost(uid, id));
  const worstMinute = Math.max(...world.phones.map(({ failures }) => failures.worst));
  return {
    seed: world.seed,
    counts: [
      ...counts,
      ['changes', made.length],
      // By storage rollbacks and ends of tabs in memory.
      ['changes taken away unsent', takenAway.length],
      ['acknowledged changes lost by restores', lost.length],
      ['errors in consoles', world.pageErrors.length],
    ],
    faults: [...faults],
    measures: [
      [WOKEN, emptied.woken],
      [UNWOKEN, emptied.unwoken],
      ['most failing requests of one phone in a minute', [worstMinute]],
    ],
    violations,
  };
}
