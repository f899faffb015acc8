/** Cancelling an order that is not paid: the provider's page is ended first. */
import type { PlacedOrder } from './orders.ts';
import type { Ports } from './payments.ts';
import { MOST_STEPS, ordersOf } from './payments.ts';
import { ProviderUnavailable } from './provider.ts';
import { settleBlocker } from './wallet-checkout.ts';

/**
 * Ends every payment page of an order and closes it. An order that is closed already is returned as it
 * is.
 *
 * @throws HttpError 409 where it was paid meanwhile (`order-paid`) or its payment may still arrive
 *   (`payment-under-way`), 404 for an order of another shopper
 * @throws DatabaseUnavailable, ProviderUnavailable when it may be tried again
 */
export async function cancelOrder(
  ports: Ports,
  userId: string,
  orderId: string,
): Promise<PlacedOrder> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { order, blocked_by: page } = await ordersOf(ports).cancel(userId, orderId);
    if (page === null) return order;
    await settleBlocker(ports, order, page);
  }
  throw new ProviderUnavailable(`order ${orderId} has a new payment page each time`);
}
