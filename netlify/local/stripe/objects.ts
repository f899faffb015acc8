/** Objects as Stripe's API returns them (version 2026-10-28), with only the fields that the shop reads. */
import type Stripe from 'stripe';
import type {
  StoredCheckout,
  StoredDispute,
  StoredPayment,
  StoredRefund,
  StoredReversal,
} from '../provider/payment.ts';

/** The parameters of a session that the emulator reads. The SDK sends a form, in which every value is text. */
export interface SessionParams {
  readonly success_url: string;
  readonly cancel_url: string;
  readonly line_items: readonly SessionLine[];
  readonly client_reference_id?: string;
  readonly customer_email?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expires_at?: string;
}

export interface SessionLine {
  readonly quantity: string;
  readonly price_data: {
    readonly unit_amount: string;
    readonly product_data: { readonly name: string; readonly description?: string };
  };
}

export interface StoredSession extends StoredCheckout {
  readonly expiresAt: number;
  readonly params: SessionParams;
  status: 'open' | 'complete' | 'expired';
}

export const API_VERSION = '2026-10-28.endive';

/**
 * @param baseUrl of the emulator's pages
 * @param isExpanded whether the payment is shown whole instead of by its id
 */
export function sessionObject(session: StoredSession, baseUrl: string, isExpanded = false) {
  const { id, amount, params, payment, status } = session;
  const { customer_email: email = 'buyer@example.com' } = params;
  const isPaid = payment?.status === 'succeeded';
  return {
    id,
    object: 'checkout.session',
    amount_total: amount,
    created: inSeconds(session.createdAt),
    currency: 'usd',
    // The cast leaves out fields that the shop does not read. Stripe asks the buyer for an email address where
    // the shop sends none.
    customer_details: payment && ({ email } as Stripe.Checkout.Session.CustomerDetails),
    customer_email: params.customer_email ?? null,
    expires_at: inSeconds(session.expiresAt),
    livemode: false,
    metadata: params.metadata ?? {},
    payment_intent: payment && (isExpanded ? intentObject(payment) : payment.id),
    payment_status: isPaid ? 'paid' : 'unpaid',
    status,
    url: status === 'open' ? `${baseUrl}${payPathOf(id)}` : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export function payPathOf(sessionId: string): string {
  return `/c/pay/${sessionId}`;
}

const INTENT_STATUS = {
  pending: 'processing',
  succeeded: 'succeeded',
  failed: 'requires_payment_method',
} as const;

function intentObject({ id, createdAt, status }: StoredPayment) {
  const intent = {
    id,
    object: 'payment_intent',
    created: inSeconds(createdAt),
    status: INTENT_STATUS[status],
  } satisfies Partial<Stripe.PaymentIntent>;
  return intent as Stripe.PaymentIntent; // leaves out fields that the shop does not read
}

export function refundObject(refund: StoredRefund) {
  const { status } = refund;
  return { object: 'refund', ...reversalOf(refund), status } satisfies Partial<Stripe.Refund>;
}

export function disputeObject(dispute: StoredDispute) {
  const status = dispute.status === 'open' ? 'needs_response' : dispute.status;
  return { object: 'dispute', ...reversalOf(dispute), status } satisfies Partial<Stripe.Dispute>;
}

function reversalOf({ id, paymentId, amount }: StoredReversal) {
  return { id, amount, currency: 'usd', payment_intent: paymentId };
}

export function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** In cents. */
export function lineAmount({ quantity, price_data: price }: SessionLine): number {
  return Number(price.unit_amount) * Number(quantity);
}
