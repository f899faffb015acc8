/** Cancels an order that is not paid, after ending what may still take money for it at a provider. */
import type { PlacedOrder } from './orders.ts';
import { MOST_STEPS, ordersOf, type Ports, settleBlocker } from './payments.ts';
import { ProviderUnavailable } from './provider.ts';

/**
 * Ends every card page of an order at Stripe, then closes the order. PayPal takes no money without the shop's
 * capture, so the database forbids the capture (`cancel_own_order`), and PayPal is asked only about a capture
 * that is under way. Returns an order that is closed already as it is.
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
    const { order, blocked_by: attempt } = await ordersOf(ports).cancel(userId, orderId);
    if (attempt === null) return order;
    await settleBlocker(ports, order, attempt);
  }
  throw new ProviderUnavailable(`order ${orderId} has a new payment page each time`);
}
