/** Paying with PayPal: the shopper approves an order there, then the server takes the money. */
import type { PaymentMode } from './env.ts';
import { NotConfigured } from './env.ts';
import { HttpError } from './http.ts';
import type { Attempt, PlacedOrder } from './orders.ts';
import type { PayPalAnswer } from './paypal.ts';
import { captureOf } from './paypal-order.ts';
import type { Ports, RequestedOrder } from './payments.ts';
import { closeCard, MOST_STEPS, ordersOf, PAUSE_MS, applyPaymentEvent } from './payments.ts';
import type { PaymentEvent } from './provider.ts';
import { ProviderUnavailable } from './provider.ts';

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

/** Throws the same errors as `createCheckout`. */
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
    if (typeof id === 'string') {
      const { state } = await orders.recordReference(attempt, id);
      if (state === 'open') return { orderId: id, storeOrderId: order.id };
      throw new HttpError(409, 'This order is being paid in another way. Please start again.', {
        code: 'payment-elsewhere',
      });
    }
    if (isInProgress(answer)) {
      await ports.pause(PAUSE_MS * (step + 1));
      continue;
    }
    const issue = answer.ok ? 'NO_ID' : answer.issue;
    await orders.failAttempt(attempt, issue);
    throw httpErrorOf(answer, 'PayPal does not take this order. Please check the address.');
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
  return capture(ports, attempt, reference, false);
}

/**
 * Closes an attempt that blocks another one, or learns that the shopper has paid it.
 *
 * @throws HttpError when its payment may still arrive
 */
export async function settleBlocker(
  ports: Ports,
  order: PlacedOrder,
  attempt: Attempt,
): Promise<void> {
  if (attempt.provider === 'stripe') return closeCard(ports, order, attempt);
  if (await askWallet(ports, attempt)) return;
  throw new HttpError(409, 'A payment for this order is being confirmed.', {
    code: 'payment-under-way',
  });
}

/** Asks PayPal whether it captured the payment. @returns whether PayPal knows of a capture */
export async function askWallet(ports: Ports, attempt: Attempt): Promise<boolean> {
  const { reference } = attempt;
  if (reference === null) return false;
  const paypal = ports.wallet();
  const answer = await paypal.readOrder(reference);
  const found = answer.ok ? captureOf(answer.body, paypal.mode) : null;
  if (found !== null) await applyPaymentEvent(ports, found.event);
  return found !== null;
}

/**
 * Repeats a capture whose request was interrupted. PayPal takes the money once, whether or not it got
 * the first request.
 */
export async function finishCapture(
  ports: Ports,
  order: PlacedOrder,
  attempt: Attempt,
): Promise<void> {
  if (attempt.reference === null) return;
  if (order.state === 'pending') {
    await capture(ports, attempt, attempt.reference, true);
  } else if (!(await askWallet(ports, attempt))) {
    await ordersOf(ports).releaseCapture(attempt, true);
  }
}

/** @param isLast whether every other request for this money is known to be over */
async function capture(
  ports: Ports,
  attempt: Attempt,
  reference: string,
  isLast: boolean,
): Promise<WalletCapture> {
  const paypal = ports.wallet();
  const ask = () => paypal.capture(reference, attempt.capture_key);
  const answer = await whenFree(ports, ask);
  const isDone = answer.ok || answer.issue === 'ORDER_ALREADY_CAPTURED';
  const isOver = !answer.ok && !isInProgress(answer) && !MAY_APPROVE_AGAIN.has(answer.issue);
  let found = answer.ok ? captureOf(answer.body, paypal.mode) : null;
  if (found === null && (isDone || isOver)) {
    // A rejection says nothing about an earlier request whose answer was lost; PayPal's order does.
    const order = await paypal.readOrder(reference);
    if (isShutOut(order)) throw httpErrorOf(order, '');
    found = order.ok ? captureOf(order.body, paypal.mode) : null;
  }
  if (found !== null) {
    await applyPaymentEvent(ports, found.event);
    return { status: found.status, storeOrderId: attempt.order_id };
  }
  // PayPal has captured but does not show it yet, or the other capture request does not end.
  if (isDone || isInProgress(answer)) {
    throw new ProviderUnavailable(`PayPal: what became of order ${reference} is not known yet`);
  }
  await ordersOf(ports).releaseCapture(attempt, isLast);
  if (isOver) await applyPaymentEvent(ports, over(reference, paypal.mode));
  throw httpErrorOf(answer, 'PayPal did not make this payment. No money was taken.');
}

/** After these the shopper may go back to PayPal with the same order; others end the order there. */
const MAY_APPROVE_AGAIN = new Set([
  'INSTRUMENT_DECLINED',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
]);

function over(reference: string, mode: PaymentMode): PaymentEvent {
  const nothing = { orderId: null, amountMinor: null, currency: null, captureId: null };
  const eventId = `ask:${reference}:over`;
  return { provider: 'paypal', eventId, reference, outcome: 'expired', mode, ...nothing };
}

/** Repeats the request while another one does the same thing. */
async function whenFree(ports: Ports, ask: () => Promise<PayPalAnswer>): Promise<PayPalAnswer> {
  let answer = await ask();
  for (let step = 1; isInProgress(answer) && step < MOST_STEPS; step += 1) {
    await ports.pause(PAUSE_MS * step);
    answer = await ask();
  }
  return answer;
}

/** PayPal is still working on the same request: PREVIOUS_REQUEST_IN_PROGRESS. */
function isInProgress(answer: PayPalAnswer): boolean {
  return !answer.ok && answer.status === 409;
}

/** PayPal does not let this account make the request, which says nothing about a payment. */
function isShutOut(answer: PayPalAnswer): boolean {
  return !answer.ok && (answer.status === 401 || answer.status === 403);
}

function httpErrorOf(answer: PayPalAnswer, sentence: string): Error {
  if (answer.ok) return new Error('PayPal made an order without an id');
  const { issue } = answer;
  if (isShutOut(answer)) {
    return new NotConfigured(`PayPal does not let this account do that: ${issue}`);
  }
  return new HttpError(422, sentence, { code: issue });
}
