/** Writes the shop's orders in PayPal's form, and reads payments, refunds and disputes from its answers. */
import { type Fields, fieldsOf, plainText } from '../../src/domain/fields.ts';
import type { Minor } from '../../src/domain/money.ts';
import type { PaymentMode } from './env.ts';
import { lineName, type PlacedOrder } from './orders.ts';
import type { PaymentEvent, Reversal } from './provider.ts';

/** Longest name and stock code of an item. Source: PayPal's API specification, `item`. */
const MAX_TEXT_CHARS = 127;

/** The body of `POST /v2/checkout/orders`. */
export function orderBody(order: PlacedOrder, siteUrl: string) {
  const { address, currency } = order;
  const money = (minor: Minor) => ({ currency_code: currency, value: (minor / 100).toFixed(2) });
  const total = money(order.total_minor);
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: order.id,
        // PayPal rejects a second payment with the same invoice id.
        invoice_id: order.id,
        amount: { ...total, breakdown: { item_total: total } },
        items: order.items.map((line) => ({
          name: lineName(line, MAX_TEXT_CHARS),
          sku: line.skc.slice(0, MAX_TEXT_CHARS).toWellFormed(),
          quantity: String(line.quantity),
          unit_amount: money(line.unit_minor),
          category: 'PHYSICAL_GOODS',
        })),
        shipping: {
          type: 'SHIPPING',
          name: { full_name: address.full_name },
          address: {
            address_line_1: address.address_line1,
            admin_area_2: address.city,
            admin_area_1: address.state,
            postal_code: address.postal_code,
            country_code: address.country,
          },
        },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          shipping_preference: 'SET_PROVIDED_ADDRESS',
          user_action: 'PAY_NOW',
          return_url: `${siteUrl}/checkout?order=${order.id}`,
          cancel_url: `${siteUrl}/checkout?order=${order.id}`,
        },
      },
    },
  };
}

/** What PayPal's order says about its payment. */
export interface CaptureEvent {
  /** PayPal's word for the state of the capture. */
  readonly status: string;
  readonly event: PaymentEvent;
}

/**
 * Reads the capture from PayPal's order; null while there is none. The order's own status does not
 * count: it is COMPLETED while the capture may be pending or declined.
 */
export function captureOf(order: Fields, mode: PaymentMode): CaptureEvent | null {
  const unit = firstOf(order['purchase_units']);
  const capture = firstOf(fieldsOf(unit['payments'])['captures']);
  const reference = plainText(order['id']);
  const { status } = capture;
  if (typeof status !== 'string') return null;
  const outcome = OUTCOME_BY_STATUS[status] ?? 'pending';
  // PayPal's order has no event id. This id follows from the state, so the database counts each state once.
  const eventId = ['ask', reference, outcome, plainText(capture['id'])].join(':');
  const event = eventOfCapture(capture, outcome, eventId, reference, mode);
  return { status, event: { ...event, payee: event.payee ?? payeeIn(unit) } };
}

/** The account that gets the money of an order that the shop has made; null where PayPal does not say. */
export function payeeOf(order: Fields): string | null {
  return payeeIn(firstOf(order['purchase_units']));
}

/**
 * The purchase unit of PayPal's order that holds a payment; null while PayPal does not show it. Each unit of an
 * order that the shop has not made may name another account.
 */
export function unitOfCapture(order: Fields, captureId: string | null): Fields | null {
  const holdsIt = (unit: Fields) =>
    listOf(fieldsOf(unit['payments'])['captures']).some(({ id }) => id === captureId);
  return listOf(order['purchase_units']).find(holdsIt) ?? null;
}

/** The account that gets the money; null where PayPal does not say. */
export function payeeIn(unitOrCapture: Fields): string | null {
  return plainText(fieldsOf(unitOrCapture['payee'])['merchant_id']) || null;
}

const OUTCOME_BY_STATUS: Readonly<Record<string, PaymentEvent['outcome']>> = {
  COMPLETED: 'captured',
  // A refund follows a capture, whose amount stays what it was. PayPal's event tells of the refund.
  PARTIALLY_REFUNDED: 'captured',
  REFUNDED: 'captured',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
};

const OUTCOME_BY_EVENT: ReadonlyMap<unknown, PaymentEvent['outcome']> = new Map([
  ['PAYMENT.CAPTURE.COMPLETED', 'captured'],
  ['PAYMENT.CAPTURE.PENDING', 'pending'],
  ['PAYMENT.CAPTURE.DENIED', 'failed'],
  ['PAYMENT.CAPTURE.DECLINED', 'failed'],
] as const);

