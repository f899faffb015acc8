import { useObservable } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { onWakeUp } from '../browser/page-events.ts';
import { readDraft } from '../db/checkout-draft.ts';
import { connection } from '../db/connection.ts';
import type { CheckoutDraft, WeftDatabase } from '../db/database.ts';
import { followQuery } from '../db/follow.ts';
import { keepOrders, readOrders } from '../db/orders.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { Order } from '../domain/order.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';
import { ordersRemote } from '../remote/orders.ts';
import { type CheckoutRemote, checkoutRemote, type OrderReference } from '../remote/checkout.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { useStore } from '../ui/use-store.ts';
import { releaseOrder } from './mutations.ts';
import { type OrderUpdateState, stateObservable, pollInPage, watchOrder } from './order-polling.ts';

/** The shop's functions for paying, in this shopper's name. */
export function useCheckoutRemote(tokens: TokenSource, uid: string): CheckoutRemote {
  return useMemo(() => checkoutRemote(tokens, uid), [tokens, uid]);
}

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

/** How the last reading of the orders ended; null while the first is under way. */
export type RefreshState = 'fresh' | BackendFailure['kind'] | null;

/**
 * Updates the shopper's orders on this device from the shop while the screen is open.
 *
 * @param options.isPolled whether the page also asks at intervals; otherwise, once the device has the orders, it asks
 *   only after news of them
 */
export function useOrderRefresh(
  uid: string,
  tokens: TokenSource,
  { isPolled } = { isPolled: true },
): RefreshState {
  return useObservable(
    () => {
      const remote = ordersRemote({ url: BACKEND_URL, key: PUBLISHABLE_KEY }, tokens);
      return stateObservable<RefreshState>((next) =>
        pollInPage(
          async (signal) => {
            const answer = await remote.read(uid, signal);
            if (signal.aborted) return 'final';
            const isStored = answer.ok && (await storeOrders(uid, answer.value));
            next(answer.ok ? 'fresh' : answer.failure.kind);
            return isStored && !isPolled ? 'quiet' : 'open';
          },
          (wake) => onNews(uid, wake),
        ),
      );
    },
    [uid, tokens, isPolled],
    null,
  );
}

/**
 * Wakes as `onWakeUp` does, and when a pull has brought another version of the shopper's data: the shop raises the
 * version when it marks an order as sent.
 */
function onNews(uid: string, wake: () => void): () => void {
  let lastVer: number | null = null;
  const stopFollowing = followQuery(
    async () => (await connection.db.bases.get(uid))?.ver ?? 0,
    (ver) => {
      if (lastVer !== null && ver !== lastVer) wake();
      lastVer = ver;
    },
    (error) => connection.recoverFrom(error),
  );
  const stopListening = onWakeUp(wake);
  return () => {
    stopFollowing();
    stopListening();
  };
}

/** Returns whether the device could store them. */
async function storeOrders(uid: string, orders: readonly Order[]): Promise<boolean> {
  try {
    await keepOrders(connection.db, uid, orders);
    return true;
  } catch (error) {
    await connection.recoverFrom(error);
    return false;
  }
}

/** One order of the shopper; undefined while this device does not have it. Asks the shop for it. */
export function useOrder(
  uid: string,
  orderId: string | null,
  tokens: TokenSource,
): Order | undefined {
  useOrderRefresh(uid, tokens, { isPolled: false });
  return useOrders(uid)?.find(({ id }) => id === orderId);
}

/** Follows the status of an order after the shopper has come back from paying. */
export function useOrderUpdate(
  uid: string,
  { kind, id }: OrderReference,
  tokens: TokenSource,
): OrderUpdateState {
  return useObservable<OrderUpdateState, OrderUpdateState>(
    () => watchOrder(checkoutRemote(tokens, uid), { kind, id }, pollInPage, releaseOrder),
    [uid, kind, id, tokens],
    ASKING,
  );
}

const ASKING: OrderUpdateState = { kind: 'asking' };

/**
 * Follows a query over the open database, or over the one in memory that has replaced it. `useObservable`
 * returns its last result until there is a next one, so a result of another shopper is left out here.
 */
function useShopperQuery<T>(
  uid: string,
  read: (db: WeftDatabase, uid: string) => Promise<T>,
): T | undefined {
  const db = useStore({ subscribe: connection.subscribe, snapshot: () => connection.db });
  const latest = useObservable(
    () =>
      stateObservable<{ readonly uid: string; readonly value: T }>((next) =>
        followQuery(
          () => read(db, uid),
          (value) => next({ uid, value }),
          (error) => connection.recoverFrom(error),
        ),
      ),
    [db, uid, read],
  );
  return latest?.uid === uid ? latest.value : undefined;
}
