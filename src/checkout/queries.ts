import Dexie from 'dexie';
import { useLiveQuery, useObservable } from 'dexie-react-hooks';
import { useRef } from 'react';
import { readDraft } from '../db/checkout-draft.ts';
import { connection } from '../db/connection.ts';
import type { CheckoutDraft, WeftDatabase } from '../db/database.ts';
import { readOrders } from '../db/orders.ts';
import type { Order } from '../domain/order.ts';
import { checkoutRemote, type OrderReference } from '../remote/checkout.ts';
import type { TokenSource } from '../remote/shopper.ts';
import { useStore } from '../ui/use-store.ts';
import { askInPage } from './ask-in-page.ts';
import { type RefreshState, refreshOrders } from './order-refresh.ts';
import { type OrderNewsState, watchOrder } from './order-watch.ts';
import { settleRunningOrder } from './running-order.ts';

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
export function useOrderNews(
  uid: string,
  { kind, id }: OrderReference,
  tokens: TokenSource,
): OrderNewsState {
  return useObservable<OrderNewsState, OrderNewsState>(
    () => watchOrder(checkoutRemote(tokens, uid), { kind, id }, askInPage, settleRunningOrder),
    [uid, kind, id, tokens],
    ASKING,
  );
}

const ASKING: OrderNewsState = { kind: 'asking' };

/**
 * Follows a query over the open database, and over the one that takes over from it. What was read
 * of another shopper is not shown: the hook itself holds its last result until the next.
 */
function useShopperQuery<T>(
  uid: string,
  read: (db: WeftDatabase, uid: string) => Promise<T>,
): T | undefined {
  const db = useStore(connection.subscribe, () => connection.db);
  const last = useRef<{ readonly uid: string; readonly value: T }>(undefined);
  const found = useLiveQuery(async () => {
    try {
      last.current = { uid, value: await read(db, uid) };
    } catch (error) {
      // Of a query that was overtaken, or a database that was closed, Dexie says nothing.
      if (error instanceof Error && PASSING.has(error.name)) throw error;
      // Later, because within a live query nothing may be written. The hook would throw the error
      // into the drawing, and what is on screen would go; it stays until another database has it.
      setTimeout(() => void connection.recoverFrom(error));
    }
    return last.current;
  }, [db, uid]);
  return found?.uid === uid ? found.value : undefined;
}

const PASSING = new Set<string>([Dexie.errnames.Abort, Dexie.errnames.DatabaseClosed]);
