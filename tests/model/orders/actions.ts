/** The random actions of a schedule: of the shopper, the functions, the providers and the shop's staff. */
import type { Chance } from '../kit/chance.ts';
import { type Job, jobName } from './jobs.ts';
import { changePayment } from './buyers.ts';
import { checkPaymentPromises } from './promises.ts';
import type { Fault, Target } from './run.ts';
import { readLists } from './settle.ts';
import { useStaffPage } from './sending.ts';
import { cancelOrder, goShopping, reload } from './shopper.ts';
import type { Tab } from './facts.ts';
import type { World } from './world.ts';
import type { ActiveJob } from './world-view.ts';

/** How much goes wrong in a schedule; drawn once for each. Probabilities are from 0 to 1. */
export interface FaultProfile {
  /** The probability that a call goes wrong. */
  readonly faultiness: number;
  /** The probability that a function runs to its end with nothing in between. */
  readonly haste: number;
  /** Whether webhooks are delivered before the schedule ends. */
  readonly hasWebhooks: boolean;
}

const FAULTS: Readonly<Record<Target, readonly Fault[]>> = {
  auth: ['expired', 'lost before'],
  database: ['lost before', 'lost after'],
  stripe: ['lost before', 'lost after', 'broken before', 'broken after', 'turned away'],
  paypal: ['lost before', 'lost after', 'broken before', 'broken after', 'turned away'],
  mail: ['lost before', 'lost after', 'broken before'],
  pause: [],
};
const MAX_ACTIVE_JOBS = 5;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the actions of a schedule share. */
interface Schedule {
  readonly world: World;
  readonly chance: Chance;
  readonly profile: FaultProfile;
}

/** An action of twice the weight is chosen twice as often. */
type Action = readonly [weight: number, action: () => Promise<unknown>];

/** Does one random action, and checks that no shopper pays twice unasked. */
export async function doRandomAction(schedule: Schedule): Promise<void> {
  const { world, chance, profile } = schedule;
  const jobCount = world.activeJobs.length;
  const isFull = jobCount >= MAX_ACTIVE_JOBS;
  const actions: Action[] = [
    [jobCount > 0 ? 4 + 3 * jobCount : 0, () => continueJob(schedule)],
    [jobCount > 0 ? 12 * profile.faultiness : 0, () => killJob(world, chance)],
    [isFull ? 0 : 6, () => useTab(schedule)],
    [5, () => changePayment(world, chance)],
    [isFull || !profile.hasWebhooks ? 0 : 3, () => deliverWebhook(schedule)],
    [isFull ? 0 : 0.8, () => beginJob(schedule, { kind: 'reconcile' })],
    [world.oracle.rows.hasAccount ? 1 : 0, () => goShopping(world, chance)],
    [0.25, () => cancelAnyOrder(world, chance)],
    [isFull ? 0 : 1, () => useStaffPage(world, chance, (job) => beginJob(schedule, job))],
    [isFull ? 0 : 0.6, () => beginJob(schedule, { kind: 'mails' })],
    [1.8, () => wait(world, chance)],
  ];
  await chance.weighted(actions)();
  checkPaymentPromises(world);
}

async function continueJob(schedule: Schedule): Promise<void> {
  const { world, chance } = schedule;
  const active = chance.pick(world.activeJobs);
  world.verdicts.action(`${jobName(active.job)} goes on`);
  await advance(schedule, active);
}

async function beginJob(schedule: Schedule, job: Job): Promise<void> {
  const { world, chance } = schedule;
  world.verdicts.action(`${jobName(job)} begins`);
  const active = await world.start(job);
  if (chance.happens(0.5)) await advance(schedule, active);
}

/** Lets a function make its next call, or all its calls to its end. */
async function advance(schedule: Schedule, active: ActiveJob): Promise<void> {
  const { world, chance, profile } = schedule;
  const { run } = active;
  const maxSteps = chance.happens(profile.haste) ? Infinity : 1;
  for (let steps = 0; steps < maxSteps && run.outcome === null; steps++) {
    const target = run.pending?.target ?? 'pause';
    if ((target === 'stripe' || target === 'paypal') && !run.hasBegun && chance.happens(0.04)) {
      world.verdicts.say(`    ${jobName(active.job)}: ${run.pending?.name} takes its time`);
      world.verdicts.fault(`${target}: slow`);
      await run.beginCall();
      return;
    }
    const faults = run.hasBegun ? [] : FAULTS[target];
    const isWrong = faults.length > 0 && chance.happens(profile.faultiness);
    const fault = isWrong ? chance.pick(faults) : null;
    await world.step(active, fault, { reachesPage: chance.happens(0.95) });
  }
}

async function killJob(world: World, chance: Chance): Promise<void> {
  const active = chance.pick(world.activeJobs);
  world.verdicts.fault('a function dies');
  world.verdicts.action('a function dies');
  await world.kill(active, { callHappens: chance.happens(0.5) });
}

async function wait(world: World, chance: Chance): Promise<void> {
  // The long waits let things expire: a payment page after an hour, an order after three hours.
  const ms = chance.weighted([
    [4, chance.between(1, 20) * SECOND_MS],
    [3, chance.between(2, 5) * MINUTE_MS],
    [0.8, 31 * MINUTE_MS],
    [0.8, 61 * MINUTE_MS],
    [0.4, 185 * MINUTE_MS],
    [0.15, 7 * 60 * MINUTE_MS],
  ]);
  world.verdicts.action(`${Math.round(ms / SECOND_MS)} s go by`);
  await world.pass(ms, () => chance.happens(0.5));
  // The shop reads the providers' lists once a day, of the last three days.
  if (world.facts.nowMs - world.facts.listsReadMs > DAY_MS) await readLists(world);
}

