/** How a schedule ends: the shopper does nothing more, and the reconcile runs until all is settled. */
import type { Chance } from '../kit/chance.ts';
import { checkEnd, countedEvents } from './ends.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** Soon, after a page has ended, after an order has ended. */
const GAPS_MS = [3 * MINUTE_MS, 61 * MINUTE_MS, 185 * MINUTE_MS] as const;
const [SOON_MS, , LATE_MS] = GAPS_MS;
/** What is under way is asked about once an hour at least. */
const MOST_ROUNDS = 10;

/** The shortest end: everything that runs dies, no message comes, time passes. */
export async function endDead(world: World): Promise<void> {
  for (const going of world.going) await world.kill(going, false);
  const isGood = () => true;
  decideAll(world, isGood);
  let rounds = 0;
  await reconcileUntilSettled(world, isGood, () => ((rounds += 1) > 1 ? LATE_MS : SOON_MS));
  if (!world.isBroken) await checkEnd(world);
}

/** An end at random, after which late messages and pages must find all as it is. */
export async function endWell(world: World, chance: Chance): Promise<void> {
  while (world.going.length > 0 && !world.isBroken) {
    const going = chance.pick(world.going);
    if (chance.happens(0.3)) await world.kill(going, chance.happens(0.5));
    else await world.finish(going);
  }
  const isGood = () => chance.happens(0.6);
  if (chance.happens(0.5)) decideAll(world, isGood);
  if (chance.happens(0.3)) await deliverAll(world, chance);
  if (chance.happens(0.5)) await reconcile(world);
  decideAll(world, isGood);
  const gapMs = () => chance.pick(GAPS_MS);
  if (!world.isBroken) await reconcileUntilSettled(world, isGood, gapMs);
  if (!world.isBroken) await checkEnd(world);
  if (!world.isBroken) await checkLateComers(world, chance);
}

/** What the banks still had in work is decided. */
function decideAll(world: World, isGood: () => boolean): void {
  const { providers } = world;
  for (const { id, intent } of providers.stripe.sessions) {
    if (intent?.status !== 'processing') continue;
    const action = isGood() ? 'settle' : 'fail';
    world.parts.verdicts.say(`at last ${id}: ${action}`);
    providers.named(`${action} ${id}`).stripe[action](id);
  }
  for (const { id, capture } of providers.paypal.orders) {
    if (capture?.status !== 'PENDING') continue;
    const action = isGood() ? 'settle' : 'deny';
    world.parts.verdicts.say(`at last ${id}: ${action}`);
    providers.named(`${action} ${id}`).paypal[action](id);
  }
}

async function reconcile(world: World): Promise<void> {
  await world.finish(await world.start({ kind: 'reconcile' }));
}

async function reconcileUntilSettled(world: World, isGood: () => boolean, gapMs: () => number) {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // In the end time must do what is left to it.
    const ms = round < MOST_ROUNDS / 2 ? gapMs() : LATE_MS;
    world.parts.verdicts.say(`${ms / MINUTE_MS} minutes go by, and the reconcile runs`);
    await world.pass(ms, () => false);
    await reconcile(world);
    // It may itself have taken money that the bank then has in work.
    decideAll(world, isGood);
    if (world.isBroken || (round > 0 && openThings(world).length === 0)) return;
  }
  world.parts.verdicts.break('settled', `left open: ${openThings(world).join(', ')}`);
}

function openThings({ oracle: { seen } }: World): string[] {
  const orders = seen.orders.filter(({ state }) => /pending|confirming/.test(state));
  const attempts = seen.attempts.filter(({ state }) =>
    /creating|open|capturing|processing/.test(state),
  );
  return [
    ...orders.map(({ id, state }) => `order ${id} is ${state}`),
    ...attempts.map(({ order, number, state }) => `attempt ${order}:${number} is ${state}`),
  ];
}

async function deliverAll(world: World, chance: Chance): Promise<void> {
  const events = world.providers.events
    .map((event) => ({ event, at: chance.next() }))
    .sort((a, b) => a.at - b.at);
  for (const { event } of events) {
    await world.finish(await world.startMessage(event.provider, event.id));
  }
}

/** Every message comes once more, and every page asks once more. */
async function checkLateComers(world: World, chance: Chance): Promise<void> {
  const { verdicts } = world.parts;
  const orderState = () =>
    JSON.stringify([
      world.oracle.seen.orders,
      countedEvents(world.oracle.seen),
      world.oracle.seen.cart,
    ]);
  const before = orderState();
  await deliverAll(world, chance);
  await reconcile(world);
  // After a restore, a late message may be the first that tells the shop of lost money.
  if (world.facts.wentBack) await checkEnd(world);
  else if (orderState() !== before) {
    verdicts.break('twice', `late messages made ${orderState()} of ${before}`);
  }
  for (const { id, state } of world.oracle.seen.orders) {
    const status = await world.start({ kind: 'status', tab: 0, order: id, session: null });
    await world.finish(status);
    const { outcome } = status.run;
    if (!world.oracle.seen.hasAccount) {
      if (outcome?.ok) verdicts.break('erased', `a page is told of ${id} of a deleted account`);
      continue;
    }
    const shown = outcome?.ok
      ? (outcome.value as { status: string }).status
      : String(outcome?.error);
    const should = /late|review/.test(state) ? 'review' : state;
    if (shown !== should)
      verdicts.break('page', `of an order that is ${state} a page says ${shown}`);
  }
}
