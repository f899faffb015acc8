/** The shop's functions for orders, over sessions of a PostgreSQL server. */
import { randomUUID } from 'node:crypto';
import { ordersIn, type PlacedOrder } from '../../netlify/lib/orders.ts';
import type { PaymentEvent, Reversal } from '../../netlify/lib/provider.ts';
import { callIn } from '../supabase/buyer.ts';
import { asTexts, type Session } from './sessions.ts';

/** The calls with which orders are placed and paid. */
export type Orders = ReturnType<typeof ordersIn>;

/** The shop's functions for orders, over a session with the rights of `service_role`. */
export function ordersOf(session: Session): Orders {
  const query = (sql: string, params: readonly unknown[] = []) =>
    session.query(sql, asTexts(params));
  return ordersIn(callIn({ query }), () => new Date());
}

/** The event of a captured payment for an order. @param attempt the number of the payment attempt */
export const captured = (
  order: PlacedOrder,
  provider: 'stripe' | 'paypal',
  attempt: number,
): PaymentEvent => ({
  provider,
  eventId: `evt-${randomUUID()}`,
  reference: `${provider}-${order.id}`,
  outcome: 'captured',
  amountMinor: order.total_minor,
  currency: 'USD',
  mode: 'sandbox',
  captureId: `${provider}-${order.id}-${attempt}`,
});

/** A refund of $1.00 of a card payment. @param fields replace fields of the refund */
export const reversalOf = (payment: PaymentEvent, fields: Partial<Reversal> = {}): Reversal => ({
  provider: 'stripe',
  kind: 'refund',
  id: `re-${payment.reference}`,
  paymentId: payment.captureId ?? '',
  state: 'done',
  amountMinor: 100,
  currency: 'USD',
  mode: 'sandbox',
  saidAt: new Date(),
  ...fields,
});
