import { shopperStore } from '../../db/shopper-store.ts';
import type { CartView } from '../../domain/cart.ts';
import type { AskedLine } from '../../domain/order.ts';
import type { CartState } from './place-order.ts';

/** The cart as lines of an order request, with the prices on the screen. */
export function askedLinesOf({ items }: CartView): AskedLine[] {
  return items.map(({ line: { productId, quantity }, product }) => {
    const price = product?.price ?? null;
    return { product_id: productId, quantity, ...(price === null ? {} : { unit_minor: price }) };
  });
}

/** The cart at this moment, and whether the server has all of its changes. */
export function cartNow(): CartState | null {
  const view = shopperStore.snapshot();
  if (!view) return null;
  const { shopper, data, unsaved, saving } = view;
  const lines = data.cart.map(({ productId, quantity }) => ({ product_id: productId, quantity }));
  return { uid: shopper.uid, lines, unsaved, saving };
}

/** A key that is equal for equal lines and equal total. */
export function cartKeyOf({ items, total }: CartView): string {
  return JSON.stringify([items.map(({ line }) => [line.productId, line.quantity]), total]);
}
