/** One thing that happens in a schedule, at random: to the shopper, the functions or the providers. */
import type { Chance } from '../kit/chance.ts';
import { type Job, nameOf } from './jobs.ts';
import { pay } from './buyers.ts';
import { watchPromises } from './promises.ts';
import { backUp, restoreAny } from './restore.ts';
import type { Fault, Place } from './run.ts';
import { cancelOrder, goShopping, reload } from './shopper.ts';
import type { Tab } from './facts.ts';
import type { World } from './world.ts';
import type { Going } from './world-view.ts';

/** How a schedule goes, drawn once for each. */
export interface FaultProfile {
  /** How probable it is that a call goes wrong. */
  readonly faultiness: number;
  /** How probable it is that a function goes on to its end with nothing in between. */
  readonly haste: number;
  /** Whether messages of the providers arrive at all before the schedule settles. */
  readonly hasMessages: boolean;
  /** Whether the database may go back. */
  readonly hasRestores: boolean;
}

const FAULTS: Readonly<Record<Place, readonly Fault[]>> = {
  auth: ['expired', 'lost before'],
  database: ['lost before', 'lost after'],
  stripe: ['lost before', 'lost after', 'broken before', 'broken after', 'turned away'],
  paypal: ['lost before', 'lost after', 'broken before', 'broken after', 'turned away'],
  pause: [],
};
const MOST_AT_ONCE = 5;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

type Action = readonly [weight: number, action: () => Promise<unknown>];

export async function doSomething(
  world: World,
  chance: Chance,
  profile: FaultProfile,
): Promise<void> {
  const { going } = world;
  const isFull = going.length >= MOST_AT_ONCE;
  const actions: Action[] = [
    [going.length > 0 ? 4 + 3 * going.length : 0, () => goOn(world, chance, profile)],
    [going.length > 0 ? 12 * profile.faultiness : 0, () => die(world, chance)],
    [isFull ? 0 : 6, () => useTab(world, chance, profile)],
    [5, () => pay(world, chance)],
    [isFull || !profile.hasMessages ? 0 : 3, () => hear(world, chance, profile)],
    [isFull ? 0 : 0.8, () => begin(world, chance, profile, { kind: 'reconcile' })],
    [world.oracle.seen.hasAccount ? 1 : 0, () => goShopping(world, chance)],
    [0.25, () => cancel(world, chance)],
    [1.8, () => wait(world, chance)],
    [profile.hasRestores ? 1.5 : 0, () => backUp(world)],
    [world.facts.backups.length > 0 ? 0.7 : 0, () => restoreAny(world, chance)],
  ];
  await chance.weighted(actions)();
  watchPromises(world);
}

/** A function gets on. */
async function goOn(world: World, chance: Chance, profile: FaultProfile): Promise<void> {
  const going = chance.pick(world.going);
  world.parts.verdicts.action(`${nameOf(going.job)} goes on`);
  await walk(world, chance, profile, going);
}

async function begin(world: World, chance: Chance, profile: FaultProfile, job: Job): Promise<void> {
  world.parts.verdicts.action(`${nameOf(job)} begins`);
  const going = await world.start(job);
  if (chance.happens(0.5)) await walk(world, chance, profile, going);
}

async function walk(
  world: World,
  chance: Chance,
  profile: FaultProfile,
  going: Going,
): Promise<void> {
  const { run } = going;
  const most = chance.happens(profile.haste) ? Infinity : 1;
  for (let steps = 0; steps < most && run.outcome === null; steps++) {
    const target = run.pending?.to ?? 'pause';
    if ((target === 'stripe' || target === 'paypal') && !run.isHeld && chance.happens(0.04)) {
      world.parts.verdicts.say(`    ${nameOf(going.job)}: ${run.pending?.what} takes its time`);
      world.parts.verdicts.fault(`${target}: slow`);
      await run.hold();
      return;
    }
    const faults = run.isHeld ? [] : FAULTS[target];
    const isWrong = faults.length > 0 && chance.happens(profile.faultiness);
    await world.step(going, isWrong ? chance.pick(faults) : null, chance.happens(0.95));
  }
}

async function die(world: World, chance: Chance): Promise<void> {
  const going = chance.pick(world.going);
  world.parts.verdicts.fault('a function dies');
  world.parts.verdicts.action('a function dies');
  await world.kill(going, chance.happens(0.5));
}

async function wait(world: World, chance: Chance): Promise<void> {
  const ms = chance.weighted([
    [4, chance.between(1, 20) * SECOND],
    [3, chance.between(2, 5) * MINUTE],
    [0.8, 31 * MINUTE],
    [0.8, 61 * MINUTE],
    [0.4, 185 * MINUTE],
    [0.15, 7 * 60 * MINUTE],
  ]);
  world.parts.verdicts.action(`${Math.round(ms / SECOND)} s go by`);
  await world.pass(ms, () => chance.happens(0.5));
}

