/** Orders and captures as PayPal's API shows them. Source: openapi/checkout_orders_v2.json. */
import { centsOf, moneyOf } from './sums.ts';
import type { StoredCapture, StoredOrder } from './state.ts';

export const PAYEE = { email_address: 'shop@business.example.com', merchant_id: 'WEFTMERCHANT2' };
const PAYER_ID = 'TESTBUYER2345';
export const BUYER = {
  name: { given_name: 'Test', surname: 'Buyer' },
  email_address: 'buyer@personal.example.com',
};

/** PayPal's rate for a wallet in the US: 3.49 % and 49 cents. */
const FEE_PER_MYRIAD = 349;
const FEE_CENTS = 49;

export function payerId(): string {
  return PAYER_ID;
}

/** Everything about an order (`Prefer: return=representation`, and what GET answers). */
export function orderObject(order: StoredOrder, baseUrl: string) {
  const [unit] = order.request.purchase_units;
  const isApproved = order.instrument !== null;
  return {
    id: order.id,
    intent: order.request.intent,
    status: order.status,
    ...paymentSource(order),
    purchase_units: [
      {
        reference_id: 'default',
        ...unit,
        payee: PAYEE,
        ...(order.capture === null
          ? {}
          : { payments: { captures: [captureObject(order, order.capture, baseUrl)] } }),
      },
    ],
    ...(isApproved ? { payer: { ...BUYER, payer_id: PAYER_ID } } : {}),
    create_time: time(order.createdAt),
    update_time: time(order.updatedAt),
    links: orderLinks(order, baseUrl),
  };
}

/** What is left of it without that preference. */
export function shortOrderObject(order: StoredOrder, baseUrl: string) {
  const { id, status, links, purchase_units: units } = orderObject(order, baseUrl);
  if (order.capture === null) return { id, status, ...paymentSource(order), links };
  const [unit] = units;
  return {
    id,
    status,
    ...paymentSource(order),
    purchase_units: [
      {
        reference_id: unit?.reference_id,
        ...(unit?.shipping === undefined ? {} : { shipping: unit.shipping }),
        payments: { captures: [captureObject(order, order.capture, baseUrl)] },
      },
    ],
    payer: { ...BUYER, payer_id: PAYER_ID },
    links,
  };
}

export function captureObject(order: StoredOrder, capture: StoredCapture, baseUrl: string) {
  const [{ amount, custom_id: customId, invoice_id: invoiceId }] = order.request.purchase_units;
  const { currency_code, value } = amount;
  const gross = centsOf(amount);
  const fee = feeOf(gross);
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: { currency_code, value },
    final_capture: true,
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    ...(capture.status === 'COMPLETED'
      ? {
          seller_receivable_breakdown: {
            gross_amount: { currency_code, value },
            paypal_fee: moneyOf(fee, currency_code),
            net_amount: moneyOf(Math.max(gross - fee, 0), currency_code),
          },
        }
      : {}),
    create_time: time(capture.createdAt),
    update_time: time(capture.updatedAt),
    links: [
      link('self', 'GET', `${baseUrl}/v2/payments/captures/${capture.id}`),
      link('refund', 'POST', `${baseUrl}/v2/payments/captures/${capture.id}/refund`),
      link('up', 'GET', `${baseUrl}/v2/checkout/orders/${order.id}`),
    ],
  };
}

/** In cents, as the sum is. */
export function feeOf(gross: number): number {
  return Math.round((gross * FEE_PER_MYRIAD) / 10_000) + FEE_CENTS;
}

/** With the order it belongs to: what GET and the webhooks show. */
export function captureWithOrder(order: StoredOrder, capture: StoredCapture, baseUrl: string) {
  return {
    ...captureObject(order, capture, baseUrl),
    supplementary_data: { related_ids: { order_id: order.id } },
    payee: PAYEE,
  };
}

export function approvalUrl(order: StoredOrder, baseUrl: string): string {
  return `${baseUrl}/checkoutnow?token=${order.id}`;
}

/** RFC 3339, to the second. */
export function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function paymentSource(order: StoredOrder) {
  if (order.instrument !== null) {
    return { payment_source: { paypal: { ...BUYER, account_id: PAYER_ID } } };
  }
  return order.request.payment_source === undefined ? {} : { payment_source: { paypal: {} } };
}

function orderLinks(order: StoredOrder, baseUrl: string) {
  const self = `${baseUrl}/v2/checkout/orders/${order.id}`;
  const approval = approvalUrl(order, baseUrl);
  const links = {
    CREATED: [
      link('approve', 'GET', approval),
      link('update', 'PATCH', self),
      link('capture', 'POST', `${self}/capture`),
    ],
    PAYER_ACTION_REQUIRED: [link('payer-action', 'GET', approval)],
    APPROVED: [link('update', 'PATCH', self), link('capture', 'POST', `${self}/capture`)],
    COMPLETED: [],
  };
  return [link('self', 'GET', self), ...links[order.status]];
}

function link(rel: string, method: string, href: string) {
  return { href, rel, method };
}