/** The shop's staff cancel one of the orders. */
async function cancelAnyOrder(world: World, chance: Chance): Promise<void> {
  const order = chance.pickIfAny(world.oracle.rows.orders);
  if (order) await cancelOrder(world, order.id);
}

/** Delivers a webhook: in any order, at any time, up to three times, or never. */
async function deliverWebhook(schedule: Schedule): Promise<void> {
  const { world, chance } = schedule;
  const { delivered } = world.facts;
  const events = world.providers.events.filter(({ id }) => (delivered[id] ?? 0) < 3);
  if (events.length === 0) return;
  const undelivered = events.filter(({ id }) => !delivered[id]);
  const isRepeated = undelivered.length === 0 || chance.happens(0.2);
  const { id, provider } = chance.pick(isRepeated ? events : undelivered);
  delivered[id] = (delivered[id] ?? 0) + 1;
  const request = await world.providers.webhook(provider, id);
  await beginJob(schedule, { kind: 'webhook', from: provider, request });
}

/** Opens a closed tab again, closes it, or does what its page can do. */
async function useTab(schedule: Schedule): Promise<void> {
  const { world, chance } = schedule;
  const tabIndex = chance.between(0, world.facts.tabs.length - 1);
  const tab = world.facts.tabs[tabIndex];
  if (!tab) return;
  if (!tab.isOpen) {
    world.verdicts.action(`tab ${tabIndex} is opened again`);
    tab.isOpen = true;
    return;
  }
  if (chance.happens(0.06)) {
    world.verdicts.action(`the browser of tab ${tabIndex} dies`);
    tab.isOpen = false;
    // The page has lost its memory; the phone's storage (`phoneOrders`) stays.
    for (const list of [tab.orders, tab.checkoutSessions, tab.paypalOrders]) list.length = 0;
    return;
  }
  const mayBeCaptured = tab.paypalOrders.filter(
    (id) => isApproved(world, id) || chance.happens(0.1), // a request may come before the approval
  );
  const actions: Action[] = [
    [3, () => pressPay(schedule, tabIndex, tab)],
    [mayBeCaptured.length > 0 ? 8 : 0, () => beginJob(schedule, captureJob())],
    [tab.orders.length > 0 ? 2 : 0, () => beginJob(schedule, statusJob(tab))],
    [tab.orders.length > 0 ? 1 : 0, () => payPlacedOrder(schedule, tabIndex, tab)],
    [0.12, () => beginJob(schedule, { kind: 'delete', tab: tabIndex })],
  ];
  await chance.weighted(actions)();

  function captureJob(): Job {
    return { kind: 'capture', tab: tabIndex, paypalOrder: chance.pick(mayBeCaptured) };
  }
  function statusJob({ orders, checkoutSessions }: Tab): Job {
    const isBySession = checkoutSessions.length > 0 && chance.happens(0.5);
    return {
      kind: 'status',
      tab: tabIndex,
      order: isBySession ? null : chance.pick(orders),
      session: isBySession ? chance.pick(checkoutSessions) : null,
    };
  }
}

/** The shopper presses Pay on the checkout of a tab. */
async function pressPay(schedule: Schedule, tabIndex: number, tab: Tab): Promise<void> {
  const { world, chance } = schedule;
  if (tab.lines.length === 0 || chance.happens(0.7)) await reload(world, tab);
  if (tab.lines.length === 0) return;
  const { askedAbout } = tab;
  // The shopper may say that the order is to be paid again.
  const again = askedAbout !== null && chance.happens(0.4);
  tab.askedAbout = null;
  const orderId = orderIdFor(world, chance, tab, again ? askedAbout : null);
  const kind = chance.pick(['card', 'paypal'] as const);
  const fields = world.cartRequest(tab, orderId, { again });
  if (chance.happens(0.2)) {
    world.verdicts.action('a button is pressed twice');
    await world.start({ kind, tab: tabIndex, fields });
  }
  await beginJob(schedule, { kind, tab: tabIndex, fields });
}

/** The shopper pays an order from the list of orders, whatever the cart holds now. */
async function payPlacedOrder(schedule: Schedule, tabIndex: number, tab: Tab): Promise<void> {
  const { world, chance } = schedule;
  const known = world.oracle.rows.orders.filter(({ id }) => tab.orders.includes(id));
  // The page may be out of date, and offer an order that is no longer pending.
  const offered = known.filter(({ state }) => state === 'pending' || chance.happens(0.1));
  const order = chance.pickIfAny(offered);
  if (!order) return;
  const fields = world.orderRequest(order);
  const kind = chance.pick(['card', 'paypal'] as const);
  await beginJob(schedule, { kind, tab: tabIndex, fields });
}

/**
 * The order id for the cart of a tab, as src/db/checkout-draft.ts chooses it: all tabs of a phone name the
 * same order for the same lines. When the shopper pays an order again (`paidAgain`), the id is a new one.
 */
function orderIdFor(
  world: World,
  chance: Chance,
  { phone, lines }: Tab,
  paidAgain: string | null,
): string {
  const { phoneOrders } = world.facts;
  const content = JSON.stringify(lines);
  const kept = phoneOrders[phone];
  if (kept?.content === content && kept.orderId !== paidAgain) return kept.orderId;
  const orderId = chance.uuid();
  phoneOrders[phone] = { content, orderId };
  return orderId;
}

function isApproved(world: World, paypalOrder: string): boolean {
  return world.providers.paypal.checkouts.some(
    ({ id, status }) => id === paypalOrder && status === 'APPROVED',
  );
}
