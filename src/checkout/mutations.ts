import { clearCart } from '../cart/mutations.ts';
import { keepDraft, releaseOrderId } from '../db/checkout-draft.ts';
import { catalogueStore } from '../db/catalogue-store.ts';
import { connection } from '../db/connection.ts';
import { enqueue } from '../db/enqueue.ts';
import { shopperStore } from '../db/shopper-store.ts';
import type { Order } from '../domain/order.ts';
import { nameOf } from '../domain/product.ts';
import { announceNotStored } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';
import type { AddressText } from './address-form.tsx';

/** Stores the address that the shopper has typed so far. */
export function storeDraft(uid: string, fields: AddressText): void {
  connection.storage
    .write((db) => keepDraft(db, uid, fields))
    .catch((error: unknown) => connection.recoverFrom(error));
}

/** Releases the id of an order that is over, so that paying the same cart makes another order. */
export function releaseOrder(orderId: string): void {
  releaseOrderId(connection.db, orderId).catch((error: unknown) => connection.recoverFrom(error));
}

/** Empties the cart, as the specification's success page does. */
export async function clearCartAfterPayment(): Promise<void> {
  const lines = shopperStore.snapshot()?.data.cart ?? [];
  if (lines.length > 0) await clearCart(lines, { isWhole: true });
}

/**
 * Adds an order's lines to the cart, as far as the cart lacks them, and names the products that have left the
 * shop. Works without a connection, like any change to the cart.
 *
 * @param goToCart called by the button in the notice
 */
export async function orderAgain({ lines }: Order, goToCart: () => void): Promise<void> {
  const catalogue = catalogueStore.snapshot();
  const isGone = ({ productId }: { productId: number }) =>
    catalogue?.isComplete === true && catalogue.index.byId(productId) === undefined;
  const gone = lines.filter(isGone);
  const uid = shopperStore.snapshot()?.shopper.uid;
  const outcome = await enqueue(({ cart }) =>
    lines.flatMap((line) => {
      const { productId } = line;
      const present = cart.find((other) => other.productId === productId)?.quantity ?? 0;
      const by = line.quantity - present;
      return isGone(line) || by <= 0 ? [] : [{ kind: 'cart.add', args: { productId, by } }];
    }),
  );
  if (outcome !== 'done') {
    if (outcome === 'not-stored') announceNotStored();
    else notify('alert', 'Log in to order again.');
    return;
  }
  const names = gone.map(nameOf).join('; ');
  const goneNote = gone.length === 0 ? '' : ` No longer in the shop: ${names}.`;
  if (gone.length === lines.length) {
    notify('alert', `Nothing was added to your cart.${goneNote}`);
    return;
  }
  const action = { label: 'View cart', run: goToCart, uid };
  notify('status', `Added to your cart at today’s prices.${goneNote}`, action);
}
