/**
 * Orders in the database, one call each: supabase/migrations/*_orders.sql and its neighbours say
 * what they do. What the database rejects becomes the answer to the caller.
 */
import type { ShippingAddress } from '../../src/domain/address.ts';
import type { Minor } from '../../src/domain/money.ts';
import { type AskedLine, isOrderId, type OrderState } from '../../src/domain/order.ts';
import { DatabaseRejection } from './database.ts';
import type { PaymentMode } from './env.ts';
import { HttpError } from './http.ts';
import type { PaymentEvent, Provider } from './provider.ts';

/**
 * Calls a function of the database with the server's rights: one transaction.
 *
 * @throws DatabaseUnavailable when it is not known whether it happened
 * @throws DatabaseRejection when it did not happen and will not
 */
export type CallDatabase = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

export interface PlacedLine {
  readonly product_id: number;
  readonly skc: string;
  readonly size: string;
  readonly title: string;
  readonly unit_minor: Minor;
  readonly quantity: number;
}

export interface PlacedOrder {
  readonly id: string;
  /** Null when the account was deleted. */
  readonly user_id: string | null;
  readonly email: string;
  readonly state: OrderState;
  readonly total_minor: Minor;
  readonly currency: 'USD';
  readonly mode: PaymentMode;
  readonly address: ShippingAddress;
  readonly items: readonly PlacedLine[];
}

export interface Attempt {
  readonly order_id: string;
  readonly number: number;
  readonly provider: Provider;
  readonly state:
    | 'creating'
    | 'open'
    | 'capturing'
    | 'processing'
    | 'captured'
    | 'failed'
    | 'expired'
    | 'void';
  /** Idempotency key for the provider; `capture_key` is the one for capturing. */
  readonly key: string;
  readonly capture_key: string;
  /** When the newest request for the money began; null when there was none. */
  readonly capturing_since: string | null;
  readonly reference: string | null;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

export interface OrderRequest {
  readonly userId: string;
  readonly email: string;
  /** Null: find the one with the same contents, or make one. */
  readonly orderId: string | null;
  readonly lines: readonly AskedLine[];
  readonly address: ShippingAddress;
  readonly shownTotal: Minor | null;
  readonly mode: PaymentMode;
  /** Whether the shopper was told that these lines are being paid already, and pays them again. */
  readonly again: boolean;
}

/** An attempt to pay by; or one that is in the way, maybe of another order for the same lines. */
export type BegunAttempt =
  | { readonly attempt: Attempt; readonly blocked_by: null }
  | { readonly attempt: null; readonly blocked_by: Attempt; readonly of_order: PlacedOrder };

/** `result` is the verdict of `apply_payment`; `order` is null when it is none of ours. */
export interface Applied {
  readonly result: string;
  readonly order: PlacedOrder | null;
}

/** The results are what those functions of ours build, so their types are taken on trust. */
export function ordersIn(call: CallDatabase, now: () => Date) {
  async function ask<T>(name: string, args: Readonly<Record<string, unknown>>): Promise<T> {
    try {
      return (await call(name, args)) as T;
    } catch (thrown) {
      throw httpErrorOf(thrown) ?? thrown;
    }
  }
  const p_now = () => now().toISOString();

  return {
    place: (wanted: OrderRequest) =>
      ask<PlacedOrder>('place_order', {
        p_user: wanted.userId,
        p_order: wanted.orderId,
        p_items: wanted.lines,
        p_address: wanted.address,
        p_email: wanted.email,
        p_shown_total_minor: wanted.shownTotal,
        p_mode: wanted.mode,
        p_now: p_now(),
        p_again: wanted.again,
      }),
    startAttempt: (userId: string, orderId: string, provider: Provider, again = false) =>
      ask<BegunAttempt>('start_attempt', {
        p_user: userId,
        p_order: orderId,
        p_provider: provider,
        p_now: p_now(),
        p_again: again,
      }),
    recordReference: ({ order_id, number }: Attempt, reference: string) =>
      ask<Attempt>('record_reference', {
        p_order: order_id,
        p_number: number,
        p_reference: reference,
      }),
    failAttempt: ({ order_id, number }: Attempt, reason: string) =>
      ask<null>('fail_attempt', { p_order: order_id, p_number: number, p_reason: reason }),
    mayCapture: (userId: string, reference: string) =>
      ask<{ go: boolean; attempt: Attempt }>('may_capture', {
        p_user: userId,
        p_reference: reference,
        p_now: p_now(),
      }),
    releaseCapture: ({ order_id, number, capturing_since }: Attempt, all: boolean) =>
      ask<null>('release_capture', {
        p_order: order_id,
        p_number: number,
        p_since: all ? capturing_since : null,
      }),
    apply: (event: PaymentEvent) =>
      ask<Applied>('apply_payment', {
        p_provider: event.provider,
        p_event_id: event.eventId,
        p_reference: event.reference,
        p_order: event.orderId,
        p_outcome: event.outcome,
        p_amount_minor: event.amountMinor,
        p_currency: event.currency,
        p_mode: event.mode,
        p_capture_id: event.captureId,
        p_now: p_now(),
      }),
    find: (userId: string, orderId: string | null, sessionId: string | null) =>
      ask<{ order: PlacedOrder; attempt: Attempt | null; may_ask: boolean } | null>('order_for', {
        p_user: userId,
        p_order: orderId,
        p_reference: sessionId,
        p_now: p_now(),
      }),
    toAsk: (limit: number) =>
      ask<readonly { attempt: Attempt; order: PlacedOrder }[]>('attempts_to_ask', {
        p_now: p_now(),
        p_limit: limit,
      }),
    expire: () => ask<number>('expire_orders', { p_now: p_now() }),
  };
}

/** HTTP status of what `refuse` says; 409 for the others. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  'order-unknown': 404,
  'too-many-orders': 429,
};

/** Raised by our own functions, in words for the shopper. */
const RAISED = 'P0001';

function httpErrorOf(thrown: unknown): HttpError | null {
  if (!(thrown instanceof DatabaseRejection) || thrown.code !== RAISED) return null;
  const more = JSON.parse(thrown.details) as { readonly code: string };
  return new HttpError(STATUS_BY_CODE[more.code] ?? 409, thrown.message, more);
}

/** An order id from outside: metadata may hold anything. */
export function orderIdOrNull(value: unknown): string | null {
  return isOrderId(value) ? value : null;
}
