/**
 * Orders: how a page asks for one, and the database's functions for them, which supabase/schemas/04_orders.sql
 * and its neighbours describe. A rejection by the database becomes the answer to the caller.
 */
import * as v from 'valibot';
import {
  parseAddress,
  type ShippingAddress,
  type StoredAddress,
} from '../../src/domain/address.ts';
import type { Fields } from '../../src/domain/fields.ts';
import type { Minor } from '../../src/domain/money.ts';
import {
  type AskedLine,
  isMinor,
  isOrderId,
  type OrderState,
  parseAskedLines,
} from '../../src/domain/order.ts';
import { nameOf } from '../../src/domain/product.ts';
import type { Caller } from './auth.ts';
import type { PaymentMode } from './env.ts';
import { HttpError, httpErrorOf, parseBody } from './http.ts';
import type { PaymentEvent, Provider, Reversal } from './provider.ts';

/**
 * Calls a function of the database with the server's rights: one transaction.
 *
 * @throws DatabaseUnavailable when the call may or may not have taken effect
 * @throws DatabaseRejection when it has not and never will
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
  readonly email: string;
  readonly state: OrderState;
  readonly total_minor: Minor;
  readonly currency: 'USD';
  readonly mode: PaymentMode;
  /** Read it only while the order can still be paid: the database erases it later (`erase_order`). */
  readonly address: StoredAddress;
  readonly items: readonly PlacedLine[];
}

/** An order as it is kept, for those who read it long after. */
export interface KeptOrder extends Omit<PlacedOrder, 'address'> {
  /** Null once it was erased. */
  readonly address: StoredAddress | null;
  readonly created_at: string;
  readonly paid_at: string | null;
  readonly sent_at: string | null;
  readonly received_minor: Minor;
  readonly refunded_minor: Minor;
}

/** The name of a line's product on a provider's page: title and size. */
export function lineName({ title, size }: PlacedLine, maxChars: number): string {
  // The cut may split a character of two code units.
  return nameOf({ title, size }).slice(0, maxChars).toWellFormed();
}

