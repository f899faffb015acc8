/** What pages make of an answer, and whether it was true when it was given. */
import type { OrderStatus } from '../../../netlify/lib/order-status.ts';
import type { CardCheckout } from '../../../netlify/lib/card-checkout.ts';
import type { WalletCapture, WalletOrder } from '../../../netlify/lib/wallet-checkout.ts';
import type { PlacedOrder } from '../../../netlify/lib/orders.ts';
import type { Fields } from '../../../netlify/lib/http.ts';
import { type Job, nameOf } from './jobs.ts';
import { linesIn } from './promises.ts';
import type { Outcome } from './run.ts';
import { isOld, type Tab } from './facts.ts';
import type { Going, WorldView } from './world-view.ts';

/** After these the page asks no more. */
const ENDS: ReadonlySet<string> = new Set(['paid', 'failed', 'cancelled', 'expired']);

/** @param isHeard whether the answer reaches the page */
export function judge(world: WorldView, going: Going, outcome: Outcome, isHeard: boolean): void {
  const { verdicts } = world.parts;
  const { job } = going;
  const told = outcome.ok ? JSON.stringify(outcome.value) : String(outcome.error);
  verdicts.say(`    ${nameOf(job)} is answered ${told}${isHeard ? '' : ', and no page hears it'}`);
  if (outcome.ok) noteOpened(world, going, outcome.value);
  if (!outcome.ok) checkFailure(world, going, outcome.error);
  else checkAnswer(world, job, outcome.value);
  if (!('tab' in job) || !isHeard) return;
  const tab = world.facts.tabs[job.tab];
  if (!tab?.isOpen) return;
  if (outcome.ok) take(world, tab, job, outcome.value);
  else takeRefusal(world, tab, job, outcome.error);
}

/** A function refuses in words, or says that something is away. Anything else is a bug. */
function checkFailure(world: WorldView, { job, wasTaken }: Going, error: unknown): void {
  const { functions, verdicts } = world.parts;
  if (
    error instanceof functions.DatabaseUnavailable ||
    error instanceof functions.ProviderUnavailable
  )
    return;
  const isRefusal = error instanceof functions.HttpError;
  if (!isRefusal || !('tab' in job)) {
    verdicts.break('broken', `${nameOf(job)} fails: ${String(error)} ${codeOf(error)}`);
  }
  // That sentence ends with "No money was taken."
  if (isRefusal && error.status === 422 && wasTaken) {
    verdicts.break('page', `a page says "${error.message}" of money that was taken`);
  }
}

function checkAnswer(world: WorldView, job: Job, value: unknown): void {
  const { verdicts } = world.parts;
  if (job.kind === 'card') {
    // What the functions return is typed there.
    const { sessionId, orderId } = value as CardCheckout;
    checkNamed(world, job.fields, orderId);
    const session = world.providers.stripe.sessions.find(({ id }) => id === sessionId);
    if (session?.params.client_reference_id !== orderId) {
      verdicts.break('page', `${sessionId} is not the page of ${orderId}`);
    }
  } else if (job.kind === 'wallet') {
    checkNamed(world, job.fields, (value as WalletOrder).storeOrderId);
  } else if (job.kind === 'capture') {
    const { status } = value as WalletCapture;
    const isTaken = world.providers.receipts.some(({ sourceId }) => sourceId === job.wallet);
    if (status === 'COMPLETED' && !isTaken) verdicts.break('page', 'no capture is COMPLETED');
    if (/DECLINED|FAILED/.test(status)) {
      checkNothingTaken(world, status, (receipt) => receipt.sourceId === job.wallet);
    }
  } else if (job.kind === 'cancel') {
    checkCancelled(world, job.order, (value as PlacedOrder).state);
  } else if (job.kind === 'delete') {
    checkDeleted(world);
  } else if (job.kind === 'status') {
    const { status, orderId } = value as OrderStatus;
    const isOfIt = ({ reference }: { reference: string | null }) => reference === orderId;
    if (status === 'paid' && !world.providers.receipts.some(isOfIt)) {
      verdicts.break('page', `a page says paid of ${orderId}, of which no money came`);
    }
    // The page's sentence for these is "Nothing was charged".
    if (status !== 'paid' && ENDS.has(status)) checkNothingTaken(world, status, isOfIt);
  }
}

/**
 * The page says that nothing was charged, and no page of which a tab was told may be left where it still
 * could be. One whose making went wrong at Stripe is known to no one.
 */
function checkCancelled(world: WorldView, order: string, state: string): void {
  checkNothingTaken(world, state, ({ reference }) => reference === order);
  checkClosed(world, order, state);
}

