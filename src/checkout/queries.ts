import { useMemo, useSyncExternalStore } from 'react';
import { catalogueStore } from '../db/catalogue-store.ts';
import { draftStore } from '../db/checkout-draft.ts';
import type { CheckoutDraft } from '../db/database.ts';
import { orderStore } from '../db/orders.ts';
import { shopperStore, type ShopperView } from '../db/shopper-store.ts';
import { type CartView, cartOf } from '../domain/cart.ts';
import type { Order } from '../domain/order.ts';

/** The signed-in shopper; null when nobody is, undefined until it was read. */
export function useShopper(): ShopperView | null | undefined {
  return useSyncExternalStore(shopperStore.subscribe, shopperStore.snapshot);
}

/** The cart with its products, live from this device. */
export function useCart(): CartView | null | undefined {
  const view = useShopper();
  const catalogue = useSyncExternalStore(catalogueStore.subscribe, catalogueStore.snapshot);
  return useMemo(() => {
    if (!view) return view;
    return cartOf(
      view.data.cart,
      (id) => catalogue?.index.byId(id),
      catalogue?.isComplete ?? false,
    );
  }, [view, catalogue]);
}

/** What the shopper has typed before; null for nothing, undefined until it was read. */
export function useDraft(): CheckoutDraft | null | undefined {
  return useSyncExternalStore(draftStore.subscribe, draftStore.snapshot);
}

/** The shopper's orders as last read, newest first; null when never, undefined until it is known. */
export function useOrders(): readonly Order[] | null | undefined {
  return useSyncExternalStore(orderStore.subscribe, orderStore.snapshot);
}
