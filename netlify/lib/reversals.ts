/** Applies refunds and disputes, from webhooks and from the reconcile. */
import { ordersOf, type Ports } from './payments.ts';
import type { Reversal } from './provider.ts';

/** States that the shop's staff should know of. */
const NEEDS_STAFF = new Set<Reversal['state']>(['failed', 'open', 'lost']);

/** Hands a refund or dispute to the database, and logs it for the shop's staff. */
export async function applyReversal(ports: Ports, reversal: Reversal): Promise<void> {
  const { result, order } = await ordersOf(ports).applyReversal(reversal);
  if (result === 'stale' || !NEEDS_STAFF.has(reversal.state)) return;
  const { provider, kind, id, paymentId, state } = reversal;
  const ofOrder = order === null ? 'not known yet' : `of order ${order.id}`;
  ports.log(`${provider} ${kind} ${id} is ${state}, payment ${paymentId} ${ofOrder}`);
}
