/** Lists Stripe's payments, to find those that the database has lost in a restore. */
import { orderIdOrNull } from './orders.ts';
import type { Ports } from './payments.ts';
import type { ProviderPayment } from './provider.ts';
import { callStripe } from './stripe.ts';
import type { CheckoutSession } from './stripe-session.ts';

/** How long a session can be paid after its creation. Source: Stripe, `expires_at` of a session. */
const MAX_SESSION_LIFE_S = 24 * 60 * 60;

/** Lists the payments since a time for orders of this shop. @throws ProviderUnavailable, NotConfigured */
export async function paymentsAtStripe(
  { cards }: Ports,
  since: Date,
): Promise<readonly ProviderPayment[]> {
  const { stripe } = cards();
  const sinceS = Math.floor(since.getTime() / 1000);
  const payments: ProviderPayment[] = [];
  await callStripe(async () => {
    const sessions = stripe.checkout.sessions.list({
      status: 'complete',
      created: { gte: sinceS - MAX_SESSION_LIFE_S },
      limit: 100,
      expand: ['data.payment_intent'],
    });
    for await (const session of sessions) {
      const payment = paymentOf(session);
      if (payment !== null && payment.at >= since) payments.push(payment);
    }
  });
  return payments;
}

/** Null for a payment of no order of this shop, and for one that neither succeeded nor is being processed. */
function paymentOf(session: CheckoutSession): ProviderPayment | null {
  const { payment_intent: intent, customer_details: customer } = session;
  const orderId = orderIdOrNull(session.metadata?.['order_id']);
  if (orderId === null || intent === null || typeof intent === 'string') return null;
  if (intent.status !== 'succeeded' && intent.status !== 'processing') return null;
  return {
    provider: 'stripe',
    paymentId: intent.id,
    orderId,
    amountMinor: session.amount_total,
    currency: session.currency?.toUpperCase() ?? null,
    at: new Date(intent.created * 1000),
    email: customer?.email ?? session.customer_email,
    hasArrived: intent.status === 'succeeded',
  };
}
