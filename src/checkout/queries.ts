import { useLiveQuery, useObservable } from 'dexie-react-hooks';
import { useEffect, useReducer, useRef } from 'react';
import { readDraft } from '../db/checkout-draft.ts';
import { connection } from '../db/connection.ts';
import type { CheckoutDraft, WeftDatabase } from '../db/database.ts';
import { readOrders } from '../db/orders.ts';
import { pause } from '../db/pause.ts';
import type { Order } from '../domain/order.ts';
import { backoffMs } from '../domain/timing.ts';
import { checkoutRemote, type OrderReference } from '../remote/checkout.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { useStore } from '../ui/use-store.ts';
import { pollInPage } from './poll-until-final.ts';
import { type RefreshState, refreshOrders } from './orders/refresh.ts';
import { type OrderUpdateState, watchOrder } from './pay/order-watch.ts';
import { settlePendingOrder } from './pay/pending-order.ts';

/** The address that the shopper has typed; null for none, undefined until it has been read. */
export function useDraft(uid: string): CheckoutDraft | null | undefined {
  return useShopperQuery(uid, readDraft);
}

/**
 * The shopper's orders as this device last got them, newest first; null when it never did, undefined
 * until they have been read.
 */
export function useOrders(uid: string): readonly Order[] | null | undefined {
  return useShopperQuery(uid, readOrders);
}

/**
 * Updates the shopper's orders on this device from the shop while the screen is open. With `isAwaited`
 * it polls only while an order passes that test.
 */
export function useOrderRefresh(
  uid: string,
  tokens: TokenSource,
  isAwaited?: (order: Order) => boolean,
): RefreshState {
  return useObservable(() => refreshOrders(uid, tokens, isAwaited), [uid, tokens, isAwaited], null);
}

/** Follows the status of an order after the shopper has come back from paying. */
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

const FIRST_PAUSE_MS = 1000;

/**
 * Follows a query over the open database, and over the one in memory that may replace it. A query that
 * failed runs again after a pause, and its last result stays on screen. `useLiveQuery` keeps its last
 * result until the next, so a result of another shopper is left out here.
 */
function useShopperQuery<T>(
  uid: string,
  read: (db: WeftDatabase, uid: string) => Promise<T>,
): T | undefined {
  const db = useStore(connection.subscribe, () => connection.db);
  const [failures, askAgain] = useReducer((count: number) => count + 1, 0);
  const last = useRef<{ readonly uid: string; readonly value: T }>(undefined);
  const found = useLiveQuery(async () => {
    try {
      last.current = { uid, value: await read(db, uid) };
      return { ...last.current, failure: null };
    } catch (error) {
      // As a value: Dexie swallows some errors, and the hook throws others while React renders.
      const value = last.current?.uid === uid ? last.current.value : undefined;
      return { uid, value, failure: { error } };
    }
  }, [db, uid, failures]);
  const failure = found?.failure;
  useEffect(() => {
    if (!failure) return;
    let isOver = false;
    void connection
      .recoverFrom(failure.error)
      .then(() => pause(backoffMs(failures + 1, FIRST_PAUSE_MS, Math.random)))
      .then(() => isOver || askAgain());
    return () => {
      isOver = true;
    };
  }, [failure, failures]);
  return found?.uid === uid ? found.value : undefined;
}
