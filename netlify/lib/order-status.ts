/** The status of an order, for the page that the shopper comes back to after paying. */
import type { PaymentStatus } from '../../src/domain/order.ts';
import { HttpError } from './http.ts';
import type { PaymentAttempt, PlacedOrder } from './orders.ts';
import { askWallet, openCard } from './payments.ts';
import { ordersOf, type Ports } from './ports.ts';
import { type Provider, ProviderUnavailable } from './provider.ts';
import { captureWalletOrder } from './wallet-checkout.ts';

export interface OrderStatus {
  readonly status: PaymentStatus;
  readonly orderId: string;
  /** Where the money came from, or is on its way from; null before that. */
  readonly provider: Provider | null;
  /** False where the provider may know more, but was not asked or did not answer. */
  readonly isCurrent: boolean;
}

/** Names an order by one of the two ids; the other is null. */
export interface OrderName {
  readonly orderId: string | null;
  readonly sessionId: string | null;
}

/**
 * Returns the order's status. While an attempt is alive, the provider is asked first, as often as the
 * database allows (`may_ask`), and a payment that waits for its capture at PayPal is captured. Otherwise, and
 * when the provider does not answer, the status is what the database has.
 *
 * @throws HttpError 404 for an order of another shopper or one that does not exist
 */
export async function orderStatus(
  ports: Ports,
  userId: string,
  { orderId, sessionId }: OrderName,
): Promise<OrderStatus> {
  const orders = ordersOf(ports);
  let record = await orders.find(userId, orderId, sessionId);
  let isCurrent = record?.is_current ?? true;
  if (record?.may_ask) {
    isCurrent = await askProvider(ports, userId, record.order, record.attempt);
    record = await orders.find(userId, orderId, sessionId);
  }
  if (record === null) {
    throw new HttpError(404, 'This order isn’t in your account.', { code: 'order-unknown' });
  }
  const { order, attempt } = record;
  const isMoneySent = /^(capturing|processing|captured)$/.test(attempt?.state ?? '');
  return {
    status: statusOf(order, attempt),
    orderId: order.id,
    provider: isMoneySent ? (attempt?.provider ?? null) : null,
    isCurrent,
  };
}

/**
 * Brings the database up to date with the provider, and returns whether the provider answered. An attempt
 * that may be asked about is alive and has a reference, so `openCard` only reads its session.
 */
async function askProvider(
  ports: Ports,
  userId: string,
  order: PlacedOrder,
  attempt: PaymentAttempt | null,
): Promise<boolean> {
  try {
    if (attempt?.provider === 'stripe') await openCard(ports, order, attempt);
    else if (attempt !== null && (await askWallet(ports, attempt)) === 'approved') {
      await captureApproved(ports, userId, attempt);
    }
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ProviderUnavailable)) throw thrown;
    ports.log(thrown.message);
    return false;
  }
}

/**
 * Takes the money that the shopper has approved at PayPal where the page's capture request has not reached the
 * shop, for example because the phone lost its signal. If there was a request, PayPal has rejected it, and the
 * page decides: a request at each poll would have the shopper's instrument declined again and again.
 */
async function captureApproved(
  ports: Ports,
  userId: string,
  { state, reference, capturing_since: capturingSince }: PaymentAttempt,
): Promise<void> {
  if (state !== 'open' || reference === null || capturingSince !== null) return;
  try {
    await captureWalletOrder(ports, userId, reference);
  } catch (thrown) {
    // PayPal rejected the payment, or the order was cancelled or closed meanwhile.
    if (!(thrown instanceof HttpError)) throw thrown;
  }
}

function statusOf(order: PlacedOrder, attempt: PaymentAttempt | null): PaymentStatus {
  switch (order.state) {
    case 'pending':
      return openStatusOf(attempt);
    case 'cancelled':
      // Until `reconcile` has closed the payment page, the shopper may still pay on it.
      return isAlive(attempt) ? openStatusOf(attempt) : 'cancelled';
    case 'needs_review':
    case 'paid_late':
      return 'review';
    case 'confirming':
    case 'paid':
    case 'expired':
    case 'failed':
      return order.state;
  }
}

function isAlive(attempt: PaymentAttempt | null): boolean {
  return attempt !== null && /^(creating|open|capturing|processing)$/.test(attempt.state);
}

/** The status of an order that can still be paid. */
function openStatusOf(attempt: PaymentAttempt | null): PaymentStatus {
  const isUnderWay = attempt?.state === 'capturing' || attempt?.state === 'processing';
  return isUnderWay ? 'confirming' : 'unpaid';
}