/** All money of the account has been counted, and no more can come. */
function checkDeleted(world: WorldView): void {
  const { oracle, parts, providers, facts } = world;
  const { seen } = oracle;
  if (seen.hasAccount)
    parts.verdicts.break('erased', 'an account is said to be deleted, and is there');
  for (const { id } of seen.orders) checkClosed(world, id, 'of a deleted account');
  for (const { provider, paymentId, sourceId } of providers.receipts) {
    if (isOld(facts, sourceId)) continue;
    if (seen.event.some(({ capture }) => capture === paymentId)) continue;
    const text = `${provider} has ${paymentId} of a deleted account, which the shop has not heard of`;
    parts.verdicts.break('erased', text);
  }
}

function checkClosed(world: WorldView, order: string, state: string): void {
  const { stripe } = world.providers;
  const open = stripe.sessions.find(
    ({ id, status, params }) =>
      status === 'open' &&
      params.client_reference_id === order &&
      id in world.facts.opened &&
      !isOld(world.facts, id),
  );
  if (open) world.parts.verdicts.break('page', `${order} is ${state}, and ${open.id} is open`);
  const isAlive = world.oracle.seen.attempts.some((attempt) => {
    return attempt.order === order && /creating|open|capturing|processing/.test(attempt.state);
  });
  if (isAlive) world.parts.verdicts.break('page', `${order} is ${state}, and may still be paid`);
}

function checkNamed({ oracle, parts }: WorldView, asked: Fields, given: string): void {
  const { orderId = given, shownTotal } = asked;
  const total = oracle.seen.orders.find(({ id }) => id === given)?.total;
  if (orderId !== given) {
    parts.verdicts.break('page', `asked to pay ${String(orderId)}, the shop opened ${given}`);
  }
  if (shownTotal !== undefined && shownTotal !== total) {
    parts.verdicts.break(
      'page',
      `a page that showed ${JSON.stringify(shownTotal)} leads to pay ${total}`,
    );
  }
}

function checkNothingTaken(
  world: WorldView,
  words: string,
  isOfIt: (receipt: WorldView['providers']['receipts'][number]) => boolean,
): void {
  // What the database went back behind, no page can know.
  const isNew = ({ sourceId }: { sourceId: string }) => !isOld(world.facts, sourceId);
  if (!world.providers.receipts.some((receipt) => isOfIt(receipt) && isNew(receipt))) return;
  world.parts.verdicts.break('page', `a page says "${words}" of money that was taken`);
}

function noteOpened({ facts }: WorldView, { job, excused }: Going, value: unknown): void {
  if (job.kind !== 'card' && job.kind !== 'wallet') return;
  const { again } = job.fields;
  const answer = value as CardCheckout & WalletOrder; // one of them, by the kind of the job
  const isCard = job.kind === 'card';
  facts.opened[isCard ? answer.sessionId : answer.orderId] = {
    lines: linesIn(job.fields),
    order: isCard ? answer.orderId : answer.storeOrderId,
    isAgain: again === true,
    excused,
  };
}

function take(world: WorldView, tab: Tab, job: Job, value: unknown): void {
  if (job.kind === 'card') {
    const { sessionId, orderId } = value as CardCheckout;
    add(tab.cards, sessionId);
    add(tab.orders, orderId);
  } else if (job.kind === 'wallet') {
    const { orderId, storeOrderId } = value as WalletOrder;
    add(tab.wallets, orderId);
    add(tab.orders, storeOrderId);
  } else if (job.kind === 'cancel') {
    release(world, tab, job.order);
  } else if (job.kind === 'status') {
    const { status, orderId } = value as OrderStatus;
    if (ENDS.has(status)) release(world, tab, orderId);
  }
}

function takeRefusal(world: WorldView, tab: Tab, job: Job, error: unknown): void {
  if (job.kind !== 'card' && job.kind !== 'wallet') return;
  const code = codeOf(error);
  const { orderId } = job.fields;
  if (code === 'being-paid') tab.asked = orderIn(error);
  if (typeof orderId !== 'string') return;
  if (code === 'payment-under-way' || code === 'order-paid') tab.asked = orderId;
  add(tab.orders, orderId);
  if (code === 'order-closed' || code === 'order-differs') release(world, tab, orderId);
}

/** The same cart is another order from now on. */
function release({ facts }: WorldView, { phone }: Tab, orderId: string): void {
  if (facts.running[phone]?.orderId === orderId) facts.running[phone] = null;
}

function codeOf(error: unknown): string {
  const { answerFields, code = '' } = (error ?? {}) as {
    answerFields?: { code?: string };
    code?: string;
  };
  return answerFields?.code ?? code;
}

/** The order that a refusal names. */
function orderIn(error: unknown): string | null {
  const { order } = (error as { readonly answerFields: { readonly order?: unknown } }).answerFields;
  return typeof order === 'string' ? order : null;
}

function add(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}
