/**
 * Paying, and asking what became of it: the shop's functions, on the page's own origin, with the
 * shopper's own token. Failures are values.
 */
import type { AddressProblems, ShippingAddress } from '../domain/address.ts';
import type { Minor } from '../domain/money.ts';
import { type AskedLine, isMinor, isOrderId, type PaymentStatus } from '../domain/order.ts';
import { askWithToken } from './ask-with-token.ts';
import type { TokenSource } from './auth/token-source.ts';

/** What a shopper wants to pay, as it was on the screen. */
export interface PayRequest {
  /** Made on this phone; naming it again means the same order. */
  readonly orderId: string;
  readonly lines: readonly AskedLine[];
  readonly address: ShippingAddress;
  readonly shownTotal: Minor;
  /** The shopper was told that these lines are being paid already, and pays them again. */
  readonly again: boolean;
}

/** A price that is another one than was shown. */
export interface ChangedPrice {
  readonly productId: number;
  readonly unitMinor: Minor;
}

export interface UnavailableLine {
  readonly productId: number;
  readonly reason: 'gone' | 'no-price';
}

/**
 * Why it did not happen, or may not have.
 *
 * - `offline`  no answer came, or none of ours: it may have happened all the same
 * - `sign-in`  the auth service has ended the session
 * - `total`    the shop's total is another than the one shown
 * - `lines`    these products cannot be ordered
 * - `address`  something in the address needs another look
 * - `being-paid` a payment for these lines was made before, and the shopper must be asked first
 * - `refused`  anything else, for this reason; `message` is the shop's sentence
 */
export type CheckoutFailure =
  | { readonly kind: 'offline' | 'sign-in' }
  | { readonly kind: 'total'; readonly total: Minor; readonly prices: readonly ChangedPrice[] }
  | { readonly kind: 'lines'; readonly lines: readonly UnavailableLine[] }
  | { readonly kind: 'address'; readonly problems: AddressProblems }
  | ({ readonly kind: 'being-paid' } & EarlierPayment)
  | { readonly kind: 'refused'; readonly code: string | null; readonly message: string | null };

/** A payment for the same lines that was made before. */
export interface EarlierPayment {
  readonly orderId: string;
  /** When its order was placed, ISO 8601; null when the shop does not say. */
  readonly placedAt: string | null;
  /** The shop's sentence about it. */
  readonly message: string | null;
}

export type CheckoutAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CheckoutFailure };

/** How an order is named: by its own id, or by the id of the payment page that one comes back from. */
export interface OrderReference {
  readonly kind: 'order' | 'session';
  readonly id: string;
}

export interface OrderUpdate {
  readonly status: PaymentStatus;
  readonly orderId: string;
}

export interface CheckoutRemote {
  /** Where Stripe takes the card. */
  readonly createSession: (
    request: PayRequest,
  ) => Promise<CheckoutAnswer<{ readonly url: string }>>;
  /** PayPal's id of the order. */
  readonly createPayPalOrder: (
    request: PayRequest,
  ) => Promise<CheckoutAnswer<{ readonly payPalId: string }>>;
  /** PayPal's word for what became of the payment, such as COMPLETED or PENDING. */
  readonly capturePayPalOrder: (
    payPalId: string,
  ) => Promise<CheckoutAnswer<{ readonly status: string }>>;
  readonly orderStatus: (reference: OrderReference) => Promise<CheckoutAnswer<OrderUpdate>>;
}

/** Functions have 60 s, and a shopper who waits this long presses again: it is the same order then. */
const TIMEOUT_MS = 30_000;

export function checkoutRemote(tokens: TokenSource, uid: string): CheckoutRemote {
  async function call<T>(
    path: string,
    body: object | null,
    parse: (fields: Fields) => T | null,
  ): Promise<CheckoutAnswer<T>> {
    const answer = await askWithToken(
      tokens,
      uid,
      (token) => ask(path, body, token, parse),
      (given) => !given.ok && given.failure === TOKEN_REFUSED,
    );
    return 'reason' in answer ? { ok: false, failure: { kind: answer.reason } } : answer;
  }

  /** Of a request to pay, beside its lines, which the two ways to pay name differently. */
  function fieldsFor({ address, orderId, shownTotal, again }: Omit<PayRequest, 'lines'>) {
    const named = { shippingAddress: address, userId: uid, orderId, shownTotal };
    return again ? { ...named, again } : named;
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
      call('capture-paypal-order', { orderId: payPalId }, ({ status }) =>
        typeof status === 'string' ? { status } : null,
      ),
    orderStatus: ({ kind, id }) => {
      const name = kind === 'order' ? 'order' : 'session_id';
      const query = new URLSearchParams({ [name]: id }).toString();
      return call(`order-status?${query}`, null, parseOrderUpdate);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Without words: it is the answer only where a token that has just been renewed was refused. */
const TOKEN_REFUSED: CheckoutFailure = { kind: 'refused', code: null, message: null };

async function ask<T>(
  path: string,
  body: object | null,
  token: string,
  parse: (fields: Fields) => T | null,
): Promise<CheckoutAnswer<T>> {
  try {
    const response = await fetch(`/.netlify/functions/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const fields = await fieldsIn(response);
    const value = fields && response.ok ? parse(fields) : null;
    if (value !== null) return { ok: true, value };
    return { ok: false, failure: failureOf(response, fields) };
  } catch {
    // No network, cut off, given up, or JSON that broke off.
    return { ok: false, failure: { kind: 'offline' } };
  }
}

/** The answer's object; null for what is not the shop's own, such as a captive portal's page. */
async function fieldsIn(response: Response): Promise<Fields | null> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    await response.body?.cancel();
    return null;
  }
  return fieldsOf(await response.json());
}

function failureOf({ status, ok }: Response, fields: Fields | null): CheckoutFailure {
  if (!fields || ok) return { kind: 'offline' };
  if (status === 401) return TOKEN_REFUSED;
  const { error, code, total, lines } = fields;
  if (code === 'total-differs' && isMinor(total)) {
    return { kind: 'total', total, prices: Array.isArray(lines) ? lines.flatMap(priceOf) : [] };
  }
  if (code === 'product-unavailable' && Array.isArray(lines)) {
    return { kind: 'lines', lines: lines.flatMap(unavailableOf) };
  }
  if (code === 'address') return { kind: 'address', problems: problemsOf(fields['fields']) };
  const { order, placedAt } = fields;
  const message = typeof error === 'string' && error !== '' ? error : null;
  if (code === 'being-paid' && isOrderId(order)) {
    const isDated = typeof placedAt === 'string' && !Number.isNaN(Date.parse(placedAt));
    return { kind: 'being-paid', orderId: order, placedAt: isDated ? placedAt : null, message };
  }
  return {
    kind: 'refused',
    code: typeof code === 'string' ? code : null,
    message,
  };
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

const STATUSES: readonly PaymentStatus[] = [
  'paid',
  'confirming',
  'unpaid',
  'failed',
  'cancelled',
  'expired',
  'review',
];

function parseOrderUpdate(fields: Fields): OrderUpdate | null {
  const status = STATUSES.find((known) => known === fields['status']);
  const { orderId } = fields;
  return status !== undefined && isOrderId(orderId) ? { status, orderId } : null;
}

function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}
