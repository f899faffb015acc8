/** The server's side of orders, over sessions of a real PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import { DatabaseRejection } from '../../netlify/lib/database.ts';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { ordersIn } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import type { Session } from './sessions.ts';

export type Orders = ReturnType<typeof ordersIn>;

/** A shopper begins ten payments a minute at most, so each round is a minute after the last. */
let skippedMs = 0;
export const skipMinute = () => (skippedMs += 61_000);

/** A function of the server: calls with the rights of `service_role`. */
export function ordersOf(session: Session): Orders {
  return ordersIn(
    async (name, args) => {
      const names = Object.keys(args).map((arg, i) => `${arg} => $${i + 1}`);
      const values = Object.values(args).map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      );
      try {
        const [row] = await session.query(
          `select public.${name}(${names.join(', ')}) as a`,
          values,
        );
        return row?.['a'];
      } catch (thrown) {
        const { code, message, detail } = thrown as {
          code: string;
          message: string;
          detail?: string;
        };
        throw new DatabaseRejection(code, message, detail ?? '');
      }
    },
    () => new Date(Date.now() + skippedMs),
  );
}

export const captured = (
  order: PlacedOrder,
  provider: 'stripe' | 'paypal',
  n: number,
): PaymentEvent => ({
  provider,
  eventId: `evt-${randomUUID()}`,
  reference: `${provider}-${order.id}`,
  orderId: order.id,
  outcome: 'captured',
  amountMinor: order.total_minor,
  currency: 'USD',
  mode: 'sandbox',
  captureId: `${provider}-${order.id}-${n}`,
});
