/** Orders as the shop's staff read them. */
import { type Fields, fieldsOf, isoTime, parseEach, plainText } from './fields.ts';
import type { Minor } from './money.ts';
import { isMinor, type Order, ORDER_STATES, orderStateWords, parseOrder } from './order.ts';
import { textOrNull } from './product.ts';

/** An order in a list. */
export interface StaffOrder extends Order {
  /** Of the buyer; empty once it was erased, as all fields of the address then are. */
  readonly email: string;
  /** Why a person must look at it; null where nobody must. */
  readonly review: string | null;
}

/** Orders that were read, and when. */
export interface ReadOrders {
  readonly orders: readonly StaffOrder[];
  readonly hasMore: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** One order, with all that the shop knows of it. */
export interface WholeOrder extends StaffOrder {
  /** What each product costs now, by its id; null where it cannot be bought any more. */
  readonly today: Readonly<Record<string, Minor | null>>;
  /** `href`: where the provider shows a payment, and refunds it. */
  readonly payments: readonly {
    readonly id: string;
    readonly provider: string;
    readonly href: string;
  }[];
  /** `at` in ISO 8601. */
  readonly history: readonly { readonly at: string; readonly words: string }[];
}

const ERASED = {
  full_name: '',
  address_line1: '',
  city: '',
  state: '',
  postal_code: '',
  country: '',
};

/** Parses an order as the shop's functions answer it; null for anything else. */
export function parseStaffOrder(value: unknown): StaffOrder | null {
  const { items, address, email, review, ...row } = fieldsOf(value);
  if (!Array.isArray(items)) return null;
  const order_items = items.map((item, line) => ({ ...fieldsOf(item), line }));
  const order = parseOrder({ ...row, order_items, address: address ?? ERASED });
  return order && { ...order, email: plainText(email), review: textOrNull(review) };
}

export function parseWholeOrder(value: unknown): WholeOrder | null {
  const order = parseStaffOrder(value);
  const { today, payments, history } = fieldsOf(value);
  const paid = parseEach(payments, parsePayment);
  const events = parseEach(history, parseEvent);
  if (!order || !paid || !events) return null;
  const prices = Object.entries(fieldsOf(today));
  return {
    ...order,
    today: Object.fromEntries(prices.map(([id, minor]) => [id, isMinor(minor) ? minor : null])),
    payments: paid,
    history: events,
  };
}

function parsePayment(value: unknown) {
  const { id, provider, href } = fieldsOf(value);
  if (typeof href !== 'string' || !/^https?:\/\//.test(href)) return null;
  return { id: plainText(id), provider: provider === 'stripe' ? 'Stripe' : 'PayPal', href };
}

function parseEvent(value: unknown) {
  const { at, kind, detail, by } = fieldsOf(value);
  const time = isoTime(at);
  const who = textOrNull(by);
  const words = eventWords(plainText(kind), fieldsOf(detail));
  return time === null ? null : { at: time, words: who === null ? words : `${words} (${who})` };
}

/** The words for each kind of event but `moved`, which names the state. */
const EVENTS: Readonly<Record<string, string>> = {
  placed: 'Placed',
  review: 'Needs attention',
  'review-closed': 'Reviewed',
  refunded: 'Refunded',
  'refund-failed': 'A refund failed',
  disputed: 'Disputed',
  'attempt-failed': 'A payment didn’t start',
  sent: 'Sent',
  unsent: 'Marked as not sent',
};

/**
 * The words of an event. Its details by kind: a change of the state has `to`; `review` has `review`, which is null
 * when the reason to look is gone; `review-closed` has `note`; `attempt-failed` has `reason`; `sent` and `unsent` have
 * `carrier`.
 */
function eventWords(kind: string, { to, review, note, reason, carrier }: Fields): string {
  const state = ORDER_STATES.find((known) => known === to);
  if (state !== undefined) return orderStateWords(state);
  if (kind === 'review' && review === null) return 'No longer needs attention';
  const more = plainText(review ?? note ?? reason ?? carrier);
  return more === '' ? (EVENTS[kind] ?? kind) : `${EVENTS[kind] ?? kind}: ${more}`;
}
