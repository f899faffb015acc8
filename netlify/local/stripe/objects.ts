/**
 * Sessions and payments as Stripe's API shows them (version 2026-10-28), with the fields that the
 * shop reads.
 */
import type Stripe from 'stripe';
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
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: session.createdAt,
    currency: 'usd',
    customer_details: customerDetails(session),
    customer_email: params.customer_email ?? null,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: params.metadata ?? {},
    mode: 'payment',
    // The type has all fields of a payment, the emulator those that the shop reads.
    payment_intent:
      intent !== null && isExpanded
        ? (intentObject(session, intent) as Stripe.PaymentIntent)
        : (intent?.id ?? null),
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
function customerDetails({ params, intent }: StoredSession) {
  const { customer_email: email } = params;
  if (intent === null && email === undefined) return null;
  return {
    address: null,
    business_name: null,
    email: email ?? 'buyer@example.com',
    individual_name: null,
    name: intent === null ? null : 'Test Buyer',
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  } satisfies Stripe.Checkout.Session['customer_details'];
}

function intentObject({ params }: StoredSession, intent: StoredIntent) {
  const total = totalOf(params);
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: total,
    amount_received: intent.status === 'succeeded' ? total : 0,
    created: intent.createdAt,
    currency: 'usd',
    livemode: false,
    metadata: params.payment_intent_data?.metadata ?? {},
    status: intent.status,
  } satisfies Partial<Stripe.PaymentIntent>;
}
