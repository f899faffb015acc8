/** Checks that what functions answer to pages is true, and does what the pages do with the answers. */
import type { OrderStatus } from '../../../netlify/lib/order-status.ts';
import type { CardCheckout } from '../../../netlify/lib/payments.ts';
import type { WalletCapture, WalletOrder } from '../../../netlify/lib/wallet-checkout.ts';
import { type Fields, fieldsOf, plainText } from '../../../src/domain/fields.ts';
import { type Job, jobName } from './jobs.ts';
import { type AttemptRow, liveAttempts } from './model-database.ts';
import { linesIn } from './promises.ts';
import type { RunOutcome } from './run.ts';
import type { Tab } from './facts.ts';
import type { ActiveJob, WorldView } from './world-view.ts';

/** Statuses after which a page does not ask again. */
const FINAL_STATUSES: ReadonlySet<string> = new Set(['paid', 'failed', 'cancelled', 'expired']);

/**
 * Checks how a function has ended, and passes its answer to the page.
 *
 * @param reachesPage whether the page gets the answer
 */
export function checkOutcome(
  world: WorldView,
  active: ActiveJob,
  outcome: RunOutcome,
  reachesPage: boolean,
): void {
  const { job } = active;
  const text = outcome.ok ? JSON.stringify(outcome.value) : String(outcome.error);
  const suffix = reachesPage ? '' : ', which reaches no page';
  world.verdicts.say(`    ${jobName(job)} is answered ${text}${suffix}`);
  if (outcome.ok) {
    noteOpened(world, active, outcome.value);
    checkAnswer(world, job, outcome.value);
  } else {
    checkFailure(world, active, outcome.error);
  }
  const tab = 'tab' in job && reachesPage ? world.facts.tabs[job.tab] : undefined;
  if (!tab?.isOpen) return;
  if (outcome.ok) applyAnswer(world, tab, job, outcome.value);
  else applyError(world, tab, job, outcome.error);
}

/**
 * A function may fail because a service is unavailable. A function that a page called may also fail with a
 * sentence for the shopper. Any other failure is a bug.
 */
function checkFailure(world: WorldView, { job, isMoneyTaken }: ActiveJob, error: unknown): void {
  const { parts, verdicts } = world;
  const { functions } = parts;
  if (
    error instanceof functions.DatabaseUnavailable ||
    error instanceof functions.ProviderUnavailable
  )
    return;
  const hasSentence = error instanceof functions.HttpError;
  const isCalledByPage = 'tab' in job || job.kind === 'staff';
  if (!hasSentence || !isCalledByPage) {
    verdicts.break('broken', `${jobName(job)} fails: ${String(error)} ${codeOf(error)}`);
  }
  // The sentence of a 422 ends with "Nothing was charged."
  if (hasSentence && error.status === 422 && isMoneyTaken) {
    verdicts.break('page', `a page says "${error.message}" of money that was taken`);
  }
}

/** Checks that an answer to a page is true. */
function checkAnswer(world: WorldView, job: Job, value: unknown): void {
  const { verdicts } = world;
  if (job.kind === 'card') {
    // The casts are to the types that the functions return.
    const { sessionId, orderId } = value as CardCheckout;
    checkOpened(world, job.fields, orderId);
    const session = world.providers.stripe.checkouts.find(({ id }) => id === sessionId);
    if (session?.params.client_reference_id !== orderId) {
      verdicts.break('page', `${sessionId} is not the page of ${orderId}`);
    }
  } else if (job.kind === 'paypal') {
    checkOpened(world, job.fields, (value as WalletOrder).storeOrderId);
  } else if (job.kind === 'capture') {
    const { status } = value as WalletCapture;
    const isTaken = world.providers.receipts.some(({ sourceId }) => sourceId === job.paypalOrder);
    if (status === 'COMPLETED' && !isTaken)
      verdicts.break('page', `a page says COMPLETED of ${job.paypalOrder}, which was not captured`);
    if (/DECLINED|FAILED/.test(status)) {
      checkNothingTaken(world, status, ({ sourceId }) => sourceId === job.paypalOrder);
    }
  } else if (job.kind === 'delete') {
    checkDeleted(world);
  } else if (job.kind === 'status') {
    const { status, orderId } = value as OrderStatus;
    const isForOrder = ({ reference }: { reference: string | null }) => reference === orderId;
    if (status === 'paid' && !world.providers.receipts.some(isForOrder)) {
      verdicts.break('page', `a page says paid of ${orderId}, of which no money came`);
    }
    // The page's sentence for these is "Nothing was charged".
    if (status !== 'paid' && FINAL_STATUSES.has(status))
      checkNothingTaken(world, status, isForOrder);
  }
}

/** Checks that the shop has counted all money of a deleted account, and that no more can come. */
function checkDeleted(world: WorldView): void {
  const { oracle, verdicts, providers } = world;
  const { rows } = oracle;
  if (rows.hasAccount) verdicts.break('erased', 'an account is said to be deleted, and is there');
  for (const { id } of rows.orders) checkClosed(world, id, 'of a deleted account');
  for (const { provider, paymentId } of providers.receipts) {
    if (rows.events.some(({ capture }) => capture === paymentId)) continue;
    const text = `${provider} has ${paymentId} of a deleted account, which the shop has not noted`;
    verdicts.break('erased', text);
  }
}

