/** Our orders in Stripe's words, and what Stripe's sessions and events say of their payment. */
import type Stripe from 'stripe';
import type { PaymentMode } from './env.ts';
import type { Attempt, PlacedLine, PlacedOrder } from './orders.ts';
import { orderIdOrNull } from './orders.ts';
import type { PaymentEvent } from './provider.ts';

export type Session = Stripe.Checkout.Session;

/** Of a product's name, on Stripe's page. */
const LONGEST_NAME = 250;
/** Stripe asks for an address itself where it gets none, and rejects one that looks wrong. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What Stripe is asked for; the same for the same attempt, as its idempotency key demands. */
export function sessionParams(order: PlacedOrder, attempt: Attempt, siteUrl: string) {
  const { full_name: name, address_line1: line1, ...place } = order.address;
  return {
    mode: 'payment',
    client_reference_id: order.id,
    metadata: { order_id: order.id },
    ...(EMAIL.test(order.email) ? { customer_email: order.email } : {}),
    line_items: order.items.map((line) => ({
      quantity: line.quantity,
      price_data: {
        currency: 'usd',
        unit_amount: line.unit_minor,
        product_data: { name: nameOf(line), description: line.skc },
      },
    })),
    payment_intent_data: {
      metadata: { order_id: order.id },
      shipping: { name, address: { line1, ...place } },
    },
    // The shopper pays the sum that the order says, in its currency.
    adaptive_pricing: { enabled: false },
    expires_at: attempt.expires_at,
    // Stripe looks for these braces as they are.
    success_url: `${siteUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${siteUrl}/checkout`,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** As the shopper knows it from the cart. */
export function nameOf({ title, size }: PlacedLine, longest = LONGEST_NAME): string {
  const name = size === '' ? title : `${title}, size ${size}`;
  // A cut may go through a character of two code units.
  return name.slice(0, longest).toWellFormed();
}

/** Of a session that this account does not have: nobody can pay it. */
export function eventOfMissing(reference: string, mode: PaymentMode): PaymentEvent {
  const nothing = { orderId: null, amountMinor: null, currency: null, captureId: null };
  const eventId = `ask:${reference}:missing`;
  return { provider: 'stripe', eventId, reference, outcome: 'expired', mode, ...nothing };
}

/** What a session says by itself; null while the shopper may still pay. */
export function eventOfSession(session: Session): PaymentEvent | null {
  const outcome = outcomeOf(session);
  if (outcome === null) return null;
  const event = paymentEventOf(session, outcome, '');
  return { ...event, eventId: ['ask', session.id, outcome, event.captureId].join(':') };
}

/** What an event says; null for event that orders do not need. */
export function eventOfStripe(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'checkout.session.completed': {
      const session = event.data.object;
      // Methods that take days complete unpaid.
      return paymentEventOf(
        session,
        session.payment_status === 'unpaid' ? 'pending' : 'captured',
        event.id,
      );
    }
    case 'checkout.session.async_payment_succeeded':
      return paymentEventOf(event.data.object, 'captured', event.id);
    case 'checkout.session.async_payment_failed':
      return paymentEventOf(event.data.object, 'failed', event.id);
    case 'checkout.session.expired':
      return paymentEventOf(event.data.object, 'expired', event.id);
    default:
      return null;
  }
}

function outcomeOf(session: Session): PaymentEvent['outcome'] | null {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return null;
  if (session.payment_status !== 'unpaid') return 'captured';
  const intent = session.payment_intent;
  const isOver =
    typeof intent === 'object' &&
    (intent?.status === 'requires_payment_method' || intent?.status === 'canceled');
  return isOver ? 'failed' : 'pending';
}

function paymentEventOf(
  session: Session,
  outcome: PaymentEvent['outcome'],
  eventId: string,
): PaymentEvent {
  const { payment_intent: intent } = session;
  const intentId = typeof intent === 'string' ? intent : (intent?.id ?? session.id);
  return {
    provider: 'stripe',
    eventId,
    reference: session.id,
    orderId: orderIdOrNull(session.metadata?.['order_id']),
    outcome,
    amountMinor: session.amount_total,
    currency: session.currency?.toUpperCase() ?? null,
    mode: session.livemode ? 'live' : 'sandbox',
    captureId: outcome === 'captured' ? intentId : null,
  };
}
