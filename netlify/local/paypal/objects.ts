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
import type { StoredOrder } from './state.ts';

/** Everything about an order (`Prefer: return=representation`, and what GET answers). */
export function orderObject(order: StoredOrder, baseUrl: string) {
  const { id, status, request } = order;
  const [unit] = request.purchase_units;
  const payments = order.payment && {
    payments: { captures: [captureObject(order, order.payment)] },
  };
  const links = [linkTo('self', `${baseUrl}/v2/checkout/orders/${id}`)];
  if (status === 'PAYER_ACTION_REQUIRED') {
    links.push(linkTo('payer-action', baseUrl + payPathOf(id)));
  }
  return {
    id,
    intent: request.intent,
    status,
    purchase_units: [{ reference_id: 'default', ...unit, ...payments }],
    links,
  };
}

/** An order without that preference; its capture is shown all the same. */
export function shortOrderObject(order: StoredOrder, baseUrl: string) {
  const { id, status, purchase_units, links } = orderObject(order, baseUrl);
  return order.payment ? { id, status, purchase_units, links } : { id, status, links };
}

export function payPathOf(orderId: string): string {
  return `/checkoutnow?token=${orderId}`;
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

/** After a refund the amount is still what was captured. */
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
    links: [linkTo('up', `${baseUrl}/v2/payments/captures/${refund.paymentId}`)],
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

/** To the second. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function usd(cents: number) {
  return { currency_code: 'USD', value: (cents / 100).toFixed(2) };
}

function linkTo(rel: string, href: string) {
  return { rel, method: 'GET', href };
}