export interface PaymentAttempt {
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
  /** Idempotency key for creating at the provider; `capture_key` is the one for capturing. */
  readonly key: string;
  readonly capture_key: string;
  /** When the newest capture request began; null when there was none. */
  readonly capturing_since: string | null;
  /** The provider's id of its session or order; null until it is recorded. */
  readonly reference: string | null;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

export interface OrderRequest {
  readonly userId: string;
  readonly email: string;
  /** Null lets the database find an order with the same contents, or make one. */
  readonly orderId: string | null;
  readonly lines: readonly AskedLine[];
  readonly address: ShippingAddress;
  /** The total on the shopper's screen; null where the page did not send it. */
  readonly shownTotal: Minor | null;
  readonly mode: PaymentMode;
}

/** The order that a page asks to pay; the provider's keys decide the mode. */
export interface RequestedOrder extends Omit<OrderRequest, 'mode'> {
  /** Whether the shopper has read that a payment for these lines is under way, and pays again. */
  readonly again: boolean;
}

/** The fields that both payment methods send; `shippingAddress` has rules of its own. */
const REQUEST = v.object({
  userId: v.string('The request must say whose order it is.'),
  orderId: v.nullish(v.custom<string>(isOrderId, 'The order id must be a lower-case UUID.'), null),
  shownTotal: v.nullish(
    v.custom<number>(isMinor, 'The total shown must be a whole number of cents.'),
    null,
  ),
  again: v.optional(v.boolean('“again” must be true or false.'), false),
});

/**
 * @param items the cart's lines; the requests of the two payment methods name that field differently
 * @throws HttpError 400, or 403 when the request names another user
 */
export function readOrderRequest(fields: Fields, items: unknown, caller: Caller): RequestedOrder {
  const { userId, ...request } = parseBody(REQUEST, fields);
  if (userId !== caller.id) {
    throw new HttpError(403, 'This order belongs to another account. Log in again.', {
      code: 'other-user',
    });
  }
  const lines = parseAskedLines(items);
  if (lines === null) {
    throw new HttpError(400, 'An order can have 1 to 100 products, and 1 to 99 of each.', {
      code: 'items',
    });
  }
  const address = parseAddress(fields['shippingAddress']);
  if (!address.ok) {
    throw new HttpError(400, 'Check the shipping address.', {
      code: 'address',
      fields: address.problems,
    });
  }
  return { ...request, userId, email: caller.email, lines, address: address.address };
}

/** The new attempt; or an earlier one that blocks it, of this order or of another one of the shopper's. */
export type BegunAttempt =
  | { readonly attempt: PaymentAttempt; readonly blocked_by: null }
  | { readonly attempt: null; readonly blocked_by: PaymentAttempt; readonly of_order: PlacedOrder };

/**
 * `may_ask`: the server may ask the provider about the attempt now. `is_current`: the provider has nothing to
 * tell, because the attempt is over or has nothing there yet.
 */
export interface FoundOrder {
  readonly order: PlacedOrder;
  readonly attempt: PaymentAttempt | null;
  readonly may_ask: boolean;
  readonly is_current: boolean;
}

/** @throws HttpError where the database rejected the call with a sentence for the shopper */
export async function callOrders<T>(
  call: CallDatabase,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<T> {
  try {
    return (await call(name, args)) as T; // the shop's own functions, in its migrations
  } catch (thrown) {
    throw httpErrorOf(thrown) ?? thrown;
  }
}

/** The database's functions for orders. Those that depend on the time get it from `now`. */
export function ordersIn(call: CallDatabase, now: () => Date) {
  const ask = <T>(name: string, args: Readonly<Record<string, unknown>>) =>
    callOrders<T>(call, name, args);
  const p_now = () => now().toISOString();

  return {
    place: (request: OrderRequest) =>
      ask<PlacedOrder>('place_order', {
        p_user: request.userId,
        p_order: request.orderId,
        p_items: request.lines,
        p_address: request.address,
        p_email: request.email,
        p_shown_total_minor: request.shownTotal,
        p_mode: request.mode,
        p_now: p_now(),
      }),
    startAttempt: (userId: string, orderId: string, provider: Provider, again = false) =>
      ask<BegunAttempt>('start_attempt', {
        p_user: userId,
        p_order: orderId,
        p_provider: provider,
        p_now: p_now(),
        p_again: again,
      }),
    /** Null when the attempt is gone, as after its account was deleted. */
    recordReference: (
      { order_id, number }: PaymentAttempt,
      reference: string,
      payee: string | null = null,
    ) =>
      ask<PaymentAttempt | null>('record_reference', {
        p_order: order_id,
        p_number: number,
        p_reference: reference,
        p_payee: payee,
      }),
    failAttempt: ({ order_id, number }: PaymentAttempt, reason: string) =>
      ask<null>('fail_attempt', { p_order: order_id, p_number: number, p_reason: reason }),
    mayCapture: (userId: string, reference: string) =>
      ask<{ go: boolean; attempt: PaymentAttempt }>('may_capture', {
        p_user: userId,
        p_reference: reference,
        p_now: p_now(),
      }),
    /** @param requests whether only this capture request is over, or every one that began until `capturing_since` */
    releaseCapture: (
      { order_id, number, capturing_since }: PaymentAttempt,
      requests: 'this-request' | 'all-requests',
    ) =>
      ask<null>('release_capture', {
        p_order: order_id,
        p_number: number,
        p_since: requests === 'all-requests' ? capturing_since : null,
      }),
    /** Resolves to what came of it, such as `paid`; the database's function lists the words. */
    apply: (event: PaymentEvent) =>
      ask<string>('apply_payment', {
        p_provider: event.provider,
        p_event_id: event.eventId,
        p_reference: event.reference,
        p_outcome: event.outcome,
        p_amount_minor: event.amountMinor,
        p_currency: event.currency,
        p_mode: event.mode,
        p_capture_id: event.captureId,
        p_payee: event.payee ?? null,
        p_now: p_now(),
      }),
    applyReversal: (reversal: Reversal) =>
      ask<string>('apply_reversal', {
        p_provider: reversal.provider,
        p_kind: reversal.kind,
        p_reversal: reversal.id,
        p_payment: reversal.paymentId,
        p_state: reversal.state,
        p_amount_minor: reversal.amountMinor,
        p_currency: reversal.currency,
        p_mode: reversal.mode,
        p_said_at: reversal.saidAt.toISOString(),
      }),
    find: (userId: string, orderId: string | null, sessionId: string | null) =>
      ask<FoundOrder | null>('order_for', {
        p_user: userId,
        p_order: orderId,
        p_reference: sessionId,
        p_now: p_now(),
      }),
    attemptsToAsk: (limit: number) =>
      ask<readonly { attempt: PaymentAttempt; order: PlacedOrder }[]>('attempts_to_ask', {
        p_now: p_now(),
        p_limit: limit,
      }),
    expire: () => ask<number>('expire_orders', { p_now: p_now() }),
  };
}
