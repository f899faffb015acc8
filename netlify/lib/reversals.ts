/** Applies refunds and disputes, from webhooks and from the reconcile. */
import { hasKeys, ordersOf, type Ports } from './payments.ts';
import { reversalsAtPayPal } from './paypal-reversals.ts';
import type { Provider, Reversal } from './provider.ts';
import { reversalsAtStripe } from './stripe-reversals.ts';

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

/** A day less than the 30 days for which providers keep events. */
const LISTED_MS = 29 * 24 * 60 * 60 * 1000;
/** The database lets the next read begin this long before the noted time (`begin_provider_reads`). */
const OVERLAP_MS = 60 * 60 * 1000;
/** Wide enough for most reads: they cover little more than the overlap. */
const FIRST_WINDOW_MS = 2 * OVERLAP_MS;
/** Stripe's times have no parts of a second, so windows begin and end with a second. */
const SECOND_MS = 1000;

/**
 * Reads the provider's own list of events, and applies its refunds and disputes. Does nothing for a
 * provider that this shop has no keys for.
 *
 * The list begins with the newest event and may be longer than there is time for, as after a restore. So it
 * is read window by window, oldest first, and its progress is noted after each window. A window with more than
 * one page of events is made shorter first.
 *
 * @param untilMs when no further window is begun, in milliseconds since 1970
 * @throws ProviderUnavailable, NotConfigured, DatabaseUnavailable; the next call goes on with that window
 */
export async function readMissedReversals(
  ports: Ports,
  provider: Provider,
  since: Date,
  untilMs: number,
): Promise<void> {
  if (!hasKeys(ports, provider)) return;
  const list = provider === 'stripe' ? reversalsAtStripe : reversalsAtPayPal;
  const endMs = beginOfSecond(ports.now().getTime()) + SECOND_MS;
  let fromMs = Math.max(beginOfSecond(since.getTime()), endMs - LISTED_MS);
  let widthMs = FIRST_WINDOW_MS;
  while (fromMs < endMs && ports.now().getTime() < untilMs) {
    const toMs = Math.min(fromMs + widthMs, endMs);
    const pages = toMs - fromMs <= SECOND_MS ? 'all' : 'one';
    const reversals = await list(ports, { from: new Date(fromMs), to: new Date(toMs) }, pages);
    if (reversals === null) {
      widthMs = Math.max(beginOfSecond((toMs - fromMs) / 4), SECOND_MS);
      continue;
    }
    const failures: unknown[] = [];
    for (const reversal of reversals) {
      await applyReversal(ports, reversal).catch((thrown: unknown) => failures.push(thrown));
    }
    // A reversal that fails now does not hold up the others. The next call reads the window again.
    if (failures.length > 0) throw failures[0];
    // The next read begins `OVERLAP_MS` before the noted time: where this window ends, but an hour before now
    // at the latest, because a provider may list an event a while after it happened.
    await ordersOf(ports).endRead(provider, new Date(Math.min(toMs + OVERLAP_MS, endMs)));
    fromMs = toMs;
    widthMs *= 2;
  }
}

function beginOfSecond(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}
