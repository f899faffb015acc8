/**
 * Reads the providers' own lists of events, for payments, refunds and disputes of which no webhook told, or of
 * which a restore has lost what the webhook told.
 */
import { applyPaymentEvent, hasKeys, ordersOf, type Ports } from './payments.ts';
import { eventsAtPayPal } from './paypal-reversals.ts';
import type { PaymentEvent, Provider } from './provider.ts';
import { applyReversal } from './reversals.ts';
import { eventsAtStripe } from './stripe-reversals.ts';

/** A day less than the 30 days for which providers keep events. */
const LISTED_MS = 29 * 24 * 60 * 60 * 1000;
/** The database lets the next read begin this long before the noted time (`begin_provider_reads`). */
const OVERLAP_MS = 60 * 60 * 1000;
/** Wide enough for most reads: they cover little more than the overlap. */
const FIRST_WINDOW_MS = 2 * OVERLAP_MS;
/** Stripe's times have no parts of a second, so windows begin and end with a second. */
const SECOND_MS = 1000;

/**
 * Reads the provider's own list of events, and applies its payments, refunds and disputes. Does nothing for a
 * provider that this shop has no keys for.
 *
 * The list begins with the newest event and may be longer than there is time for, as after a restore. So it
 * is read window by window, oldest first, and its progress is noted after each window. A window with more than
 * one page of events is made shorter first.
 *
 * @param untilMs when no further window is begun, in milliseconds since 1970
 * @throws ProviderUnavailable, NotConfigured, DatabaseUnavailable; the next call goes on with that window
 */
export async function readMissedEvents(
  ports: Ports,
  provider: Provider,
  since: Date,
  untilMs: number,
): Promise<void> {
  if (!hasKeys(ports, provider)) return;
  const list = provider === 'stripe' ? eventsAtStripe : eventsAtPayPal;
  const endMs = beginOfSecond(ports.now().getTime()) + SECOND_MS;
  let fromMs = Math.max(beginOfSecond(since.getTime()), endMs - LISTED_MS);
  let widthMs = FIRST_WINDOW_MS;
  while (fromMs < endMs && ports.now().getTime() < untilMs) {
    const toMs = Math.min(fromMs + widthMs, endMs);
    const pages = toMs - fromMs <= SECOND_MS ? 'all' : 'one';
    const events = await list(ports, { from: new Date(fromMs), to: new Date(toMs) }, pages);
    if (events === null) {
      widthMs = Math.max(beginOfSecond((toMs - fromMs) / 4), SECOND_MS);
      continue;
    }
    const failures: unknown[] = [];
    for (const payment of await selectMissed(ports, events.payments)) {
      await applyPaymentEvent(ports, payment).catch((thrown: unknown) => failures.push(thrown));
    }
    for (const reversal of events.reversals) {
      await applyReversal(ports, reversal).catch((thrown: unknown) => failures.push(thrown));
    }
    // An event that fails now does not hold up the others. The next call reads the window again.
    if (failures.length > 0) throw failures[0];
    // The next read begins `OVERLAP_MS` before the noted time: where this window ends, but an hour before now
    // at the latest, because a provider may list an event a while after it happened.
    await ordersOf(ports).endRead(provider, new Date(Math.min(toMs + OVERLAP_MS, endMs)));
    fromMs = toMs;
    widthMs *= 2;
  }
}

/**
 * Selects the payments that no order counts, of orders that the database has. Payments of other orders are another
 * shop's at the same account, or of orders that a restore has lost, which `npm run after-restore` lists.
 */
async function selectMissed(
  { call }: Ports,
  payments: readonly PaymentEvent[],
): Promise<readonly PaymentEvent[]> {
  if (payments.length === 0) return [];
  const named = payments.map((event) => ({ event, payment: event.captureId ?? event.reference }));
  const listed = named.map(({ event: { provider, orderId, outcome }, payment }) => ({
    provider,
    payment,
    order: orderId,
    has_arrived: outcome === 'captured',
  }));
  // The database's function `payments_not_counted` builds this shape.
  const uncounted = (await call('payments_not_counted', { p_payments: listed })) as readonly {
    readonly payment: string;
    readonly state: string | null;
  }[];
  const missed = new Set(uncounted.flatMap(({ payment, state }) => (state ? [payment] : [])));
  return named.filter(({ payment }) => missed.has(payment)).map(({ event }) => event);
}

function beginOfSecond(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}
