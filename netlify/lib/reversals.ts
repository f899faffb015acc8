/** Applies refunds and disputes, from webhooks and from the reconcile. */
import { hasKeys, ordersOf, type Ports } from './payments.ts';
import { reversalsAtPayPal } from './paypal-reversals.ts';
import type { Provider, Reversal } from './provider.ts';
import { reversalsAtStripe } from './stripe-reversals.ts';

/** States that the shop's staff should know of. */
const NEEDS_STAFF = new Set<Reversal['state']>(['failed', 'open', 'lost']);

/** Hands a refund or dispute, if there is one, to the database, and logs it for the shop's staff. */
export async function applyReversal(ports: Ports, reversal: Reversal | null): Promise<void> {
  if (reversal === null) return;
  const { result, order } = await ordersOf(ports).applyReversal(reversal);
  if (result === 'stale' || !NEEDS_STAFF.has(reversal.state)) return;
  const { provider, kind, id, paymentId, state } = reversal;
  const ofOrder = order === null ? 'not known yet' : `of order ${order.id}`;
  ports.log(`${provider} ${kind} ${id} is ${state}, payment ${paymentId} ${ofOrder}`);
}

/**
 * Reads the provider's own list of events, and applies its refunds and disputes. Does nothing for a
 * provider that this shop has no keys for.
 *
 * @throws ProviderUnavailable, NotConfigured, DatabaseUnavailable; the next call reads the same time again
 */
export async function readMissedReversals(
  ports: Ports,
  provider: Provider,
  since: Date,
): Promise<void> {
  if (!hasKeys(ports, provider)) return;
  const began = ports.now();
  const list = provider === 'stripe' ? reversalsAtStripe : reversalsAtPayPal;
  for (const reversal of await list(ports, since)) await applyReversal(ports, reversal);
  await ordersOf(ports).endRead(provider, began);
}
