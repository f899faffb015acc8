/** What Stripe's API shows (version 2026-10-28), with the fields that the shop reads. */
import type Stripe from 'stripe';
import type { StoredDispute, StoredRefund } from '../provider/payment.ts';
import type { SessionParams } from './session-params.ts';
import { totalOf } from './session-params.ts';
import type { StoredIntent, StoredSession } from './state.ts';
import { isPaid } from './state.ts';

export const API_VERSION = '2026-10-28.endive';

/**
 * @param baseUrl of the emulator's pages
 * @param isExpanded whether the payment is shown whole instead of by its id
 */
export function sessionObject(session: StoredSession, baseUrl: string, isExpanded = false) {
  const { params, intent } = session;
  const total = totalOf(params);
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: total,
    client_reference_id: params.client_reference_id,
    created: session.createdAt,
    currency: 'usd',
    customer_details: intent && customerDetails(params),
    customer_email: params.customer_email ?? null,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: params.metadata ?? {},
    mode: 'payment',
    payment_intent: intent && isExpanded ? intentObject(session, intent) : (intent?.id ?? null),
    payment_status: isPaid(session) ? 'paid' : 'unpaid',
    status: session.status,
    success_url: params.success_url,
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? payUrl(session, baseUrl) : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export function payUrl(session: StoredSession, baseUrl: string): string {
  return `${baseUrl}/c/pay/${session.id}`;
}

/** Stripe asks the buyer for an address where the shop sends none. */
function customerDetails({ customer_email: email = 'buyer@example.com' }: SessionParams) {
  return { email } as Stripe.Checkout.Session.CustomerDetails; // in part
}

function intentObject({ params }: StoredSession, { id, amount, createdAt, status }: StoredIntent) {
  const intent = {
    id,
    object: 'payment_intent',
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    created: inSeconds(createdAt),
    currency: 'usd',
    livemode: false,
    metadata: params.payment_intent_data?.metadata ?? {},
    status,
  } satisfies Partial<Stripe.PaymentIntent>;
  return intent as Stripe.PaymentIntent; // in part
}

export function refundObject(paymentId: string, { status, ...refund }: StoredRefund) {
  return {
    object: 'refund',
    ...reversalOf(paymentId, refund),
    status,
  } satisfies Partial<Stripe.Refund>;
}

export function disputeObject(paymentId: string, { status, ...dispute }: StoredDispute) {
  return {
    object: 'dispute',
    ...reversalOf(paymentId, dispute),
    status: status === 'open' ? 'needs_response' : status,
  } satisfies Partial<Stripe.Dispute>;
}

function reversalOf(
  payment_intent: string,
  { id, amount, createdAt }: Omit<StoredRefund, 'status'>,
) {
  const created = inSeconds(createdAt);
  return { id, amount, created, currency: 'usd', metadata: {}, payment_intent };
}

export function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
