/** Begins and captures payments, and asks for their status. Failures are values. */
import type { AddressProblems, StoredAddress } from '../domain/address.ts';
import type { Answer, BackendFailure, Rejection } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import type { Minor } from '../domain/money.ts';
import {
  type AskedLine,
  isMinor,
  isOrderId,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../domain/order.ts';
import type { TokenSource } from './auth/token-source.ts';
import { callFunction } from './request.ts';

/** The order that a shopper wants to pay, as the screen showed it. */
export interface PayRequest {
  /** Made on this phone. A second request with the same id means the same order. */
  readonly orderId: string;
  readonly lines: readonly AskedLine[];
  readonly address: StoredAddress;
  readonly shownTotal: Minor;
  /** Whether the shopper has read that a payment for these lines is under way, and still wants to pay. */
  readonly again: boolean;
}

/** A price that differs from the one on the screen. */
export interface ChangedPrice {
  readonly productId: number;
  readonly unitMinor: Minor;
}

export interface UnavailableLine {
  readonly productId: number;
  readonly reason: 'gone' | 'no-price';
}

/**
 * Why a payment failed. After `offline` it may have succeeded all the same.
 *
 * - `total`      the shop's total differs from the one on the screen
 * - `lines`      the shop cannot sell these products
 * - `address`    the shop rejects a field of the address
 * - `being-paid` there is an earlier payment for these lines, so the page must ask the shopper first
 * - `order-paid`, `payment-under-way` the payment for this very order has arrived, or may still arrive
 */
export type CheckoutFailure =
  | BackendFailure
  | { readonly kind: 'total'; readonly total: Minor; readonly prices: readonly ChangedPrice[] }
  | { readonly kind: 'lines'; readonly lines: readonly UnavailableLine[] }
  | { readonly kind: 'address'; readonly problems: AddressProblems }
  | ({ readonly kind: 'being-paid' } & EarlierPayment)
  | { readonly kind: 'order-paid' | 'payment-under-way'; readonly message: string | null };

/** An earlier payment for the same lines. */
export interface EarlierPayment {
  readonly orderId: string;
  /** When the earlier order was placed, ISO 8601; null when the shop does not say. */
  readonly placedAt: string | null;
  /** The shop's sentence about the earlier payment. */
  readonly message: string | null;
}

export type CheckoutAnswer<T> = Answer<T, CheckoutFailure>;

/** Identifies an order by its own id, or by that of the payment page from which the shopper comes back. */
export interface OrderReference {
  readonly kind: 'order' | 'session';
  readonly id: string;
}

export interface OrderUpdate {
  readonly status: PaymentStatus;
  readonly orderId: string;
  /** How the order was or is being paid; null where the shop does not say. */
  readonly paidBy: 'card' | 'paypal' | null;
  /** False where the payment provider may know more than the shop. */
  readonly isCurrent: boolean;
}

export interface PayPalCapture {
  /** PayPal's word for the payment, such as COMPLETED or PENDING. */
  readonly status: string;
  /** The shop's order; null when the shop does not say. */
  readonly orderId: string | null;
}

export interface CheckoutRemote {
  /** Answers with the address of Stripe's payment page. */
  readonly createSession: (
    request: PayRequest,
  ) => Promise<CheckoutAnswer<{ readonly url: string }>>;
  /** Answers with PayPal's id of the order. */
  readonly createPayPalOrder: (
    request: PayRequest,
  ) => Promise<CheckoutAnswer<{ readonly payPalId: string }>>;
  readonly capturePayPalOrder: (payPalId: string) => Promise<CheckoutAnswer<PayPalCapture>>;
  readonly orderStatus: (reference: OrderReference) => Promise<CheckoutAnswer<OrderUpdate>>;
}

/**
 * Half of the time that a function has. The shopper may then press again: the request names the same order, so
 * nothing is ordered twice.
 */
const TIMEOUT_MS = 30_000;

export function checkoutRemote(tokens: TokenSource, uid: string): CheckoutRemote {
  async function call<T>(
    name: string,
    body: object | undefined,
    parse: (fields: Fields) => T | null,
  ): Promise<CheckoutAnswer<T>> {
    const given = { name, ...(body && { body }), timeoutMs: TIMEOUT_MS, parse };
    const answer = await callFunction(tokens, uid, given);
    if (answer.ok || answer.failure.kind !== 'rejected') return answer;
    return { ok: false, failure: checkoutFailure(answer.failure) };
  }

  /** The fields of a request without its lines: the two functions name the lines differently. */
  function fieldsFor({ address, orderId, shownTotal, again }: Omit<PayRequest, 'lines'>) {
    const fields = { shippingAddress: address, userId: uid, orderId, shownTotal };
    return again ? { ...fields, again } : fields;
  }

  return {
    createSession: ({ lines, ...request }) =>
      call('create-checkout-session', { items: lines, ...fieldsFor(request) }, ({ url }) =>
        typeof url === 'string' ? { url } : null,
      ),
    createPayPalOrder: ({ lines, ...request }) =>
      call(
        'create-paypal-order',
        { cartItems: lines, ...fieldsFor(request) },
        ({ orderId: payPalId }) => (typeof payPalId === 'string' ? { payPalId } : null),
      ),
    capturePayPalOrder: (payPalId) =>
      call('capture-paypal-order', { orderId: payPalId }, ({ status, storeOrderId: id }) =>
        typeof status === 'string' ? { status, orderId: isOrderId(id) ? id : null } : null,
      ),
    orderStatus: ({ kind, id }) => {
      const name = kind === 'order' ? 'order' : 'session_id';
      const query = new URLSearchParams({ [name]: id }).toString();
      return call(`order-status?${query}`, undefined, parseOrderUpdate);
    },
  };
}

/** Turns a rejection that tells what to do into a failure of its own kind. */
function checkoutFailure(rejection: Rejection): CheckoutFailure {
  const { code, message, fields = {} } = rejection;
  const { total, lines, order, placedAt } = fields;
  if (code === 'total-differs' && isMinor(total)) {
    return { kind: 'total', total, prices: Array.isArray(lines) ? lines.flatMap(priceOf) : [] };
  }
  if (code === 'product-unavailable' && Array.isArray(lines)) {
    return { kind: 'lines', lines: lines.flatMap(unavailableOf) };
  }
  if (code === 'address') return { kind: 'address', problems: problemsOf(fields['fields']) };
  if (code === 'being-paid' && isOrderId(order)) {
    const isDated = typeof placedAt === 'string' && !Number.isNaN(Date.parse(placedAt));
    return { kind: 'being-paid', orderId: order, placedAt: isDated ? placedAt : null, message };
  }
  if (code === 'order-paid' || code === 'payment-under-way') return { kind: code, message };
  return rejection;
}

function priceOf(line: unknown): ChangedPrice[] {
  const { product_id: productId, unit_minor: unitMinor } = fieldsOf(line);
  return typeof productId === 'number' && isMinor(unitMinor) ? [{ productId, unitMinor }] : [];
}

function unavailableOf(line: unknown): UnavailableLine[] {
  const { product_id: productId, reason } = fieldsOf(line);
  if (typeof productId !== 'number') return [];
  return [{ productId, reason: reason === 'no-price' ? 'no-price' : 'gone' }];
}

function problemsOf(problems: unknown): AddressProblems {
  const texts = Object.entries(fieldsOf(problems)).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(texts);
}

function parseOrderUpdate(fields: Fields): OrderUpdate | null {
  const status = PAYMENT_STATUSES.find((known) => known === fields['status']);
  const { orderId, provider } = fields;
  if (status === undefined || !isOrderId(orderId)) return null;
  const paidBy = provider === 'stripe' ? 'card' : provider === 'paypal' ? provider : null;
  return { status, orderId, paidBy, isCurrent: fields['isCurrent'] === true };
}