/**
 * Checks that the order can no longer be paid: neither on a payment page that a function has opened, nor by
 * an attempt in the database. Where Stripe's answer was lost, no browser has the address of the page, so that
 * page may stay open.
 *
 * @param words the state in which the order is, for the text of a violation
 */
function checkClosed(world: WorldView, order: string, words: string): void {
  const { stripe } = world.providers;
  const open = stripe.checkouts.find(
    ({ id, status, params }) =>
      status === 'open' && params.client_reference_id === order && id in world.facts.opened,
  );
  if (open) world.verdicts.break('page', `${order} is ${words}, and ${open.id} is open`);
  const isOfOrder = (attempt: AttemptRow) => attempt.order === order;
  if (liveAttempts(world.oracle.rows).some(isOfOrder))
    world.verdicts.break('page', `${order} is ${words}, and may still be paid`);
}

/** Checks that the payment page is for the order and the total of the request. */
function checkOpened({ oracle, verdicts }: WorldView, request: Fields, openedOrder: string): void {
  const { orderId, shownTotal } = request;
  const total = oracle.rows.orders.find(({ id }) => id === openedOrder)?.total;
  if (orderId !== openedOrder) {
    verdicts.break('page', `asked to pay ${String(orderId)}, the shop opened ${openedOrder}`);
  }
  if (shownTotal !== total) {
    const text = `a page that showed ${JSON.stringify(shownTotal)} leads to pay ${total}`;
    verdicts.break('page', text);
  }
}

/**
 * @param status what the page says of the payment
 * @param isOfPayment whether a receipt is of that payment
 */
function checkNothingTaken(
  world: WorldView,
  status: string,
  isOfPayment: (receipt: WorldView['providers']['receipts'][number]) => boolean,
): void {
  if (!world.providers.receipts.some(isOfPayment)) return;
  world.verdicts.break('page', `a page says "${status}" of money that was taken`);
}

/** Notes which payment page or PayPal order a request has opened, and which earlier promises allow it (promises.ts). */
function noteOpened({ facts }: WorldView, { job, excused }: ActiveJob, value: unknown): void {
  if (job.kind !== 'card' && job.kind !== 'paypal') return;
  const { again } = job.fields;
  const answer = value as CardCheckout & WalletOrder; // one of the two, by the kind of the job
  const isCard = job.kind === 'card';
  facts.opened[isCard ? answer.sessionId : answer.orderId] = {
    lines: linesIn(job.fields),
    order: isCard ? answer.orderId : answer.storeOrderId,
    isAgain: again === true,
    excused,
  };
}

/** Does what the page does with an answer. */
function applyAnswer(world: WorldView, tab: Tab, job: Job, value: unknown): void {
  if (job.kind === 'card') {
    const { sessionId, orderId } = value as CardCheckout;
    addOnce(tab.checkoutSessions, sessionId);
    addOnce(tab.orders, orderId);
  } else if (job.kind === 'paypal') {
    const { orderId, storeOrderId } = value as WalletOrder;
    addOnce(tab.paypalOrders, orderId);
    addOnce(tab.orders, storeOrderId);
  } else if (job.kind === 'status') {
    const { status, orderId } = value as OrderStatus;
    if (FINAL_STATUSES.has(status)) forgetOrder(world, tab, orderId);
  }
}

/** Does what the page does with an error: may ask whether to pay again (`askedAbout`), keeps or forgets the order. */
function applyError(world: WorldView, tab: Tab, job: Job, error: unknown): void {
  if (job.kind !== 'card' && job.kind !== 'paypal') return;
  const code = codeOf(error);
  const orderId = String(job.fields['orderId']);
  if (code === 'being-paid') tab.askedAbout = orderIn(error);
  if (code === 'payment-under-way' || code === 'order-paid') tab.askedAbout = orderId;
  addOnce(tab.orders, orderId);
  if (code === 'order-closed' || code === 'order-differs') forgetOrder(world, tab, orderId);
}

/** The phone forgets the order id of its cart: the same cart will be another order. */
function forgetOrder({ facts }: WorldView, { phone }: Tab, orderId: string): void {
  if (facts.phoneOrders[phone]?.orderId === orderId) facts.phoneOrders[phone] = null;
}

/** The code in the answer to an error, such as `order-paid`, or else of the error itself. */
function codeOf(error: unknown): string {
  const { code = fieldsOf(error)['code'] } = answerFieldsOf(error);
  return plainText(code);
}

/** The id of the order that an error names. */
function orderIn(error: unknown): string | null {
  const { order } = answerFieldsOf(error);
  return typeof order === 'string' ? order : null;
}

/** The fields of an `HttpError`; none for other errors. Mutated functions have a class of their own, so not by `instanceof`. */
function answerFieldsOf(error: unknown): Fields {
  return fieldsOf(fieldsOf(error)['answerFields']);
}

function addOnce(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}
