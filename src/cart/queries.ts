import { useMemo } from 'react';
import { catalogueStore } from '../db/catalogue-store.ts';
import { shopperStore, type ShopperView } from '../db/shopper-store.ts';
import { type CartView, cartOf } from '../domain/cart.ts';
import { useSelected, useStore } from '../ui/use-store.ts';

/** The shopper of this phone and their data; null without a shopper, undefined until they have been read. */
export function useShopperView(): ShopperView | null | undefined {
  return useStore(shopperStore);
}

/** The cart with its products; null without a shopper, undefined until it has been read. */
export function useCart(): CartView | null | undefined {
  const view = useShopperView();
  const catalogue = useStore(catalogueStore);
  return useMemo(() => {
    if (!view) return view;
    return cartOf(
      view.data.cart,
      (id) => catalogue?.index.byId(id),
      catalogue?.isComplete ?? false,
      view.seen,
    );
  }, [view, catalogue]);
}

/** How many pieces are in the cart; 0 without a signed-in shopper. */
export function useCartCount(): number {
  return useSelected(shopperStore, piecesIn);
}

export function piecesIn(view: ShopperView | null | undefined): number {
  const lines = view?.data.cart ?? [];
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}
