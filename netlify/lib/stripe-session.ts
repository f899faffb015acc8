/** Writes the shop's orders in Stripe's form, and reads payments, refunds and disputes from Stripe's answers. */
import type Stripe from 'stripe';
import { nameOf } from '../../src/domain/product.ts';
import type { PaymentAttempt, PlacedLine, PlacedOrder } from './orders.ts';
import type { PaymentEvent, Reversal } from './provider.ts';

export type CheckoutSession = Stripe.Checkout.Session;

/** Longest product name on Stripe's page. */
const MAX_NAME_CHARS = 250;
/** Stripe rejects an address that looks wrong. Such an address is left out, and Stripe asks for another. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * The request for a session. The same attempt gives an equal request, as its idempotency key demands. Where a
 * deploy has changed the request meanwhile, Stripe rejects it, and the shop makes another attempt.
 */
export function sessionParams(order: PlacedOrder, attempt: PaymentAttempt, siteUrl: string) {
  const { full_name: name, address_line1: line1, ...restOfAddress } = order.address;
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
        product_data: { name: lineName(line), description: line.skc },
      },
    })),
    payment_intent_data: {
      metadata: { order_id: order.id },
      shipping: { name, address: { line1, ...restOfAddress } },
    },
    // The shopper pays the order's total, in the order's currency.
    adaptive_pricing: { enabled: false },
    expires_at: attempt.expires_at,
    // Stripe replaces this placeholder, whose braces must not be escaped.
    success_url: `${siteUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${siteUrl}/checkout`,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** The name of a line's product on Stripe's page and PayPal's: title and size. */
export function lineName({ title, size }: PlacedLine, maxChars = MAX_NAME_CHARS): string {
  // The cut may split a character of two code units.
  return nameOf({ title, size }).slice(0, maxChars).toWellFormed();
}

/** The payment event in a session; null while the shopper may still pay. */
export function eventOfSession(session: CheckoutSession): PaymentEvent | null {
  const outcome = outcomeOf(session);
  if (outcome === null) return null;
  // A session has no event id. This id follows from the state, so the database counts each state once.
  const event = paymentEventOf(session, outcome, '');
  return { ...event, eventId: ['ask', session.id, outcome, event.captureId].join(':') };
}

/** The payment event in a webhook's message; null for a message that orders do not need. */
export function eventOfStripe(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'checkout.session.completed': {
      const session = event.data.object;
      // With a payment method that takes days, the session completes before it is paid.
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

function outcomeOf(session: CheckoutSession): PaymentEvent['outcome'] | null {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return null;
  if (session.payment_status !== 'unpaid') return 'captured';
  // A complete session takes no other payment, so a payment that the bank has refused has failed for good.
  const intent = session.payment_intent;
  const isOver =
    typeof intent === 'object' &&
    (intent?.status === 'requires_payment_method' || intent?.status === 'canceled');
  return isOver ? 'failed' : 'pending';
}

function paymentEventOf(
  session: CheckoutSession,
  outcome: PaymentEvent['outcome'],
  eventId: string,
): PaymentEvent {
  const { payment_intent: intent } = session;
  // Stripe makes no payment intent for a session in which nothing is to be paid.
  const intentId = typeof intent === 'string' ? intent : (intent?.id ?? session.id);
  return {
    provider: 'stripe',
    eventId,
    reference: session.id,
    outcome,
    amountMinor: session.amount_total,
    currency: session.currency?.toUpperCase() ?? null,
    mode: session.livemode ? 'live' : 'sandbox',
    captureId: outcome === 'captured' ? intentId : null,
  };
}

/** The refund or dispute in an event; null for other events, and for one that names no payment. */
export function reversalOfStripe(event: Stripe.Event): Reversal | null {
  switch (event.type) {
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return reversalOf(event, event.data.object, 'refund', refundState(event.data.object.status));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return reversalOf(
        event,
        event.data.object,
        'dispute',
        disputeState(event.data.object.status),
      );
    default:
      return null;
  }
}

function reversalOf(
  { created, livemode }: Stripe.Event,
  { id, payment_intent: intent, amount, currency }: Stripe.Refund | Stripe.Dispute,
  kind: Reversal['kind'],
  state: Reversal['state'],
): Reversal | null {
  const paymentId = typeof intent === 'string' ? intent : intent?.id;
  if (paymentId === undefined) return null;
  return {
    provider: 'stripe',
    kind,
    id,
    paymentId,
    state,
    amountMinor: amount,
    currency: currency.toUpperCase(),
    mode: livemode ? 'live' : 'sandbox',
    saidAt: new Date(created * 1000),
  };
}

function refundState(status: string | null): Reversal['state'] {
  if (status === 'succeeded') return 'done';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/**
 * A `warning_…` is a question of the bank's and takes no money, so a closed one is won. `prevented` is lost,
 * because the customer got the money back.
 */
function disputeState(status: Stripe.Dispute.Status): Reversal['state'] {
  if (status === 'won' || status === 'warning_closed') return 'won';
  return status === 'lost' || status === 'prevented' ? 'lost' : 'open';
}