/** The payment event in a webhook's message; null for a message that orders do not need. */
export function eventOfPayPal(event: Fields, mode: PaymentMode): PaymentEvent | null {
  const { id, event_type: type } = event;
  const outcome = OUTCOME_BY_EVENT.get(type);
  if (typeof id !== 'string' || outcome === undefined) return null;
  const capture = fieldsOf(event['resource']);
  const related = fieldsOf(fieldsOf(capture['supplementary_data'])['related_ids']);
  // Without an order the payment is of no attempt, and the database keeps it as unknown.
  const reference = related['order_id'] ?? capture['id'];
  return eventOfCapture(capture, outcome, id, plainText(reference), mode);
}

function eventOfCapture(
  capture: Fields,
  outcome: PaymentEvent['outcome'],
  eventId: string,
  reference: string,
  mode: PaymentMode,
): PaymentEvent {
  return {
    provider: 'paypal',
    eventId,
    reference,
    outcome,
    ...moneyOf(capture['amount']),
    mode,
    captureId: outcome === 'captured' ? plainText(capture['id']) : null,
    payee: payeeIn(capture),
  };
}

/** `REVERSED` is a refund on which PayPal itself decides, after a dispute for example. */
const REFUND_EVENTS = new Set([
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
]);
const DISPUTE_EVENTS = new Set([
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
]);

/** The refund or dispute in an event; null for other events, and for one that names no time or no payment. */
export function reversalOfPayPal(event: Fields, mode: PaymentMode): Reversal | null {
  const type = plainText(event['event_type']);
  const resource = fieldsOf(event['resource']);
  const saidAt = new Date(plainText(resource['update_time'] ?? event['create_time']));
  if (Number.isNaN(saidAt.getTime())) return null;
  if (REFUND_EVENTS.has(type)) return refundOf(resource, mode, saidAt);
  return DISPUTE_EVENTS.has(type) ? disputeOf(resource, mode, saidAt) : null;
}

function refundOf(refund: Fields, mode: PaymentMode, saidAt: Date): Reversal | null {
  // The link `up` leads to the payment.
  const up = listOf(refund['links']).find(({ rel }) => rel === 'up')?.['href'];
  const paymentId = /\/captures\/([\w-]+)$/.exec(plainText(up))?.[1];
  const { id, status } = refund;
  if (paymentId === undefined || typeof id !== 'string') return null;
  const state = REFUND_STATES[plainText(status)] ?? 'pending';
  const money = unsignedMoneyOf(refund['amount']);
  return { provider: 'paypal', kind: 'refund', id, paymentId, state, ...money, mode, saidAt };
}

const REFUND_STATES: Readonly<Record<string, Reversal['state']>> = {
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/** After these the buyer gets the money. Source: PayPal's API specification, `dispute_outcome`. */
const LOST_OUTCOMES = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']);

function disputeOf(dispute: Fields, mode: PaymentMode, saidAt: Date): Reversal | null {
  const { dispute_id: id, status } = dispute;
  const [transaction] = listOf(dispute['disputed_transactions']);
  const paymentId = transaction?.['seller_transaction_id'];
  if (typeof paymentId !== 'string' || typeof id !== 'string') return null;
  const outcome = fieldsOf(dispute['dispute_outcome']);
  const isLost = LOST_OUTCOMES.has(plainText(outcome['outcome_code']));
  const state = status !== 'RESOLVED' ? 'open' : isLost ? 'lost' : 'won';
  // The buyer may get back less than the disputed amount.
  const refunded = isLost ? outcome['amount_refunded'] : undefined;
  const money = unsignedMoneyOf(refunded ?? dispute['dispute_amount']);
  return { provider: 'paypal', kind: 'dispute', id, paymentId, state, ...money, mode, saidAt };
}

/** Reads an amount without its sign: some events give a minus in front. */
function unsignedMoneyOf(money: unknown): Pick<Reversal, 'amountMinor' | 'currency'> {
  const fields = fieldsOf(money);
  return moneyOf({ ...fields, value: plainText(fields['value']).replace(/^-/, '') });
}

/** Reads an amount with its currency; each is null where PayPal does not say it. */
function moneyOf(money: unknown): Pick<PaymentEvent, 'amountMinor' | 'currency'> {
  const { value, currency_code: currency } = fieldsOf(money);
  return { amountMinor: minorOf(value), currency: typeof currency === 'string' ? currency : null };
}

/** Reads `12.50`; null for anything that is no amount in dollars and cents. */
function minorOf(value: unknown): Minor | null {
  const [, dollars, cents = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(plainText(value)) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

function firstOf(list: unknown): Fields {
  return listOf(list)[0] ?? {};
}

/** The objects of a list; empty for anything else. */
export function listOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}
