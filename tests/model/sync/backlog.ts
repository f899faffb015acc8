/** One phone comes back after a long time without a network: what does it ask of the server? */
import { inBrowser } from './browser.ts';
import { Chance } from '../kit/chance.ts';
import type { Violation } from '../kit/verdicts.ts';
import type { Setup } from './environment.ts';
import { randomAction, signInAs } from './shopping.ts';
import { World } from './world.ts';

export interface Backlog {
  readonly pushes: number;
  readonly pulls: number;
  /** Simulated. */
  readonly emptyMs: number;
  readonly violations: readonly Violation[];
}

/** @throws when a step takes longer than three simulated minutes: the server takes 600 changes in one */
export async function clearBacklog(count: number, setup: Setup): Promise<Backlog> {
  const world = new World(1, { users: 1, phones: 1 }, setup);
  const { clock, chance, network } = world;
  const [uid] = world.users;
  const [phone] = world.phones;
  if (uid === undefined || !phone) throw new Error('unreachable');
  const until = async (isDone: () => boolean) => {
    if (!(await clock.runUntil(isDone, clock.nowMs + 180_000))) throw new Error('not in time');
  };
  return inBrowser(clock, new Chance(1, 6), async () => {
    await clock.outside(() => setup.server.begin(world.users));
    const tab = phone.openTab();
    // A shopper can sign in only once the tab knows where it keeps its data.
    await until(() => signInAs(world, phone, uid));
    await until(() => phone.storage.durable.bases.length > 0 && network.underway === 0);
    phone.weather = 'offline';
    const actions = Array.from({ length: count }, () => randomAction(chance));
    world.begin(tab, () => world.taps.change(tab, actions));
    await until(() => phone.pendingOf(uid).length === count && network.underway === 0);
    phone.weather = 'good';
    network.counts.clear();
    const began = clock.nowMs;
    world.begin(tab, async () => tab.page.fire('online'));
    await until(() => phone.pendingOf(uid).length === 0);
    const emptyMs = clock.nowMs - began;
    const asked = (path: string) => network.counts.get(path) ?? 0;
    const outcome = { pushes: asked('push'), pulls: asked('pull'), emptyMs };
    tab.die();
    await clock.runUntil(() => false, Infinity);
    return { ...outcome, violations: world.verdicts.violations };
  });
}
