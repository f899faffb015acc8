import type { CheckoutRemote, OrderUpdate, OrderReference } from '../../remote/checkout.ts';
import { polledState, type PolledState } from '../polled-state.ts';

/**
 * What is known of an order that one came back from paying.
 *
 * - `asking`   nothing yet
 * - `known`    the shop's word
 * - `foreign`  the shop knows no such order of this shopper
 * - `sign-in`  the session is no longer good
 * - `offline`  the shop has not answered so far; it is asked again
 */
export type OrderUpdateState =
  | { readonly kind: 'asking' | 'foreign' | 'sign-in' | 'offline' }
  | { readonly kind: 'known'; readonly update: OrderUpdate };

/** Asks a question until its answer is final; returns what ends it. */
export type KeepAsking = (ask: (signal: AbortSignal) => Promise<'final' | 'open'>) => () => void;

/**
 * Asks the shop what became of an order until that is settled. Until its first answer `asking` holds.
 *
 * @param onUpdate hears each answer of the shop
 */
export function watchOrder(
  remote: Pick<CheckoutRemote, 'orderStatus'>,
  reference: OrderReference,
  keepAsking: KeepAsking,
  onUpdate: (update: OrderUpdate) => void,
): PolledState<OrderUpdateState> {
  return polledState((next) => {
    let hasTold = false;
    return keepAsking(async (signal) => {
      const answer = await remote.orderStatus(reference);
      if (signal.aborted) return 'final';
      if (answer.ok) {
        const update = answer.value;
        onUpdate(update);
        hasTold = true;
        next({ kind: 'known', update });
        return isSettled(update) ? 'final' : 'open';
      }
      const { failure } = answer;
      if (failure.kind === 'sign-in') {
        next({ kind: 'sign-in' });
        return 'final';
      }
      if (failure.kind === 'rejected' && failure.code === 'order-unknown') {
        next({ kind: 'foreign' });
        return 'final';
      }
      // What was heard before still holds.
      if (!hasTold) next({ kind: 'offline' });
      hasTold = true;
      return 'open';
    });
  });
}

/** A payment that is looked into by a person, or has not arrived, may still become another. */
function isSettled({ status }: OrderUpdate): boolean {
  return status === 'paid' || status === 'failed' || status === 'cancelled' || status === 'expired';
}

/** Whether there is money for an order, or may be soon: then nobody should pay it again. */
export function hasMoney({ status }: OrderUpdate): boolean {
  return status === 'paid' || status === 'confirming' || status === 'review';
}
