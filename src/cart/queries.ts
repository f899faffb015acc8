import { useMemo } from 'react';
import { catalogueStore } from '../db/catalogue-store.ts';
import { shopperStore, type ShopperView } from '../db/shopper-store.ts';
import { type CartView, cartOf } from '../domain/cart.ts';
import { useStore } from '../ui/use-store.ts';

/** The signed-in shopper; null when nobody is, undefined until it was read. */
export function useShopperView(): ShopperView | null | undefined {
  return useStore(shopperStore);
}

/** The cart with its products, live from this device. */
export function useCart(): CartView | null | undefined {
  const view = useShopperView();
  const catalogue = useStore(catalogueStore);
  return useMemo(() => {
    if (!view) return view;
    return cartOf(
      view.data.cart,
      (id) => catalogue?.index.byId(id),
      catalogue?.isComplete ?? false,
    );
  }, [view, catalogue]);
}

/** How many pieces are in the cart; 0 when nobody is signed in. */
export function useCartCount(): number {
  return useStore({
    subscribe: shopperStore.subscribe,
    snapshot: () => piecesIn(shopperStore.snapshot()),
  });
}

export function piecesIn(view: ShopperView | null | undefined): number {
  const lines = view?.data.cart ?? [];
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}
