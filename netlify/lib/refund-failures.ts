/** Reads from Stripe's messages which refunds failed: then the customer does not have the money back. */
import type Stripe from 'stripe';
import type { Fields } from '../../src/domain/fields.ts';
import { addNotice } from './notices.ts';
import type { Ports } from './payments.ts';

/**
 * Notes a refund that failed for the operator. Stripe tells of one by up to three messages.
 *
 * @throws DatabaseUnavailable; Stripe then sends the message again
 */
export async function noteFailedRefund(
  ports: Pick<Ports, 'call'>,
  event: Stripe.Event,
): Promise<void> {
  const refund = failedRefundIn(event);
  if (refund)
    await addNotice(ports, 'refund_failed', `stripe:${refund.id}`, detailOf(refund, event));
}

function failedRefundIn(event: Stripe.Event): Stripe.Refund | null {
  switch (event.type) {
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated': {
      const refund = event.data.object;
      return refund.status === 'failed' ? refund : null;
    }
    default:
      return null;
  }
}

function detailOf(refund: Stripe.Refund, event: Stripe.Event): Fields {
  const { payment_intent: intent } = refund;
  return {
    provider: 'Stripe',
    refund: refund.id,
    payment: typeof intent === 'string' ? intent : (intent?.id ?? null),
    total_minor: refund.amount,
    currency: refund.currency.toUpperCase(),
    mode: event.livemode ? 'live' : 'sandbox',
  };
}
