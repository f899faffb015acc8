import { connection } from '../db/connection.ts';
import { keepOrders } from '../db/orders.ts';
import type { Order } from '../domain/order.ts';
import type { ShopperAnswer } from '../remote/shopper.ts';
import { askInPage } from './ask-in-page.ts';
import { asked, type Asked } from './asked.ts';

/** How the last attempt to read the orders ended; null while the first is under way. */
export type RefreshState = 'fresh' | 'offline' | 'sign-in' | 'failed' | null;

type Read = (uid: string, signal: AbortSignal) => Promise<ShopperAnswer<readonly Order[]>>;

/** Keeps the orders on this device those of the shop, as long as somebody looks. */
export function refreshOrders(uid: string, read: Read): Asked<RefreshState> {
  return asked((tell) =>
    askInPage(async (signal) => {
      const answer = await read(uid, signal);
      if (signal.aborted) return 'final';
      if (answer.ok) {
        await keepOrders(connection.db, uid, answer.value).catch((error: unknown) =>
          connection.recoverFrom(error),
        );
      }
      tell(answer.ok ? 'fresh' : answer.reason);
      return 'open';
    }),
  );
}
