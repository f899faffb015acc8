import { readPendingOrder } from '../../db/checkout-draft.ts';
import { connection } from '../../db/connection.ts';
import { shopperStore } from '../../db/shopper-store.ts';
import type { OrderUpdate } from '../../remote/checkout.ts';
import { cartNow } from './asked-lines.ts';
import { forgetPendingOrder } from '../mutations.ts';
import { contentOf } from './place-order.ts';

/**
 * Lets go of the id of an order that is over, so that the same cart is another order from now on.
 *
 * After a payment that waits until this device shows another cart than the one that was bought:
 * before that, another tab may still show the old one, and its Pay must name the paid order.
 */
export function settlePendingOrder({ status, orderId }: OrderUpdate): void {
  if (status === 'failed' || status === 'cancelled' || status === 'expired') {
    void forgetPendingOrder(orderId);
  } else if (status === 'paid') {
    void forgetOnceTakenOut(orderId).catch((error: unknown) => connection.recoverFrom(error));
  }
}

async function forgetOnceTakenOut(orderId: string): Promise<void> {
  const running = await readPendingOrder(connection.db, orderId);
  if (!running) return;
  const look = () => {
    const state = cartNow();
    if (state?.uid === running.uid && contentOf(state.lines) === running.cart) return;
    stop();
    void forgetPendingOrder(orderId);
  };
  const stop = shopperStore.subscribe(look);
  look();
}
