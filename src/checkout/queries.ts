import { useSyncExternalStore } from 'react';
import { draftStore } from '../db/checkout-draft.ts';
import type { CheckoutDraft } from '../db/database.ts';
import { orderStore } from '../db/orders.ts';
import type { Order } from '../domain/order.ts';

/** What the shopper has typed before; null for nothing, undefined until it was read. */
export function useDraft(): CheckoutDraft | null | undefined {
  return useSyncExternalStore(draftStore.subscribe, draftStore.snapshot);
}

/** The shopper's orders as last read, newest first; null when never, undefined until it is known. */
export function useOrders(): readonly Order[] | null | undefined {
  return useSyncExternalStore(orderStore.subscribe, orderStore.snapshot);
}
