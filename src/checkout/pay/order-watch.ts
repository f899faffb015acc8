import type {
  CheckoutFailure,
  CheckoutRemote,
  OrderUpdate,
  OrderReference,
} from '../../remote/checkout.ts';
import { polledState, type PolledState } from '../poll-until-final.ts';

/**
 * What this tab knows of an order after the shopper has come back from paying.
 *
 * - `asking`   nothing yet
 * - `known`    the shop's answer
 * - `foreign`  the shop knows no such order of this shopper
 * - `sign-in`  the session has ended
 * - `offline`  the shop has not answered so far; the tab asks again
 */
export type OrderUpdateState =
  | { readonly kind: 'asking' | 'foreign' | 'sign-in' | 'offline' }
  | { readonly kind: 'known'; readonly update: OrderUpdate };

/** Repeats `ask` until it returns `final`. Returns a function that stops this. */
export type KeepAsking = (ask: (signal: AbortSignal) => Promise<'final' | 'open'>) => () => void;

/**
 * Asks the shop for the status of an order until that is final. Before the first answer the state is
 * `asking`.
 *
 * @param onUpdate is called with each answer of the shop
 */
export function watchOrder(
  remote: Pick<CheckoutRemote, 'orderStatus'>,
  reference: OrderReference,
  keepAsking: KeepAsking,
  onUpdate: (update: OrderUpdate) => void,
): PolledState<OrderUpdateState> {
  return polledState((next) => {
    let hasEmitted = false;
    return keepAsking(async (signal) => {
      const answer = await remote.orderStatus(reference);
      if (signal.aborted) return 'final';
      if (answer.ok) {
        const update = answer.value;
        onUpdate(update);
        hasEmitted = true;
        next({ kind: 'known', update });
        return isSettled(update) ? 'final' : 'open';
      }
      const { failure } = answer;
      if (failure.kind === 'sign-in') {
        next({ kind: 'sign-in' });
        return 'final';
      }
      if (isForeign(failure)) {
        next({ kind: 'foreign' });
        return 'final';
      }
      // The screen goes on showing an earlier answer.
      if (!hasEmitted) next({ kind: 'offline' });
      hasEmitted = true;
      return 'open';
    });
  });
}

/** Whether the server knows no such order of this shopper: it is another shopper's. */
export function isForeign(failure: CheckoutFailure): boolean {
  return failure.kind === 'rejected' && failure.code === 'order-unknown';
}

/** Whether the status is final. `review`, `confirming` and `unpaid` may still change. */
function isSettled({ status }: OrderUpdate): boolean {
  return status === 'paid' || status === 'failed' || status === 'cancelled' || status === 'expired';
}

/** Whether money for the order has arrived or may still arrive, so that the shopper should not pay again. */
export function hasMoney({ status }: OrderUpdate): boolean {
  return status === 'paid' || status === 'confirming' || status === 'review';
}