async function cancel(world: World, chance: Chance): Promise<void> {
  const { orders } = world.oracle.seen;
  if (orders.length > 0) await cancelOrder(world, chance.pick(orders).id);
}

/** A message of a provider comes: any, at any time, again, or never. */
async function hear(world: World, chance: Chance, profile: FaultProfile): Promise<void> {
  const { delivered } = world.facts;
  const events = world.providers.events.filter(({ id }) => (delivered[id] ?? 0) < 3);
  if (events.length === 0) return;
  const fresh = events.filter(({ id }) => !delivered[id]);
  const isAgain = fresh.length === 0 || chance.happens(0.2);
  const { id, provider } = chance.pick(isAgain ? events : fresh);
  delivered[id] = (delivered[id] ?? 0) + 1;
  const sent = await world.providers.message(provider, id);
  await begin(world, chance, profile, { kind: 'message', from: provider, sent });
}

async function useTab(world: World, chance: Chance, profile: FaultProfile): Promise<void> {
  const at = chance.between(0, world.facts.tabs.length - 1);
  const tab = world.facts.tabs[at];
  if (!tab) return;
  if (!tab.isOpen) {
    world.parts.verdicts.action(`tab ${at} is opened again`);
    tab.isOpen = true;
    return;
  }
  if (chance.happens(0.06)) {
    world.parts.verdicts.action(`the browser of tab ${at} dies`);
    tab.isOpen = false;
    // What it knew is gone; what the phone keeps stays.
    for (const list of [tab.orders, tab.cards, tab.wallets]) list.length = 0;
    return;
  }
  const mayBeCaptured = tab.wallets.filter((id) => isApproved(world, id) || chance.happens(0.1));
  const actions: Action[] = [
    [3, () => press(world, chance, profile, at, tab)],
    [
      mayBeCaptured.length > 0 ? 8 : 0,
      () => begin(world, chance, profile, captureBy(mayBeCaptured)),
    ],
    [tab.orders.length > 0 ? 2 : 0, () => begin(world, chance, profile, statusOf())],
    [tab.orders.length > 0 ? 0.5 : 0, () => begin(world, chance, profile, cancelling())],
    [tab.orders.length > 0 ? 1 : 0, () => payOn(world, chance, profile, at, tab)],
    [0.12, () => begin(world, chance, profile, { kind: 'delete', tab: at })],
  ];
  await chance.weighted(actions)();

  function cancelling(): Job {
    return { kind: 'cancel', tab: at, order: chance.pick(tab?.orders ?? []) };
  }
  function captureBy(wallets: readonly string[]): Job {
    return { kind: 'capture', tab: at, wallet: chance.pick(wallets) };
  }
  function statusOf(): Job {
    const { orders, cards } = tab ?? { orders: [], cards: [] };
    const isBySession = cards.length > 0 && chance.happens(0.5);
    return {
      kind: 'status',
      tab: at,
      order: isBySession ? null : chance.pick(orders),
      session: isBySession ? chance.pick(cards) : null,
    };
  }
}

async function press(world: World, chance: Chance, profile: FaultProfile, at: number, tab: Tab) {
  if (tab.lines.length === 0 || chance.happens(0.7)) await reload(world, tab);
  if (tab.lines.length === 0) return;
  // The request of the specification alone names no order and no total.
  const { asked } = tab;
  const isAgain = asked !== null && chance.happens(0.4);
  tab.asked = null;
  const orderId = chance.happens(0.1) ? null : claim(world, chance, tab, isAgain ? asked : null);
  const kind = chance.pick(['card', 'wallet'] as const);
  const fields = world.fieldsFor(tab, orderId, isAgain);
  if (chance.happens(0.2)) {
    world.parts.verdicts.action('a button is pressed twice');
    await world.start({ kind, tab: at, fields });
  }
  await begin(world, chance, profile, { kind, tab: at, fields });
}

/** From the list of orders: an order is named with its own contents, whatever the cart holds now. */
async function payOn(world: World, chance: Chance, profile: FaultProfile, at: number, tab: Tab) {
  const waiting = world.oracle.seen.orders.filter(({ id, state }) => {
    return tab.orders.includes(id) && (state === 'pending' || chance.happens(0.1));
  });
  if (waiting.length === 0) return;
  const fields = world.fieldsOf(chance.pick(waiting));
  await begin(world, chance, profile, { kind: chance.pick(['card', 'wallet']), tab: at, fields });
}

/** As src/db/checkout-draft.ts does it: the same content is the same order, in all tabs of a phone. */
function claim(world: World, chance: Chance, { phone, lines }: Tab, asked: string | null): string {
  const { running } = world.facts;
  const content = JSON.stringify(lines);
  const known = running[phone];
  if (known?.content === content && known.orderId !== asked) return known.orderId;
  const orderId = chance.uuid();
  running[phone] = { content, orderId };
  return orderId;
}

function isApproved(world: World, wallet: string): boolean {
  return world.providers.paypal.orders.some(
    ({ id, status }) => id === wallet && status === 'APPROVED',
  );
}
