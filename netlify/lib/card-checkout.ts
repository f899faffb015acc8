/** Paying by card: the server places the order and gets a payment page from Stripe. */
import type { RequestedOrder, Ports } from './payments.ts';
import { MOST_STEPS, openCard, ordersOf, PAUSE_STEP_MS, settleBlocker } from './payments.ts';
import { ProviderUnavailable } from './provider.ts';

export interface CardCheckout {
  readonly sessionId: string;
  readonly url: string;
  readonly orderId: string;
}

/**
 * Places the order and opens its payment page. The same request sent again (a second press, another tab,
 * a lost answer) gets the same order and the same page.
 *
 * @throws HttpError for what cannot be bought or paid, in words for the shopper
 * @throws DatabaseUnavailable, ProviderUnavailable when the page may try again
 */
export async function createCheckout(ports: Ports, request: RequestedOrder): Promise<CardCheckout> {
  const { mode } = ports.cards();
  const orders = ordersOf(ports);
  const { again, ...asked } = request;
  const order = await orders.place({ ...asked, mode });
  let hasFailed = false;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const begun = await orders.startAttempt(request.userId, order.id, 'stripe', again);
    if (begun.attempt === null) {
      await settleBlocker(ports, begun.of_order, begun.blocked_by);
      continue;
    }
    const card = await openCard(ports, order, begun.attempt);
    if (card.kind === 'open' && card.session.url !== null) {
      return { sessionId: card.session.id, url: card.session.url, orderId: order.id };
    }
    if (card.kind === 'busy') await ports.pause(PAUSE_STEP_MS * (step + 1));
    if (card.kind === 'failed') {
      // Stripe repeats some failures for the same idempotency key. A second attempt has another key, so its
      // failure decides.
      if (hasFailed) throw card.error;
      hasFailed = true;
    }
  }
  throw new ProviderUnavailable(`Stripe: no session for order ${order.id}`);
}
