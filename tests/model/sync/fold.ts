/** What rows become under changes and row writes: the oracle's own words for what the SQL does. */
import type { ShopperData } from '../../../src/domain/change.ts';
import type { Seen } from './server.ts';
import type { RowWrite } from './sql.ts';

export function dataOf({ cart, favourites }: Seen): ShopperData {
  return {
    cart: cart.map(([productId, quantity, priceWhenAdded]) => ({
      productId,
      quantity,
      priceWhenAdded,
    })),
    favourites,
  };
}

/** Lines in their order, favourites as a set, and no prices: what a fold determines. */
export function shapeOf({ cart, favourites }: ShopperData): string {
  const lines = cart.map(({ productId, quantity }) => `${productId}×${quantity}`);
  return `[${lines.join(' ')} ♥ ${favourites.toSorted((a, b) => a - b).join(' ')}]`;
}

/** To the last detail, and without what else a row holds. */
export function jsonOf({ cart, favourites }: ShopperData): string {
  return JSON.stringify([cart, favourites]);
}

export function quantityOf({ cart }: ShopperData, productId: number): number {
  return cart.find((line) => line.productId === productId)?.quantity ?? 0;
}

/** What `+` and `-` mean: a difference, whatever the quantity has become; never less than one. */
export function foldMeant(data: ShopperData, productId: number, by: number): ShopperData {
  const quantity = Math.max(quantityOf(data, productId) + by, 1);
  const isThere = data.cart.some((line) => line.productId === productId);
  if (!isThere && by < 0) return data;
  const line = { productId, quantity, priceWhenAdded: null };
  const cart = isThere
    ? data.cart.map((each) => (each.productId === productId ? { ...each, quantity } : each))
    : [...data.cart, line];
  return { ...data, cart };
}

export function foldWrite({ cart, favourites }: ShopperData, write: RowWrite): ShopperData {
  const without = (id: number) => cart.filter(({ productId }) => productId !== id);
  switch (write.kind) {
    case 'insert': {
      const { productId, quantity } = write;
      return { favourites, cart: [...cart, { productId, quantity, priceWhenAdded: null }] };
    }
    case 'update': {
      const { productId, quantity } = write;
      const cartThen = cart.map((line) =>
        line.productId === productId ? { ...line, quantity } : line,
      );
      return { favourites, cart: cartThen };
    }
    case 'delete':
      return { favourites, cart: without(write.productId) };
    case 'delete all':
      return { favourites, cart: [] };
    case 'like':
      return { cart, favourites: [...favourites, write.productId] };
    case 'unlike':
      return { cart, favourites: favourites.filter((id) => id !== write.productId) };
  }
}
