/** Paying by card: an order, and a page of Stripe's where it can be paid. */
import type { RequestedOrder, Ports } from './payments.ts';
import { MOST_STEPS, openCard, ordersOf, PAUSE_MS } from './payments.ts';
import { ProviderUnavailable } from './provider.ts';
import { settleBlocker } from './wallet-checkout.ts';

export interface CardCheckout {
  readonly sessionId: string;
  readonly url: string;
  readonly orderId: string;
}

/**
 * The same request again, by a second press, another tab or after a lost answer, gives the same
 * order and the same page.
 *
 * @throws HttpError for what cannot be bought or paid, in words for the shopper
 * @throws DatabaseUnavailable, ProviderUnavailable when it may be tried again
 */
export async function createCheckout(ports: Ports, wanted: RequestedOrder): Promise<CardCheckout> {
  const { mode } = ports.cards();
  const orders = ordersOf(ports);
  const order = await orders.place({ ...wanted, mode });
  let failures = 0;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const begun = await orders.startAttempt(wanted.userId, order.id, 'stripe', wanted.again);
    if (begun.attempt === null) {
      await settleBlocker(ports, begun.of_order, begun.blocked_by);
      continue;
    }
    const card = await openCard(ports, order, begun.attempt);
    if (card.kind === 'open' && card.session.url !== null) {
      return { sessionId: card.session.id, url: card.session.url, orderId: order.id };
    }
    if (card.kind === 'busy') await ports.pause(PAUSE_MS * (step + 1));
    // A failure may be one that Stripe keeps for its key; the next attempt has another.
    if (card.kind === 'failed' && (failures += 1) > 1) throw card.error;
  }
  throw new ProviderUnavailable(`Stripe: no session for order ${order.id}`);
}
