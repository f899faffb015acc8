/** Reads refunds and disputes from Stripe's events. */
import type Stripe from 'stripe';
import type { PaymentMode } from './env.ts';
import type { Ports } from './payments.ts';
import type { Reversal } from './provider.ts';
import { callStripe } from './stripe.ts';

/** The events that are read once a day; the webhook subscribes to these too. */
const EVENT_TYPES = [
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

/** Refunds and disputes that changed since a time, oldest first. @throws ProviderUnavailable, NotConfigured */
export async function reversalsAtStripe(
  { cards }: Ports,
  since: Date,
): Promise<readonly Reversal[]> {
  const { stripe } = cards();
  const created = { gte: Math.floor(since.getTime() / 1000) };
  return callStripe(async () => {
    const reversals: Reversal[] = [];
    for await (const event of stripe.events.list({ types: EVENT_TYPES, created, limit: 100 })) {
      const reversal = reversalOfStripe(event);
      if (reversal !== null) reversals.push(reversal);
    }
    // Stripe lists the newest first.
    return reversals.toReversed();
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
