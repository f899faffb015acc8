/** The server's side of orders, over sessions of a real PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { ordersIn } from '../../netlify/lib/orders.ts';
import type { PaymentEvent } from '../../netlify/lib/provider.ts';
import { callIn } from '../supabase/buyer.ts';
import { asTexts, type Session } from './sessions.ts';

export type Orders = ReturnType<typeof ordersIn>;

/** A shopper begins ten payments a minute at most, so each round is a minute after the last. */
let skippedMs = 0;
export const skipMinute = () => (skippedMs += 61_000);

/** Orders as the server's functions make them, in a session with the rights of `service_role`. */
export function ordersOf(session: Session): Orders {
  const query = (sql: string, params: readonly unknown[] = []) =>
    session.query(sql, asTexts(params));
  return ordersIn(callIn({ query }), () => new Date(Date.now() + skippedMs));
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
