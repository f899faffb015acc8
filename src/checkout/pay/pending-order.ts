import { readPendingOrder } from '../../db/checkout-draft.ts';
import { connection } from '../../db/connection.ts';
import { shopperStore } from '../../db/shopper-store.ts';
import type { OrderUpdate } from '../../remote/checkout.ts';
import { cartNow } from './asked-lines.ts';
import { forgetPendingOrder } from '../mutations.ts';
import { linesKeyOf } from './place-order.ts';

/**
 * Releases the id of an order that is over, so that paying the same cart makes another order.
 *
 * A paid order's id is released only when this device shows another cart than the paid one: until then
 * another tab may show the paid cart, and its Pay button must name the paid order.
 */
export function settlePendingOrder({ status, orderId }: OrderUpdate): void {
  if (status === 'failed' || status === 'cancelled' || status === 'expired') {
    void forgetPendingOrder(orderId);
  } else if (status === 'paid') {
    void forgetOnceTakenOut(orderId).catch((error: unknown) => connection.recoverFrom(error));
  }
}

async function forgetOnceTakenOut(orderId: string): Promise<void> {
  const pending = await readPendingOrder(connection.db, orderId);
  if (!pending) return;
  const look = () => {
    const state = cartNow();
    if (state?.uid === pending.uid && linesKeyOf(state.lines) === pending.cart) return;
    stop();
    void forgetPendingOrder(orderId);
  };
  const stop = shopperStore.subscribe(look);
  look();
}
