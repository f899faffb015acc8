import { connection } from '../../db/connection.ts';
import { keepOrders } from '../../db/orders.ts';
import type { BackendFailure } from '../../domain/failure.ts';
import type { Order } from '../../domain/order.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../../remote/config.ts';
import { ordersRemote } from '../../remote/orders.ts';
import type { TokenSource } from '../../remote/auth/token-source.ts';
import { pollInPage } from '../poll-until-final.ts';
import { polledState, type PolledState } from '../polled-state.ts';

/** How the last attempt to read the orders ended; null while the first is under way. */
export type RefreshState = 'fresh' | BackendFailure['kind'] | null;

/**
 * Updates the orders on this device from the shop as long as a screen subscribes.
 *
 * @param isAwaited while no order passes this test, the page asks only when the network or the shopper
 *   comes back
 */
export function refreshOrders(
  uid: string,
  tokens: TokenSource,
  isAwaited?: (order: Order) => boolean,
): PolledState<RefreshState> {
  const remote = ordersRemote({ url: BACKEND_URL, key: PUBLISHABLE_KEY }, tokens);
  return polledState((next) =>
    pollInPage(async (signal) => {
      const answer = await remote.read(uid, signal);
      if (signal.aborted) return 'final';
      if (answer.ok) {
        await keepOrders(connection.db, uid, answer.value).catch((error: unknown) =>
          connection.recoverFrom(error),
        );
      }
      next(answer.ok ? 'fresh' : answer.failure.kind);
      return answer.ok && isAwaited && !answer.value.some(isAwaited) ? 'quiet' : 'open';
    }),
  );
}
