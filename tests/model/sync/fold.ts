/**
 * A shopper's rows in the form in which phones store them, and how another client's writes change them. (The
 * oracle compares what the SQL makes of phones' changes with the page's `foldChanges`.)
 */
import type { CartLine, ShopperData } from '../../../src/domain/change.ts';
import type { ServerRows } from './server.ts';
import type { RowWrite } from './sql.ts';

/** A shopper's rows at the server, in the form in which a phone stores them. */
export function dataOf({ cart, favourites }: ServerRows): ShopperData {
  return {
    cart: cart.map(([productId, quantity, priceWhenAdded]) => ({
      productId,
      quantity,
      priceWhenAdded,
    })),
    favourites,
  };
}

/** A shopper's rows without prices, as text: lines in order, favourites as a set. */
export function shapeOf({ cart, favourites }: ShopperData): string {
  const lines = cart.map(({ productId, quantity }) => `${productId}×${quantity}`);
  return `[${lines.join(' ')} ♥ ${favourites.toSorted((a, b) => a - b).join(' ')}]`;
}

/** A shopper's rows as text, with all their details. */
export function jsonOf({ cart, favourites }: ShopperData): string {
  return JSON.stringify([cart, favourites]);
}

/** How many pieces of a product are in the cart; 0 without a line. */
export function quantityOf({ cart }: ShopperData, productId: number): number {
  return cart.find((line) => line.productId === productId)?.quantity ?? 0;
}

/** The rows after another client's write. */
export function foldWrite({ cart, favourites }: ShopperData, write: RowWrite): ShopperData {
  switch (write.kind) {
    case 'insert': {
      const { productId, quantity } = write;
      return { favourites, cart: [...cart, { productId, quantity, priceWhenAdded: null }] };
    }
    case 'update':
      return { favourites, cart: withQuantity(cart, write.productId, write.quantity) };
    case 'delete':
      return { favourites, cart: cart.filter((line) => line.productId !== write.productId) };
    case 'delete all':
      return { favourites, cart: [] };
    case 'like':
      return { cart, favourites: [...favourites, write.productId] };
    case 'unlike':
      return { cart, favourites: favourites.filter((id) => id !== write.productId) };
  }
}

function withQuantity(cart: readonly CartLine[], productId: number, quantity: number): CartLine[] {
  return cart.map((line) => (line.productId === productId ? { ...line, quantity } : line));
}
