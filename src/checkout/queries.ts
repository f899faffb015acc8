import { useObservable } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { readDraft } from '../db/checkout-draft.ts';
import { connection } from '../db/connection.ts';
import type { CheckoutDraft, WeftDatabase } from '../db/database.ts';
import { followQuery } from '../db/follow.ts';
import { readOrders } from '../db/orders.ts';
import type { Order } from '../domain/order.ts';
import { type CheckoutRemote, checkoutRemote, type OrderReference } from '../remote/checkout.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { useStore } from '../ui/use-store.ts';
import { polledState } from './polled-state.ts';
import { pollInPage } from './poll-until-final.ts';
import { type RefreshState, refreshOrders } from './orders/refresh.ts';
import { type OrderUpdateState, watchOrder } from './pay/order-watch.ts';
import { settlePendingOrder } from './pay/pending-order.ts';

/** The shop's functions for paying, in this shopper's name. */
export function useCheckoutRemote(tokens: TokenSource, uid: string): CheckoutRemote {
  return useMemo(() => checkoutRemote(tokens, uid), [tokens, uid]);
}

/** What the shopper has typed before; null for nothing, undefined until it was read. */
export function useDraft(uid: string): CheckoutDraft | null | undefined {
  return useShopperQuery(uid, readDraft);
}

/** The shopper's orders as last read, newest first; null when never, undefined until it is known. */
export function useOrders(uid: string): readonly Order[] | null | undefined {
  return useShopperQuery(uid, readOrders);
}

/**
 * Keeps the shopper's orders on this device those of the shop, as long as the screen is open; with
 * `isAwaited`, steadily only while there is such an order.
 */
export function useOrderRefresh(
  uid: string,
  tokens: TokenSource,
  isAwaited?: (order: Order) => boolean,
): RefreshState {
  return useObservable(() => refreshOrders(uid, tokens, isAwaited), [uid, tokens, isAwaited], null);
}

/** What became of an order that one came back from paying. */
export function useOrderUpdate(
  uid: string,
  { kind, id }: OrderReference,
  tokens: TokenSource,
): OrderUpdateState {
  return useObservable<OrderUpdateState, OrderUpdateState>(
    () => watchOrder(checkoutRemote(tokens, uid), { kind, id }, pollInPage, settlePendingOrder),
    [uid, kind, id, tokens],
    ASKING,
  );
}

const ASKING: OrderUpdateState = { kind: 'asking' };

/**
 * Follows a query over the open database, and over the one that takes over from it. What was read of
 * another shopper is not shown: the hook holds its last result until the next.
 */
function useShopperQuery<T>(
  uid: string,
  read: (db: WeftDatabase, uid: string) => Promise<T>,
): T | undefined {
  const db = useStore({ subscribe: connection.subscribe, snapshot: () => connection.db });
  const found = useObservable(
    () =>
      polledState<{ readonly uid: string; readonly value: T }>((next) =>
        followQuery(
          () => read(db, uid),
          (value) => next({ uid, value }),
          (error) => connection.recoverFrom(error),
        ),
      ),
    [db, uid, read],
  );
  return found?.uid === uid ? found.value : undefined;
}
