/** An hour in which a tab's shopper does nothing: how often the tab asks the server, how soon it hears of a change. */
import type { Violation } from '../kit/verdicts.ts';
import { inBrowser } from './browser.ts';
import type { Setup } from './environment.ts';
import type { RealtimeHealth } from './realtime.ts';
import { signInAs } from './shopping.ts';
import { World } from './world.ts';

const SEED = 1;
const HOUR_MS = 3_600_000;
const MAX_STEP_MS = 30_000;

interface Idle {
  readonly realtime: RealtimeHealth;
  readonly isHidden: boolean;
}

interface IdleHour {
  /** How many requests for the shopper's data the tab sent. */
  readonly requests: number;
  /** From the change on the server until the phone had it; null if the hour ended first. */
  readonly arrivedMs: number | null;
  /** From the shopper's return to the tab, after the hour, until the phone had the change: 0 if it came before. */
  readonly afterWakeUpMs: number;
  readonly violations: readonly Violation[];
}

/** Simulates the hour. In its middle another client of the shopper adds a row to the cart on the server. */
export async function idleHour({ realtime, isHidden }: Idle, setup: Setup): Promise<IdleHour> {
  const world = new World(SEED, { users: 1, phones: 1 }, setup);
  const { clock, network } = world;
  const [uid] = world.users;
  const [phone] = world.phones;
  if (uid === undefined || !phone) throw new Error('unreachable');
  const letPass = (ms: number) => clock.runUntil(() => false, clock.nowMs + ms);
  return inBrowser(clock, SEED, async () => {
    await clock.inRealTime(() => setup.server.reset(world.users));
    world.realtime.health = realtime;
    const tab = phone.openTab();
    await clock.runUntil(() => signInAs(world, phone, uid), MAX_STEP_MS);
    // The pull at the start, and the pull after the tab has joined realtime, do not count.
    await letPass(MAX_STEP_MS);
    tab.isHidden = isHidden;
    network.counts.clear();
    await letPass(HOUR_MS / 2);
    await world.write(uid, { kind: 'insert', productId: 2, quantity: 1 });
    const hasRow = () => phone.storage.rows.bases.some(({ cart }) => cart.length > 0);
    const writtenMs = clock.nowMs;
    const endMs = writtenMs + HOUR_MS / 2;
    const arrivedMs = (await clock.runUntil(hasRow, endMs)) ? clock.nowMs - writtenMs : null;
    await clock.runUntil(() => false, endMs);
    const { push = 0, pull = 0, release = 0 } = Object.fromEntries(network.counts);
    tab.isHidden = false;
    world.fireInTabs(phone, 'visibilitychange');
    const returnedMs = clock.nowMs;
    await clock.runUntil(hasRow, returnedMs + MAX_STEP_MS);
    const afterWakeUpMs = clock.nowMs - returnedMs;
    tab.die();
    // Runs the events that the tab has left behind.
    await letPass(Infinity);
    const { violations } = world.verdicts;
    return { requests: push + pull + release, arrivedMs, afterWakeUpMs, violations };
  });
}
