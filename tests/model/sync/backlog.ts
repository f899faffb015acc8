/** Counts the requests of a phone that goes online with many changes made offline. */
import { inBrowser } from './browser.ts';
import type { Violation } from '../kit/verdicts.ts';
import type { Setup } from './environment.ts';
import { randomAction, signInAs } from './shopping.ts';
import { World } from './world.ts';

/** The requests and the time until the outbox was empty. */
export interface Backlog {
  /** How many `push` and `pull` requests the phone sent. */
  readonly pushes: number;
  readonly pulls: number;
  /** In simulated time. */
  readonly emptyMs: number;
  readonly violations: readonly Violation[];
}

const SEED = 1;
/** Enough for 1,000 changes, of which the server takes 600 a minute. */
const MAX_STEP_MS = 180_000;

/**
 * Makes `count` changes offline, goes online and waits until the outbox is empty.
 *
 * @throws when a step takes longer than `MAX_STEP_MS`
 */
export async function clearBacklog(count: number, setup: Setup): Promise<Backlog> {
  const world = new World(SEED, { users: 1, phones: 1 }, setup);
  const { clock, chance, network } = world;
  const [uid] = world.users;
  const [phone] = world.phones;
  if (uid === undefined || !phone) throw new Error('unreachable');
  const until = async (isDone: () => boolean) => {
    if (!(await clock.runUntil(isDone, clock.nowMs + MAX_STEP_MS))) throw new Error('not in time');
  };
  return inBrowser(clock, SEED, async () => {
    await clock.inRealTime(() => setup.server.reset(world.users));
    const tab = phone.openTab();
    // A shopper can sign in only once the tab has opened a database.
    await until(() => signInAs(world, phone, uid));
    await until(() => phone.storage.rows.bases.length > 0 && network.inTransit === 0);
    phone.networkState = 'offline';
    const actions = Array.from({ length: count }, () => randomAction(chance));
    world.runIn(tab, () => world.taps.makeChanges(tab, actions));
    await until(() => phone.pendingOf(uid).length === count && network.inTransit === 0);
    phone.networkState = 'good';
    network.counts.clear();
    const beganMs = clock.nowMs;
    world.runIn(tab, async () => tab.events.fire('online'));
    await until(() => phone.pendingOf(uid).length === 0);
    const emptyMs = clock.nowMs - beganMs;
    const requestsTo = (path: string) => network.counts.get(path) ?? 0;
    const outcome = { pushes: requestsTo('push'), pulls: requestsTo('pull'), emptyMs };
    tab.die();
    // Runs the events that the tab has left behind.
    await clock.runUntil(() => false, Infinity);
    return { ...outcome, violations: world.verdicts.violations };
  });
}
