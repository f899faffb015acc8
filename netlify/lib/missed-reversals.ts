/** Reads refunds and disputes in the providers' own lists of events, for those of which no webhook told. */
import { NotConfigured } from './env.ts';
import { listOf, reversalOfPayPal } from './paypal-objects.ts';
import { hasKeys, ordersOf, type Ports } from './ports.ts';
import { type Provider, ProviderUnavailable, type Reversal } from './provider.ts';
import { callStripe, reversalOfStripe } from './stripe.ts';

/** Read once a day: a refund is found although its webhook was lost and two readings failed. */
const LISTED_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Applies the refunds and disputes in a provider's list of the last three days. Does nothing for a provider that
 * this shop has no keys for.
 *
 * @throws ProviderUnavailable, NotConfigured, DatabaseUnavailable; an event that fails does not hold up the others
 */
export async function readMissedReversals(ports: Ports, provider: Provider): Promise<void> {
  if (!hasKeys(ports, provider)) return;
  const list = provider === 'stripe' ? reversalsAtStripe : reversalsAtPayPal;
  const failures: unknown[] = [];
  for (const reversal of await list(ports, new Date(ports.now().getTime() - LISTED_MS))) {
    await ordersOf(ports)
      .applyReversal(reversal)
      .catch((thrown: unknown) => failures.push(thrown));
  }
  if (failures.length > 0) throw failures[0];
}

/** Stripe's webhook subscribes to these too. */
const STRIPE_EVENTS = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** Refunds and disputes that changed since a time, oldest first. @throws ProviderUnavailable, NotConfigured */
async function reversalsAtStripe({ cards }: Ports, since: Date): Promise<readonly Reversal[]> {
  const { stripe } = cards();
  const created = { gte: Math.floor(since.getTime() / 1000) };
  return callStripe(async () => {
    const reversals: Reversal[] = [];
    for await (const event of stripe.events.list({ types: STRIPE_EVENTS, created, limit: 100 })) {
      const reversal = reversalOfStripe(event);
      if (reversal !== null) reversals.push(reversal);
    }
    // Stripe lists the newest first.
    return reversals.toReversed();
  });
}

const PAGE_SIZE = 100;
/** How many pages of events are read at most. */
const MAX_PAGES = 20;

/** Refunds and disputes in PayPal's events since a time. @throws ProviderUnavailable, NotConfigured */
async function reversalsAtPayPal(ports: Ports, since: Date): Promise<readonly Reversal[]> {
  const wallet = ports.wallet();
  const reversals: Reversal[] = [];
  const query = new URLSearchParams({
    start_time: since.toISOString(),
    end_time: ports.now().toISOString(),
    page_size: String(PAGE_SIZE),
  });
  let nextLink: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await wallet.listEvents(query, nextLink);
    if (!answer.ok && (answer.status === 401 || answer.status === 403)) {
      throw new NotConfigured('PayPal does not let this app list its webhook events.');
    }
    if (!answer.ok) throw new ProviderUnavailable(`PayPal: its events answered ${answer.issue}`);
    const events = listOf(answer.body['events']);
    for (const event of events) {
      const reversal = reversalOfPayPal(event, wallet.mode);
      if (reversal !== null) reversals.push(reversal);
    }
    const link = listOf(answer.body['links']).find(({ rel }) => rel === 'next')?.['href'];
    // PayPal does not document whether the last page has a link to a next one. An empty page ends the list too.
    if (typeof link !== 'string' || events.length === 0) return reversals;
    nextLink = link;
  }
  throw new ProviderUnavailable(`PayPal: more than ${MAX_PAGES} pages of events`);
}
