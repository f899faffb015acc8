/**
 * Orders and captures as PayPal's API shows them, with the fields that the shop reads. Source:
 * openapi/checkout_orders_v2.json.
 */
import type { Money } from './order-request.ts';
import type { Paid, StoredCapture, StoredOrder, StoredRefund } from './state.ts';
import { refundable } from './sums.ts';

const PAYER_ID = 'TESTBUYER2345';

/** Everything about an order (`Prefer: return=representation`, and what GET answers). */
export function orderObject(order: StoredOrder, baseUrl: string) {
  const { capture, request } = order;
  const captures = capture === null ? [] : [captureObject(order, capture)];
  const refunds =
    capture?.refunds?.map((each) => refundObject(baseUrl, { order, capture }, each)) ?? [];
  const payments = refunds.length === 0 ? { captures } : { captures, refunds };
  return {
    id: order.id,
    intent: request.intent,
    status: order.status,
    payment_source: { paypal: order.instrument === null ? {} : { account_id: PAYER_ID } },
    purchase_units: [
      {
        reference_id: 'default',
        ...request.purchase_units[0],
        ...(capture === null ? {} : { payments }),
      },
    ],
    create_time: rfc3339(order.createdAt),
    update_time: rfc3339(order.updatedAt),
    links: linksOf(order, baseUrl),
  };
}

/** An order without that preference; its capture is shown all the same. */
export function shortOrderObject(order: StoredOrder, baseUrl: string) {
  const { id, status, purchase_units, links } = orderObject(order, baseUrl);
  return order.capture === null ? { id, status, links } : { id, status, purchase_units, links };
}

/** What the webhooks show: a capture with the order it belongs to. */
export function captureWithOrder(order: StoredOrder, capture: StoredCapture) {
  const supplementary_data = { related_ids: { order_id: order.id } };
  return { ...captureObject(order, capture), supplementary_data };
}

/** To the second. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function captureObject(order: StoredOrder, capture: StoredCapture) {
  const [{ amount, custom_id: customId, invoice_id: invoiceId }] = order.request.purchase_units;
  return {
    id: capture.id,
    status: statusOf(order, capture),
    ...(capture.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: { currency_code: amount.currency_code, value: amount.value },
    final_capture: true,
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    create_time: rfc3339(capture.createdAt),
    update_time: rfc3339(capture.updatedAt),
  };
}

export function refundObject(
  baseUrl: string,
  { order, capture }: Paid,
  { id, createdAt, cents }: StoredRefund,
) {
  const [{ custom_id: customId, invoice_id: invoiceId }] = order.request.purchase_units;
  const link = (rel: string, path: string) => {
    return { rel, method: 'GET', href: `${baseUrl}/v2/payments/${path}` };
  };
  return {
    id,
    status: 'COMPLETED',
    amount: usd(cents),
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    create_time: rfc3339(createdAt),
    update_time: rfc3339(createdAt),
    links: [link('self', `refunds/${id}`), link('up', `captures/${capture.id}`)],
  };
}

export function usd(cents: number): Money {
  return { currency_code: 'USD', value: (cents / 100).toFixed(2) };
}

/** After a refund the amount is still what was captured. */
function statusOf(order: StoredOrder, capture: StoredCapture): string {
  if (capture.refunds === undefined) return capture.status;
  return refundable({ order, capture }) === 0 ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

function linksOf(order: StoredOrder, baseUrl: string) {
  const self = `${baseUrl}/v2/checkout/orders/${order.id}`;
  const links = [{ rel: 'self', method: 'GET', href: self }];
  if (order.status === 'PAYER_ACTION_REQUIRED') {
    links.push({
      rel: 'payer-action',
      method: 'GET',
      href: `${baseUrl}/checkoutnow?token=${order.id}`,
    });
  }
  if (order.status === 'APPROVED') {
    links.push({ rel: 'capture', method: 'POST', href: `${self}/capture` });
  }
  return links;
}
