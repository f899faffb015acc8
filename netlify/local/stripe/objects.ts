/** What Stripe's API shows (version 2026-10-28), with the fields that the shop reads. */
import type Stripe from 'stripe';
import type {
  StoredDispute,
  StoredPayment,
  StoredRefund,
  StoredReversal,
} from '../provider/payment.ts';
import type { SessionParams } from './session-params.ts';
import type { StoredSession } from './state.ts';

export const API_VERSION = '2026-10-28.endive';

/**
 * @param baseUrl of the emulator's pages
 * @param isExpanded whether the payment is shown whole instead of by its id
 */
export function sessionObject(session: StoredSession, baseUrl: string, isExpanded = false) {
  const { id, amount, params, payment, status } = session;
  const isPaid = payment?.status === 'succeeded';
  return {
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: inSeconds(session.createdAt),
    currency: 'usd',
    customer_details: payment && customerDetails(params),
    customer_email: params.customer_email ?? null,
    expires_at: inSeconds(session.expiresAt),
    livemode: false,
    metadata: params.metadata ?? {},
    mode: 'payment',
    payment_intent: payment && (isExpanded ? intentObject(payment, params) : payment.id),
    payment_status: isPaid ? 'paid' : 'unpaid',
    status,
    success_url: params.success_url,
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${baseUrl}${payPathOf(id)}` : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export function payPathOf(sessionId: string): string {
  return `/c/pay/${sessionId}`;
}

/** Stripe asks the buyer for an address where the shop sends none. */
function customerDetails({ customer_email: email = 'buyer@example.com' }: SessionParams) {
  return { email } as Stripe.Checkout.Session.CustomerDetails; // in part
}

const INTENT_STATUS = {
  pending: 'processing',
  succeeded: 'succeeded',
  failed: 'requires_payment_method',
} as const;

function intentObject({ id, amount, createdAt, status }: StoredPayment, params: SessionParams) {
  const intent = {
    id,
    object: 'payment_intent',
    amount,
    amount_received: status === 'succeeded' ? amount : 0,
    created: inSeconds(createdAt),
    currency: 'usd',
    livemode: false,
    metadata: params.payment_intent_data?.metadata ?? {},
    status: INTENT_STATUS[status],
  } satisfies Partial<Stripe.PaymentIntent>;
  return intent as Stripe.PaymentIntent; // in part
}

export function refundObject(refund: StoredRefund) {
  const { status } = refund;
  return { object: 'refund', ...reversalOf(refund), status } satisfies Partial<Stripe.Refund>;
}

export function disputeObject(dispute: StoredDispute) {
  const status = dispute.status === 'open' ? 'needs_response' : dispute.status;
  return { object: 'dispute', ...reversalOf(dispute), status } satisfies Partial<Stripe.Dispute>;
}

function reversalOf({ id, paymentId, amount, createdAt }: StoredReversal) {
  const created = inSeconds(createdAt);
  return { id, amount, created, currency: 'usd', metadata: {}, payment_intent: paymentId };
}

export function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
