/** Asks the shop, again and again, what became of an order. */
import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { type Poll, poll } from '../browser/poll.ts';
import { backoffMs, type Timing } from '../domain/timing.ts';
import type {
  CheckoutFailure,
  CheckoutRemote,
  OrderReference,
  OrderUpdate,
} from '../remote/checkout.ts';

const PAUSES = { firstMs: 1000, mostMs: 60_000 };

/** `open`: asks again after a pause. `quiet`: asks again only after a wake-up. */
type Finality = 'final' | 'open' | 'quiet';

/** Asks at once and after growing pauses until an answer is final. A wake-up asks at once and resets the pauses. */
export function pollUntilFinal(
  ask: (signal: AbortSignal) => Promise<Finality>,
  timing: Timing,
): Poll {
  let requests = 0;
  return poll(async (signal, isWoken) => {
    requests = isWoken ? 1 : requests + 1;
    const finality = await ask(signal);
    if (finality === 'final') return null;
    if (finality === 'quiet') return Infinity;
    return backoffMs(requests, PAUSES, timing.random);
  }, timing);
}

/**
 * Polls until an answer is final. Returns a function that stops this.
 *
 * @param listen calls its listener at each wake-up: by default when the network or the shopper comes back to this page
 */
export function pollInPage(
  ask: (signal: AbortSignal) => Promise<Finality>,
  listen = onWakeUp,
): () => void {
  const { wake, stop } = pollUntilFinal(ask, pageTiming);
  const stopListening = listen(wake);
  return () => {
    stop();
    stopListening();
  };
}

/** A state for `useObservable`, kept up to date as long as a component subscribes. */
export interface StateObservable<T> {
  /** Calls `next` with each new state. Returns a function that stops this. */
  readonly subscribe: (next: (state: T) => void) => () => void;
  /** Without this method the hook would subscribe once more, only to see whether there is a value. */
  readonly hasValue: () => false;
}

export function stateObservable<T>(subscribe: StateObservable<T>['subscribe']): StateObservable<T> {
  return { subscribe, hasValue: () => false };
}

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

/** Repeats `ask`, as `pollInPage` does. Returns a function that stops this. */
type KeepAsking = (ask: (signal: AbortSignal) => Promise<Finality>) => () => void;

/**
 * Asks the shop for the status of an order until that is final. Before the first answer the state is
 * `asking`.
 *
 * @param onSettled is called with the order's id once the status is final
 */
export function watchOrder(
  remote: Pick<CheckoutRemote, 'orderStatus'>,
  reference: OrderReference,
  keepAsking: KeepAsking,
  onSettled: (orderId: string) => void,
): StateObservable<OrderUpdateState> {
  return stateObservable((next) => {
    let hasEmitted = false;
    return keepAsking(async (signal) => {
      const answer = await remote.orderStatus(reference);
      if (signal.aborted) return 'final';
      if (answer.ok) {
        const update = answer.value;
        hasEmitted = true;
        next({ kind: 'known', update });
        if (!isSettled(update)) return 'open';
        onSettled(update.orderId);
        return 'final';
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
      // An earlier answer stays on the screen.
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
