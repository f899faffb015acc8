/**
 * Schedules written by hand, for situations that random ones hardly ever reach. They are those of the first seeds,
 * so every soak begins with them. Each ends at random, as the others do.
 */
import { cancelOrder, reload } from './shopper.ts';
import type { Job } from './jobs.ts';
import type { World } from './world.ts';

const ORDER = '0a000000-0000-4000-8000-000000000001';
const NEXT_ORDER = '0a000000-0000-4000-8000-000000000002';
/** From two minutes after its beginning on, the reconcile asks about a payment. */
const RECONCILED_MS = 3 * 60_000;
const PAGE_LIFETIME_MS = 60 * 60_000;
const HALF_A_MINUTE_MS = 30_000;

/** Staff cancel an order, and its shopper pays on the page that is open, between two polls of the page. */
async function paidBetweenPolls(world: World): Promise<void> {
  const poll = () => world.runToEnd({ kind: 'status', tab: 0, order: ORDER, session: null });
  await world.runToEnd({ kind: 'card', tab: 0, fields: await requestOfFirstTab(world, ORDER) });
  // The shop asks Stripe now, and not again within two seconds.
  await poll();
  await cancelOrder(world, ORDER);
  world.providers.stripe.pay(world.providers.stripe.checkouts[0]?.id ?? '');
  await poll();
}

/**
 * While the reconcile hears from PayPal that a capture which died has taken nothing, the shopper approves once
 * more, and a newer capture is on its way.
 */
async function capturedAgainDuringReconcile(world: World): Promise<void> {
  const fields = await requestOfFirstTab(world, ORDER);
  await world.runToEnd({ kind: 'paypal', tab: 0, fields });
  const { paypal, stripe } = world.providers;
  const paypalOrder = paypal.checkouts[0]?.id ?? '';
  const capture = { kind: 'capture', tab: 0, paypalOrder } as const;
  paypal.approve(paypalOrder, 'declined');
  await world.kill(await startUntil(world, capture, isCapture));
  await world.pass(RECONCILED_MS);
  const reconcile = await startUntil(world, { kind: 'reconcile' }, isCapture);
  await world.runToEnd(capture);
  paypal.approve(paypalOrder);
  const newer = await startUntil(world, capture, isCapture);
  // The request reaches PayPal. A deliberate bug may let no capture begin; then the function has ended.
  if (newer.run.outcome === null) await newer.run.beginCall();
  await world.finish(reconcile);
  // Whether PayPal takes the money is open, so no card page may open beside it. One that a bug has opened is paid.
  await world.runToEnd({ kind: 'card', tab: 0, fields });
  for (const { id } of stripe.checkouts) stripe.pay(id);
  await world.finish(newer);
}

const isCapture = (call: string) => call.endsWith('/capture');

/** Starts a job, which runs until it makes such a call, or to its end. */
async function startUntil(world: World, job: Job, isCall: (name: string) => boolean) {
  const active = await world.start(job);
  const isThere = () => isCall(active.run.pending?.name ?? '');
  while (active.run.outcome === null && !isThere()) await world.step(active);
  return active;
}

/** Stripe's late answer is about a payment page that has ended, and the order has the next page already. */
async function answeredAboutAnEndedPage(world: World): Promise<void> {
  const card = { kind: 'card', tab: 0, fields: await requestOfFirstTab(world, ORDER) } as const;
  const isNoting = (call: string) => call === 'record_reference';
  // Stripe has made the page, but the function dies before it tells the database.
  await world.kill(await startUntil(world, card, isNoting));
  await world.pass(PAGE_LIFETIME_MS - HALF_A_MINUTE_MS);
  // Stripe answers with the same page, which ends before this function tells the database.
  const late = await startUntil(world, card, isNoting);
  await world.pass(HALF_A_MINUTE_MS + 5000);
  const next = await startUntil(world, card, (call) => call.endsWith('/sessions'));
  const ended = world.providers.events.find(({ type }) => type === 'checkout.session.expired');
  await world.finish(await world.startWebhook('stripe', ended?.id ?? ''));
  await world.finish(late);
  await world.finish(next);
  if (!next.run.outcome?.ok) world.verdicts.break('page', 'a late answer has ended the next page');
}

/** A card is paid, and the shop does not hear of this. After the page's time the shopper pays for the same again. */
async function paidAgainUnheard(world: World): Promise<void> {
  const { paypal, stripe } = world.providers;
  await world.runToEnd({ kind: 'card', tab: 0, fields: await requestOfFirstTab(world, ORDER) });
  stripe.pay(stripe.checkouts[0]?.id ?? '');
  await world.pass(PAGE_LIFETIME_MS);
  const fields = await requestOfFirstTab(world, NEXT_ORDER);
  await world.runToEnd({ kind: 'paypal', tab: 0, fields });
  for (const { id } of paypal.checkouts) {
    paypal.approve(id);
    await world.runToEnd({ kind: 'capture', tab: 0, paypalOrder: id });
  }
}

/** The mail server refuses every mail at first. */
async function mailsRefusedAtFirst(world: World): Promise<void> {
  const { stripe } = world.providers;
  await world.runToEnd({ kind: 'card', tab: 0, fields: await requestOfFirstTab(world, ORDER) });
  stripe.pay(stripe.checkouts[0]?.id ?? '');
  await world.pass(RECONCILED_MS);
  await world.runToEnd({ kind: 'reconcile' });
  const mails = await world.start({ kind: 'mails' });
  while (mails.run.outcome === null) {
    await world.step(mails, mails.run.pending?.target === 'mail' ? 'broken before' : null);
  }
}

/** The request by which the first tab pays its cart as this order. */
async function requestOfFirstTab(world: World, order: string): Promise<Record<string, unknown>> {
  const [tab] = world.facts.tabs;
  if (!tab) throw new Error('there is no tab');
  await reload(world, tab);
  return world.cartRequest(tab, order);
}

export const WRITTEN: readonly ((world: World) => Promise<void>)[] = [
  paidBetweenPolls,
  capturedAgainDuringReconcile,
  paidAgainUnheard,
  mailsRefusedAtFirst,
  answeredAboutAnEndedPage,
];
