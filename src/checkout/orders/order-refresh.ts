import type { Answer, BackendFailure } from '../../domain/failure.ts';
import type { Order } from '../../domain/order.ts';
import { type Finality, polledState, type PolledState } from '../poll-until-final.ts';

/** How the last attempt to read the orders ended; null while the first is under way. */
export type RefreshState = 'fresh' | BackendFailure['kind'] | null;

/**
 * Reads the shopper's orders from the shop, and stores them on this device.
 *
 * @param store returns false if the device could not store the orders; they are then read and stored again
 * @param isAwaited as in `useOrderRefresh`
 */
export function refreshOrders(
  read: (signal: AbortSignal) => Promise<Answer<readonly Order[]>>,
  store: (orders: readonly Order[]) => Promise<boolean>,
  keepAsking: (ask: (signal: AbortSignal) => Promise<Finality>) => () => void,
  isAwaited?: (order: Order) => boolean,
): PolledState<RefreshState> {
  return polledState((next) =>
    keepAsking(async (signal) => {
      const answer = await read(signal);
      if (signal.aborted) return 'final';
      const isStored = answer.ok && (await store(answer.value));
      next(answer.ok ? 'fresh' : answer.failure.kind);
      return answer.ok && isStored && isAwaited && !answer.value.some(isAwaited) ? 'quiet' : 'open';
    }),
  );
}
