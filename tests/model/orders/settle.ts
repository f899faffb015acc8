/** How a schedule ends: the shopper does nothing more, and the reconcile runs until all is settled. */
import type { Chance } from '../kit/chance.ts';
import { checkEnd } from './final-checks.ts';
import { countedEvents, liveAttempts } from './model-database.ts';
import { sendAndMail } from './sending.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const SOON_MS = 3 * MINUTE_MS;
/** A payment page can be paid for an hour. */
const AFTER_PAGE_MS = 61 * MINUTE_MS;
/** An order can be paid for three hours. */
const AFTER_ORDER_MS = 185 * MINUTE_MS;
/** Enough runs, because the reconcile asks about each attempt at least once an hour. */
const MAX_ROUNDS = 10;

/** A random end, which late webhooks must not change. */
export async function endAtRandom(world: World, chance: Chance): Promise<void> {
  while (world.activeJobs.length > 0 && !world.isBroken) {
    const active = chance.pick(world.activeJobs);
    if (chance.happens(0.3)) await world.kill(active, { callHappens: chance.happens(0.5) });
    else await world.finish(active);
  }
  const bankAccepts = () => chance.happens(0.6);
  if (chance.happens(0.5)) decideAll(world, bankAccepts);
  if (chance.happens(0.3)) await deliverAll(world, chance);
  if (chance.happens(0.5)) await reconcile(world);
  decideAll(world, bankAccepts);
  if (!world.isBroken) await reconcileUntilSettled(world, chance, bankAccepts);
  if (!world.isBroken) await sendAndMail(world, chance);
  if (!world.isBroken) checkEnd(world);
  if (!world.isBroken) await checkLateMessages(world, chance);
}

/** Lets the banks decide about all pending payments. */
function decideAll(world: World, bankAccepts: () => boolean): void {
  const { providers } = world;
  for (const provider of ['stripe', 'paypal'] as const) {
    for (const { id, payment } of providers[provider].checkouts) {
      if (payment?.status !== 'pending') continue;
      const outcome = bankAccepts() ? 'succeeded' : 'failed';
      world.verdicts.say(`at last ${id}: ${outcome}`);
      // The ids that follow depend on this decision alone, not on what was drawn before.
      providers.seedIds(`${outcome} ${id}`);
      providers[provider].settle(id, outcome);
    }
  }
}

/** The read of both providers' lists, which the shop makes once a day; here after each gap, because gaps are short. */
export async function readLists(world: World): Promise<void> {
  world.facts.listsReadMs = world.facts.nowMs;
  for (const from of ['stripe', 'paypal'] as const) await world.runToEnd({ kind: 'list', from });
}

async function reconcile(world: World): Promise<void> {
  await world.runToEnd({ kind: 'reconcile' });
}

async function reconcileUntilSettled(world: World, chance: Chance, bankAccepts: () => boolean) {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // In the second half of the rounds, everything must expire.
    const gapMs = chance.pick([SOON_MS, AFTER_PAGE_MS, AFTER_ORDER_MS]);
    const ms = round < MAX_ROUNDS / 2 ? gapMs : AFTER_ORDER_MS;
    world.verdicts.say(`${ms / MINUTE_MS} minutes go by, and the reconcile runs`);
    await world.pass(ms);
    await reconcile(world);
    await readLists(world);
    // The reconcile may itself have made a capture about which the bank must decide.
    decideAll(world, bankAccepts);
    // At least two rounds: the reconcile of the first has not seen this decision.
    if (world.isBroken || (round > 0 && unsettled(world).length === 0)) return;
  }
  world.verdicts.break('settled', `left open: ${unsettled(world).join(', ')}`);
}

function unsettled({ oracle: { rows } }: World): string[] {
  const orders = rows.orders.filter(({ state }) => /pending|confirming/.test(state));
  return [
    ...orders.map(({ id, state }) => `order ${id} is ${state}`),
    ...liveAttempts(rows).map(
      ({ order, number, state }) => `attempt ${order}:${number} is ${state}`,
    ),
  ];
}

/** Delivers every event, in random order. */
async function deliverAll(world: World, chance: Chance): Promise<void> {
  const events = world.providers.events
    .map((event) => ({ event, at: chance.next() }))
    .sort((a, b) => a.at - b.at);
  for (const { event } of events) {
    await world.finish(await world.startWebhook(event.provider, event.id));
  }
}

/** Delivers every webhook once more, and asks for the status of every order: nothing may change. */
async function checkLateMessages(world: World, chance: Chance): Promise<void> {
  const { verdicts } = world;
  const readState = () =>
    JSON.stringify([
      world.oracle.rows.orders,
      countedEvents(world.oracle.rows),
      world.oracle.rows.cart,
    ]);
  const before = readState();
  await deliverAll(world, chance);
  await reconcile(world);
  if (readState() !== before) {
    verdicts.break('twice', `late messages made ${readState()} of ${before}`);
  }
  for (const { id, state } of world.oracle.rows.orders) {
    const { run } = await world.runToEnd({ kind: 'status', tab: 0, order: id, session: null });
    const { outcome } = run;
    if (!world.oracle.rows.hasAccount) {
      if (outcome?.ok) verdicts.break('erased', `a page is told of ${id} of a deleted account`);
      continue;
    }
    const shown = outcome?.ok
      ? (outcome.value as { status: string }).status
      : String(outcome?.error);
    const expected = /late|review/.test(state) ? 'review' : state;
    if (shown !== expected)
      verdicts.break('page', `of an order that is ${state} a page says ${shown}`);
  }
}
