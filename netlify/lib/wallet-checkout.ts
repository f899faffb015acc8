/** Paying with PayPal: the shopper approves an order there, then the server takes the money. */
import { NotConfigured } from './env.ts';
import { HttpError } from './http.ts';
import type { PaymentAttempt, PlacedOrder, RequestedOrder } from './orders.ts';
import {
  applyPaymentEvent,
  askWallet,
  MOST_STEPS,
  openAttempt,
  PAUSE_STEP_MS,
  settleBlocker,
} from './payments.ts';
import type { PayPalAnswer } from './paypal.ts';
import { captureOf, payeeOf } from './paypal-objects.ts';
import { ordersOf, type Ports } from './ports.ts';
import { expiryWithoutPayment, ProviderUnavailable } from './provider.ts';

export interface WalletOrder {
  /** PayPal's id. */
  readonly orderId: string;
  readonly storeOrderId: string;
}

export interface WalletCapture {
  /** The capture's status in PayPal's words; only COMPLETED means paid. */
  readonly status: string;
  readonly storeOrderId: string;
}

/** Places the order and makes its order at PayPal. Throws the same errors as `createCheckout`. */
export async function createWalletOrder(
  ports: Ports,
  request: RequestedOrder,
): Promise<WalletOrder> {
  const paypal = ports.wallet();
  const orders = ordersOf(ports);
  const order = await orders.place({ ...request, mode: paypal.mode });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const begun = await orders.startAttempt(request.userId, order.id, 'paypal', request.again);
    const { attempt } = begun;
    if (attempt === null) {
      await settleBlocker(ports, begun.of_order, begun.blocked_by);
      continue;
    }
    if (attempt.reference !== null) {
      return { orderId: attempt.reference, storeOrderId: order.id };
    }
    const answer = await paypal.makeOrder(order, attempt, ports.siteUrl());
    const id = answer.ok ? answer.body['id'] : undefined;
    if (answer.ok && typeof id === 'string') {
      await openAttempt(ports, attempt, id, payeeOf(answer.body));
      return { orderId: id, storeOrderId: order.id };
    }
    if (isInProgress(answer)) {
      await ports.pause(PAUSE_STEP_MS * (step + 1));
      continue;
    }
    const issue = answer.ok ? 'NO_ID' : answer.issue;
    await orders.failAttempt(attempt, issue);
    throw errorOf(answer, 'PayPal couldn’t accept this order. Check your address.');
  }
  throw new ProviderUnavailable(`PayPal: no order for ${order.id}`);
}

/**
 * Takes the money of a PayPal order that the shopper has approved.
 *
 * @throws HttpError 404 for an order of another shopper or one that does not exist; 422 with PayPal's
 *   code where PayPal took no money
 */
export async function captureWalletOrder(
  ports: Ports,
  userId: string,
  reference: string,
): Promise<WalletCapture> {
  const { go, attempt } = await ordersOf(ports).mayCapture(userId, reference);
  if (!go) {
    const status = attempt.state === 'captured' ? 'COMPLETED' : 'PENDING';
    return { status, storeOrderId: attempt.order_id };
  }
  return capture(ports, attempt, reference, 'this-request');
}

/**
 * Settles a capture whose request was interrupted. Repeats the request while the order is pending: PayPal takes
 * the money once, whether or not it got the first request. For any other order only asks whether PayPal has
 * taken the money.
 */
export async function finishCapture(
  ports: Ports,
  order: PlacedOrder,
  attempt: PaymentAttempt,
): Promise<void> {
  if (attempt.reference === null) return;
  if (order.state === 'pending') {
    await capture(ports, attempt, attempt.reference, 'all-requests');
  } else if ((await askWallet(ports, attempt)) !== 'made') {
    await ordersOf(ports).releaseCapture(attempt, 'all-requests');
  }
}

/**
 * Sends a capture request, and hands what PayPal says of the payment to the database.
 *
 * @param requests which of the attempt's capture requests are over when PayPal rejects this one
 * @throws ProviderUnavailable when PayPal may or may not have taken the money; HttpError 422 when it took none
 */
async function capture(
  ports: Ports,
  attempt: PaymentAttempt,
  reference: string,
  requests: 'this-request' | 'all-requests',
): Promise<WalletCapture> {
  const paypal = ports.wallet();
  const ask = () => paypal.capture(reference, attempt.capture_key);
  const answer = await whenFree(ports, ask);
  const isCaptured = answer.ok || answer.issue === 'ORDER_ALREADY_CAPTURED';
  const isRejected = !isCaptured && !isInProgress(answer);
  const isOver = isRejected && !MAY_APPROVE_AGAIN.has(answer.issue);
  let payment = answer.ok ? captureOf(answer.body, paypal.mode) : null;
  if (payment === null && (isCaptured || isOver)) {
    // An earlier request, whose answer was lost, may have captured. PayPal's order shows its payment.
    const order = await paypal.readOrder(reference);
    // The shop's account may not read orders, so `errorOf` gives an error without a sentence for the shopper.
    if (isForbidden(order)) throw errorOf(order, '');
    payment = order.ok ? captureOf(order.body, paypal.mode) : null;
  }
  if (payment !== null) {
    await applyPaymentEvent(ports, payment.event);
    return { status: payment.status, storeOrderId: attempt.order_id };
  }
  // PayPal has captured and does not show the payment yet, or is still busy with another capture request.
  if (!isRejected) {
    throw new ProviderUnavailable(
      `PayPal: whether order ${reference} was captured is not known yet`,
    );
  }
  await ordersOf(ports).releaseCapture(attempt, requests);
  if (isOver) {
    await applyPaymentEvent(ports, expiryWithoutPayment('paypal', reference, paypal.mode, 'over'));
  }
  throw errorOf(answer, 'PayPal couldn’t take this payment. Nothing was charged.');
}

/** PayPal's codes after which the shopper may approve the same order again; others end it. */
const MAY_APPROVE_AGAIN = new Set([
  'INSTRUMENT_DECLINED',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
]);

/** Sends a capture request, and repeats it while PayPal is busy with another one for the same order. */
async function whenFree(ports: Ports, ask: () => Promise<PayPalAnswer>): Promise<PayPalAnswer> {
  let answer = await ask();
  for (let step = 1; isInProgress(answer) && step < MOST_STEPS; step += 1) {
    await ports.pause(PAUSE_STEP_MS * step);
    answer = await ask();
  }
  return answer;
}

/** Whether PayPal is busy with the same request: PREVIOUS_REQUEST_IN_PROGRESS. */
function isInProgress(answer: PayPalAnswer): boolean {
  return !answer.ok && answer.status === 409;
}

/** Whether PayPal does not let this account make the request, which says nothing about a payment. */
function isForbidden(answer: PayPalAnswer): boolean {
  return !answer.ok && (answer.status === 401 || answer.status === 403);
}

/** @param sentence for the shopper, where PayPal rejected the payment */
function errorOf(answer: PayPalAnswer, sentence: string): Error {
  if (answer.ok) return new Error('PayPal made an order without an id');
  const { issue } = answer;
  if (isForbidden(answer)) {
    return new NotConfigured(`PayPal does not let this account do that: ${issue}`);
  }
  return new HttpError(422, sentence, { code: issue });
}
