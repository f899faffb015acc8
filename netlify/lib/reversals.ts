/** Applies refunds and disputes, from webhooks and from the providers' own lists of events. */
import { hasKeys, ordersOf, type Ports } from './payments.ts';
import { reversalsAtPayPal } from './paypal-reversals.ts';
import type { Provider, Reversal } from './provider.ts';
import { reversalsAtStripe } from './stripe-reversals.ts';

/** States that the shop's staff should know of. */
const NEEDS_STAFF = new Set<Reversal['state']>(['failed', 'open', 'lost']);
/** Read once a day: a refund is found although its webhook was lost and two readings failed. */
const LISTED_MS = 3 * 24 * 60 * 60 * 1000;

/** Hands a refund or dispute to the database, and logs it for the shop's staff. */
export async function applyReversal(ports: Ports, reversal: Reversal): Promise<void> {
  const { result, order } = await ordersOf(ports).applyReversal(reversal);
  if (result === 'stale' || !NEEDS_STAFF.has(reversal.state)) return;
  const { provider, kind, id, paymentId, state } = reversal;
  const ofOrder = order === null ? 'not known yet' : `of order ${order.id}`;
  ports.log(`${provider} ${kind} ${id} is ${state}, payment ${paymentId} ${ofOrder}`);
}

/**
 * Applies the refunds and disputes in a provider's list of the last three days, for those of which no webhook
 * told. Does nothing for a provider that this shop has no keys for.
 *
 * @throws ProviderUnavailable, NotConfigured, DatabaseUnavailable; an event that fails does not hold up the others
 */
export async function readMissedReversals(ports: Ports, provider: Provider): Promise<void> {
  if (!hasKeys(ports, provider)) return;
  const list = provider === 'stripe' ? reversalsAtStripe : reversalsAtPayPal;
  const failures: unknown[] = [];
  for (const reversal of await list(ports, new Date(ports.now().getTime() - LISTED_MS))) {
    await applyReversal(ports, reversal).catch((thrown: unknown) => failures.push(thrown));
  }
  if (failures.length > 0) throw failures[0];
}
