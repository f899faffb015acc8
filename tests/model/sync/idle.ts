/** Counts the requests that a tab whose shopper does nothing sends in an hour. */
import { Chance } from '../kit/chance.ts';
import { inBrowser } from './browser.ts';
import type { Setup } from './environment.ts';
import type { RealtimeHealth } from './realtime.ts';
import { signInAs } from './shopping.ts';
import { World } from './world.ts';

const HOUR_MS = 3_600_000;
const MAX_STEP_MS = 30_000;

interface Idle {
  readonly realtime: RealtimeHealth;
  readonly isHidden: boolean;
}

/**
 * What the tab asks of the shopper's data in an idle hour. In its middle the shopper's other client writes a row.
 *
 * @returns the requests, how long the row took to arrive, and how long after a wake-up if it did not by itself
 */
export async function idleHour({ realtime, isHidden }: Idle, setup: Setup) {
  const world = new World(1, { users: 1, phones: 1 }, setup);
  const { clock, network } = world;
  const [uid] = world.users;
  const [phone] = world.phones;
  if (uid === undefined || !phone) throw new Error('unreachable');
  // Stream 6 belongs to the browser, as in schedule.ts.
  return inBrowser(clock, new Chance(1, 6), async () => {
    await clock.inRealTime(() => setup.server.reset(world.users));
    world.realtime.health = realtime;
    const tab = phone.openTab();
    await clock.runUntil(() => signInAs(world, phone, uid), MAX_STEP_MS);
    // The first pull, and the one that follows the join.
    await clock.runUntil(() => false, clock.nowMs + MAX_STEP_MS);
    tab.isHidden = isHidden;
    network.counts.clear();
    const endMs = clock.nowMs + HOUR_MS;
    await clock.runUntil(() => false, clock.nowMs + HOUR_MS / 2);
    await world.write(uid, { kind: 'insert', productId: 2, quantity: 1 });
    const hasRow = () => phone.storage.rows.bases.some(({ cart }) => cart.length > 0);
    const writtenMs = clock.nowMs;
    const arrivedMs = (await clock.runUntil(hasRow, endMs)) ? clock.nowMs - writtenMs : null;
    await clock.runUntil(() => false, endMs);
    const { push = 0, pull = 0, release = 0 } = Object.fromEntries(network.counts);
    tab.isHidden = false;
    world.fireInTabs(phone, 'visibilitychange');
    const wokenMs = clock.nowMs;
    await clock.runUntil(hasRow, clock.nowMs + MAX_STEP_MS);
    const afterWakeUpMs = clock.nowMs - wokenMs;
    tab.die();
    // Runs the events that the tab has left behind.
    await clock.runUntil(() => false, Infinity);
    return {
      requests: push + pull + release,
      arrivedMs,
      afterWakeUpMs,
      violations: world.verdicts.violations,
    };
  });
}
