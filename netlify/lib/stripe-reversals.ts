/** Reads refunds and disputes from Stripe's events, and lists these events with those of payments. */
import type Stripe from 'stripe';
import type { PaymentMode } from './env.ts';
import type { Ports } from './payments.ts';
import type { EventWindow, PaymentEvent, ProviderEvents, Reversal } from './provider.ts';
import { callStripe } from './stripe.ts';
import { eventOfStripe } from './stripe-session.ts';

/** The events that `reconcile` asks for; the webhook subscribes to these and to those of payments that fail. */
const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

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

/**
 * Payments, refunds and disputes that changed in a window, oldest first; null when one page was asked for and
 * there are more.
 *
 * @throws ProviderUnavailable, NotConfigured
 */
export async function eventsAtStripe(
  { cards }: Ports,
  { from, to }: EventWindow,
  pages: 'one' | 'all',
): Promise<ProviderEvents | null> {
  const { stripe } = cards();
  const created = { gte: from.getTime() / 1000, lt: to.getTime() / 1000 };
  return callStripe(async () => {
    const listed = stripe.events.list({ types: EVENT_TYPES, created, limit: 100 });
    if (pages === 'one' && (await listed).has_more) return null;
    const payments: PaymentEvent[] = [];
    const reversals: Reversal[] = [];
    for await (const event of listed) {
      const payment = eventOfStripe(event);
      if (payment !== null) payments.push(payment);
      const reversal = reversalOfStripe(event);
      if (reversal !== null) reversals.push(reversal);
    }
    // Stripe lists the newest first.
    return { payments: payments.toReversed(), reversals: reversals.toReversed() };
  });
}

function reversalOf(
  { created, livemode }: Stripe.Event,
  { id, payment_intent: intent, amount, currency }: Stripe.Refund | Stripe.Dispute,
  kind: Reversal['kind'],
  state: Reversal['state'],
): Reversal | null {
  const paymentId = typeof intent === 'string' ? intent : intent?.id;
  if (paymentId === undefined) return null;
  const mode: PaymentMode = livemode ? 'live' : 'sandbox';
  const saidAt = new Date(created * 1000);
  const money = { amountMinor: amount, currency: currency.toUpperCase(), mode };
  return { provider: 'stripe', kind, id, paymentId, state, ...money, saidAt };
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
