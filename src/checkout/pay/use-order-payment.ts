import type { ShopperView } from '../../db/shopper-store.ts';
import type { Order } from '../../domain/order.ts';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutFailure } from '../../remote/checkout.ts';
import { type ErrorMessage, errorMessage, errorMessageOf } from './error-message.ts';
import { announceFailure, mayBegin, type Payment, usePaymentState } from './use-payment.ts';

/**
 * Pays an order that the shop has already. The request contains the order's id, lines and address, so the shop
 * finds the order's open payment page, or opens another one.
 */
export function useOrderPayment(order: Order, view: ShopperView): Payment {
  // The page of an order has no address form, so no field can get the focus.
  const state = usePaymentState(() => undefined);
  const { id: orderId, address, totalMinor: total } = order;

  return {
    ...state,
    total,
    check(words) {
      if (!mayBegin(state, view, words)) return null;
      const lines = order.lines.map(({ productId, quantity, unitMinor }) => {
        return { product_id: productId, quantity, unit_minor: unitMinor };
      });
      const earlierOrderId = state.earlierOrderId();
      return { uid: view.shopper.uid, lines, address, shownTotal: total, earlierOrderId };
    },
    async begin({ earlierOrderId, lines, address, shownTotal }, words, send) {
      state.enter('processing');
      // Whether the shopper has read that these lines are being paid already, and pays again.
      const again = earlierOrderId !== null;
      const request = { lines, address, shownTotal, orderId, again };
      const answer = await send(request).catch((error: unknown) => {
        state.finish();
        throw error;
      });
      if (answer.ok) return { value: answer.value, orderId };
      const { failure } = answer;
      const paid = paidMessage(failure, orderId);
      state.finish(paid ?? errorMessageOf(failure, words.notStarted, NO_CART, total));
      if (!paid) announceFailure(failure, words, state);
      return null;
    },
  };
}

/** No failure names a product here: the shop rejects products and totals only before it places an order. */
const NO_CART = { items: [], count: 0, total: 0 };

/** The shop's sentence about an order whose payment has arrived or may still arrive; else null. */
function paidMessage(failure: CheckoutFailure, orderId: string): ErrorMessage | null {
  if (failure.kind !== 'order-paid' && failure.kind !== 'payment-under-way') return null;
  if (failure.message === null) return null;
  const link = { href: successHref(orderId), label: 'View order' };
  return errorMessage(failure.message, link);
}
