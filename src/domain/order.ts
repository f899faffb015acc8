/**
 * Orders, for the page and the functions. Amounts are whole cents (`Minor`).
 *
 * `pending` waits for payment; `confirming` has a payment that the provider still processes.
 * `needs_review` and `paid_late` hold money that the shop's staff must look at.
 */
import type { StoredAddress } from './address.ts';
import { MAX_LINE_QUANTITY } from './cart.ts';
import { fieldsOf, isoTime, isUuid, parseEach } from './fields.ts';
import type { Minor } from './money.ts';
import { type MoneyBack, parseMoneyBack } from './money-back.ts';
import { parseSent, type Sent } from './sent.ts';
import { loadablePicture, textOrNull } from './product.ts';

export const ORDER_STATES = [
  'pending',
  'confirming',
  'paid',
  'needs_review',
  'paid_late',
  'cancelled',
  'expired',
  'failed',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The statuses that `order-status` answers. `unpaid`: no payment is under way, and the shopper may still pay. */
export const PAYMENT_STATUSES = [
  'paid',
  'confirming',
  'unpaid',
  'failed',
  'cancelled',
  'expired',
  'review',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export interface OrderLine {
  readonly productId: number;
  readonly skc: string;
  readonly size: string;
  readonly title: string;
  readonly material: string | null;
  readonly picture: string | null;
  readonly unitMinor: Minor;
  readonly quantity: number;
}

/** An order as its shopper may see it. */
export interface Order extends MoneyBack, Sent {
  readonly id: string;
  readonly state: OrderState;
  readonly totalMinor: Minor;
  /** `sandbox`: paid with test money. */
  readonly mode: 'live' | 'sandbox';
  readonly address: StoredAddress;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly paidAt: string | null;
  readonly lines: readonly OrderLine[];
}

/** A line in a request for an order. */
export interface AskedLine {
  readonly product_id: number;
  readonly quantity: number;
  /** The price that the page showed; absent if it showed no price. */
  readonly unit_minor?: Minor;
}

export const MAX_ORDER_LINES = 100;

/** The columns in a request to PostgREST; `parseOrder` reads the answer. */
export const ORDER_SELECT =
  'id,state,total_minor,mode,address,created_at,paid_at,' +
  'received_minor,refunded_minor,disputed_minor,dispute_state,sent_at,carrier,tracking_url,' +
  'order_items(product_id,skc,size,title,material,picture,unit_minor,quantity,line)';

/** Whether this is an order id as the database and the page's `crypto.randomUUID()` write it. */
export function isOrderId(value: unknown): value is string {
  return isUuid(value);
}

/**
 * Parses the lines of a request: cart items, of which only product, quantity and shown price count.
 * Null for a product, quantity or number of lines that the shop's own page never sends.
 */
export function parseAskedLines(value: unknown): readonly AskedLine[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ORDER_LINES) return null;
  return parseEach(value, parseAskedLine);
}

function parseAskedLine(value: unknown): AskedLine | null {
  const { product_id, quantity, unit_minor } = fieldsOf(value);
  if (!isWhole(product_id, 1, Number.MAX_SAFE_INTEGER)) return null;
  if (!isWhole(quantity, 1, MAX_LINE_QUANTITY)) return null;
  return { product_id, quantity, ...(isMinor(unit_minor) ? { unit_minor } : {}) };
}

/** Whether an order is closed without any money received for it. */
export function wasNeverPaid({ state, receivedMinor }: Order): boolean {
  return (
    receivedMinor === 0 && (state === 'cancelled' || state === 'expired' || state === 'failed')
  );
}

/** Parses a row of `ORDER_SELECT`; null for anything else. */
export function parseOrder(value: unknown): Order | null {
  const row = fieldsOf(value);
  const { id, total_minor, mode, created_at, paid_at, order_items } = row;
  const state = ORDER_STATES.find((known) => known === row['state']);
  const address = readAddress(row['address']);
  if (!isOrderId(id) || state === undefined || !isMinor(total_minor) || !address) return null;
  const createdAt = isoTime(created_at);
  if ((mode !== 'live' && mode !== 'sandbox') || createdAt === null) return null;
  if (!Array.isArray(order_items)) return null;
  const items = order_items.map(fieldsOf);
  items.sort((a, b) => Number(a['line']) - Number(b['line']));
  const lines = parseEach(items, parseLine);
  if (!lines) return null;
  return {
    id,
    state,
    totalMinor: total_minor,
    mode,
    address,
    createdAt,
    paidAt: isoTime(paid_at),
    lines,
    ...parseMoneyBack(row),
    ...parseSent(row),
  };
}

function parseLine(value: unknown): OrderLine | null {
  const { product_id, skc, size, title, material, picture, unit_minor, quantity } = fieldsOf(value);
  if (typeof product_id !== 'number' || typeof skc !== 'string' || typeof size !== 'string') {
    return null;
  }
  if (typeof title !== 'string' || !isMinor(unit_minor)) return null;
  if (!isWhole(quantity, 0, Number.MAX_SAFE_INTEGER)) return null;
  return {
    productId: product_id,
    skc,
    size,
    title,
    material: textOrNull(material),
    picture: loadablePicture(typeof picture === 'string' ? picture : null),
    unitMinor: unit_minor,
    quantity,
  };
}

/** Reads a stored address without today's rules: an older address may break them. */
function readAddress(value: unknown): StoredAddress | null {
  const { full_name, address_line1, city, state, postal_code, country } = fieldsOf(value);
  if (typeof country !== 'string') return null;
  return {
    full_name: String(full_name),
    address_line1: String(address_line1),
    city: String(city),
    state: String(state),
    postal_code: String(postal_code),
    country,
  };
}

/** The shopper's word for the state of an order. */
export function orderStateWords(state: OrderState): string {
  switch (state) {
    case 'pending':
      return 'Waiting for payment';
    case 'confirming':
      return 'Payment being confirmed';
    case 'paid':
      return 'Paid';
    case 'needs_review':
    case 'paid_late':
      return 'Payment received: we’re looking into it';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return 'Not paid in time';
    case 'failed':
      return 'Payment failed';
  }
}

export function isMinor(value: unknown): value is Minor {
  return isWhole(value, 0, Number.MAX_SAFE_INTEGER);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}
