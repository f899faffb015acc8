/** One schedule: things happen at random, then all heals, and then everything must be in its place. */
import { inBrowser } from './browser.ts';
import { Chance } from './chance.ts';
import { doSomething, signInAs } from './deeds.ts';
import type { Engine } from './engine.ts';
import { emptyOutboxes, healAll, settleAll } from './healing.ts';
import { checkEnd } from './invariants.ts';
import type { Server } from './server.ts';
import type { Violation } from './verdicts.ts';
import { World } from './world.ts';

export interface Outcome {
  readonly seed: number;
  readonly operations: number;
  readonly states: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
  /** Changes that a storage rollback took away before they were sent. */
  readonly rolledBack: number;
  readonly changes: number;
  /** Simulated time until the outboxes were empty after the network healed; null if none waited. */
  readonly emptyMs: number | null;
}

export interface Setup {
  readonly server: Server;
  readonly engine: Engine;
  readonly log?: (line: string) => void;
}

/** @throws when the simulator itself, and not the engine, does something wrong */
export async function runSchedule(seed: number, { server, engine, log }: Setup): Promise<Outcome> {
  const size = new Chance(seed, 5);
  const world = new World(
    seed,
    { users: size.pick([1, 2, 2, 3]), phones: size.pick([1, 2, 2, 3]) },
    { server, engine, log: log ?? null },
  );
  return inBrowser(world.clock, new Chance(seed, 6), async () => {
    try {
      await world.clock.outside(() => server.begin(world.users));
      await beginWell(world);
      await goThroughMuch(world);
      const emptyMs = await endWell(world);
      return outcomeOf(world, emptyMs);
    } finally {
      for (const tab of world.phones.flatMap(({ tabs }) => tabs)) tab.die();
      await world.clock.runUntil(() => false, Infinity);
    }
  });
}

async function beginWell(world: World): Promise<void> {
  // Two engines over one database, which locks only make rarer.
  const hasLocks = world.chance.happens(0.4);
  for (const phone of world.phones) {
    phone.openTab(hasLocks);
    if (world.chance.happens(0.5)) phone.openTab(hasLocks);
  }
  const tabs = world.phones.flatMap((phone) => phone.tabs);
  await world.clock.runUntil(() => tabs.every(({ isReady }) => isReady), 10_000);
  for (const [i, phone] of world.phones.entries()) {
    // Mostly one shopper with several phones, sometimes each with their own.
    const uid = world.users[world.chance.happens(0.7) ? 0 : i % world.users.length];
    if (uid !== undefined && world.chance.happens(0.95)) signInAs(world, phone, uid);
  }
  const limitMs = world.clock.nowMs + world.chance.pick([50, 1000]);
  await world.clock.runUntil(() => world.isBroken, limitMs);
}

async function goThroughMuch(world: World): Promise<void> {
  const { chance, clock } = world;
  const count = chance.between(10, 34);
  for (let i = 0; i < count && !world.isBroken; i++) {
    await doSomething(world, chance.pick(world.phones));
    const pauseMs = chance.weighted([
      [4, chance.between(0, 30)],
      [5, chance.between(30, 800)],
      [2, chance.between(800, 15_000)],
      [0.4, chance.between(15_000, 90_000)],
    ]);
    await clock.runUntil(() => world.isBroken, clock.nowMs + pauseMs);
  }
}

async function endWell(world: World): Promise<number | null> {
  if (world.isBroken) return null;
  await healAll(world);
  const emptyMs = await emptyOutboxes(world);
  if (!world.isBroken) await settleAll(world);
  if (!world.isBroken) await checkEnd(world);
  return emptyMs;
}

function outcomeOf(world: World, emptyMs: number | null): Outcome {
  if (world.errors.length > 0) {
    throw new Error(`the simulator failed at seed ${world.seed}`, { cause: world.errors[0] });
  }
  const { operations, states, faults, violations } = world.verdicts;
  const made = [...world.ledger.made];
  const isLost = ({ uid, id, isTakenAway }: (typeof made)[number]) =>
    isTakenAway && !world.ledger.applied(uid, id);
  const rolledBack = made.filter(isLost).length;
  const { seed } = world;
  return {
    seed,
    operations,
    states,
    faults,
    violations,
    rolledBack,
    changes: made.length,
    emptyMs,
  };
}
