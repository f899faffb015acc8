/**
 * Orders, captures, refunds and disputes as PayPal's API shows them, with the fields that the shop
 * reads. Source: openapi/checkout_orders_v2.json, payments_payment_v2.json, customer_disputes_v1.json.
 */
import { remainderOf } from '../provider/payment.ts';
import type {
  StoredCheckout,
  StoredDispute,
  StoredPayment,
  StoredRefund,
} from '../provider/payment.ts';

/** The fields that the emulator reads of the body of `POST /v2/checkout/orders`; it gives back the others too. */
export interface PayPalOrderRequest {
  readonly purchase_units: readonly {
    readonly custom_id: string;
    readonly invoice_id: string;
    readonly amount: { readonly value: string };
  }[];
  readonly payment_source: {
    readonly paypal: {
      readonly experience_context: { readonly return_url: string; readonly cancel_url: string };
    };
  };
}

/**
 * What the buyer pays with, and so what a capture does.
 *
 * - `good`      the capture is completed
 * - `declined`  it is declined, and the buyer may choose another way
 * - `pending`   it waits, and is completed or denied later
 * - `refused`   the order is completed, and yet its capture is declined
 */
export type Instrument = 'good' | 'declined' | 'pending' | 'refused';

export interface StoredOrder extends StoredCheckout {
  readonly request: PayPalOrderRequest;
  readonly invoice: string;
  updatedAt: number;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  instrument: Instrument | null;
  /** The account that gets the money instead of the shop's; set by `changePayee`. */
  payee?: string;
}

export function orderObject(order: StoredOrder) {
  const { id, status, request, payment } = order;
  const [unit] = request.purchase_units;
  const payments = payment && { payments: { captures: [captureObject(order, payment)] } };
  return { id, status, purchase_units: [{ ...unit, payee: payeeObject(order), ...payments }] };
}

/** The shop's account, which gets the money unless `changePayee` has named another. */
const MERCHANT_ID = 'WEFTSHXP23456';

export function payeeObject({ payee = MERCHANT_ID }: StoredOrder) {
  return { merchant_id: payee };
}

export const CAPTURE_STATUS = {
  pending: 'PENDING',
  succeeded: 'COMPLETED',
  failed: 'DECLINED',
} as const;

export function captureObject(order: StoredCheckout, capture: StoredPayment) {
  return {
    id: capture.id,
    status: statusOf(capture),
    amount: usd(capture.amount),
    custom_id: order.reference,
  };
}

/** A refund changes the status of a capture, whose amount stays what was captured. */
function statusOf(capture: StoredPayment): string {
  if (capture.refunds.length === 0) return CAPTURE_STATUS[capture.status];
  return remainderOf(capture) === 0 ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

export function refundObject(refund: StoredRefund, baseUrl: string) {
  return {
    id: refund.id,
    status: 'COMPLETED',
    amount: usd(refund.amount),
    update_time: rfc3339(refund.createdAt),
    links: [{ rel: 'up', href: `${baseUrl}/v2/payments/captures/${refund.paymentId}` }],
  };
}

export function disputeObject(dispute: StoredDispute) {
  const { status } = dispute;
  const outcome_code = status === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  return {
    dispute_id: dispute.id,
    update_time: new Date(dispute.updatedAt).toISOString(),
    disputed_transactions: [{ seller_transaction_id: dispute.paymentId }],
    status: status === 'open' ? 'OPEN' : 'RESOLVED',
    dispute_amount: usd(dispute.amount),
    ...(status === 'open' ? {} : { dispute_outcome: { outcome_code } }),
  };
}

/** A time as PayPal writes it everywhere but in disputes: to the second. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function usd(cents: number) {
  return { currency_code: 'USD', value: (cents / 100).toFixed(2) };
}

export function centsOf({ value }: { readonly value: string }): number {
  return Math.round(Number(value) * 100);
}
