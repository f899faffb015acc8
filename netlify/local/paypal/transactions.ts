/**
 * The search for transactions, as far as a shop looks for its payments. Here a capture is found at
 * once; PayPal needs up to three hours.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/reporting_transactions_v1.json.
 */
import type { PayPalAccount } from './account.ts';
import { PayPalError } from './failure.ts';
import { rfc3339 } from './objects.ts';
import type { StoredCapture, StoredOrder } from './state.ts';

const LONGEST_RANGE_MS = 31 * 24 * 60 * 60 * 1000;
const PAYER = { email_address: 'buyer@personal.example.com' };

/** @throws PayPalError 400 */
export function searchTransactions(query: URLSearchParams, paypal: PayPalAccount) {
  const [start, end] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
  const [from, to] = [Date.parse(start), Date.parse(end)];
  // Not for a date that cannot be read, either.
  if (!(to - from <= LONGEST_RANGE_MS)) {
    const description = 'The range of dates is not one of 31 days at most.';
    throw new PayPalError(400, [{ issue: 'INVALID_DATE_RANGE', description }]);
  }
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('page_size') ?? 100);
  const found = paypal.orders
    .flatMap((order) => (order.capture === null ? [] : { order, capture: order.capture }))
    .filter(({ capture: { createdAt } }) => createdAt >= from && createdAt <= to)
    .toReversed();
  const isPayerShown = query.get('fields')?.split(',').includes('payer_info');
  return {
    transaction_details: found.slice((page - 1) * size, page * size).map(({ order, capture }) => ({
      transaction_info: infoOf(order, capture),
      ...(isPayerShown ? { payer_info: PAYER } : {}),
    })),
    start_date: start,
    end_date: end,
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / size),
  };
}

const STATUS = { COMPLETED: 'S', PENDING: 'P', DECLINED: 'D' } as const;

function infoOf(order: StoredOrder, capture: StoredCapture) {
  const [{ amount, custom_id: custom, invoice_id: invoice }] = order.request.purchase_units;
  const { currency_code, value } = amount;
  return {
    transaction_id: capture.id,
    paypal_reference_id: order.id,
    paypal_reference_id_type: 'ODR',
    // A payment by Express Checkout.
    transaction_event_code: 'T0006',
    transaction_initiation_date: rfc3339(capture.createdAt),
    transaction_updated_date: rfc3339(capture.updatedAt),
    transaction_amount: { currency_code, value },
    transaction_status: STATUS[capture.status],
    ...(invoice === undefined ? {} : { invoice_id: invoice }),
    ...(custom === undefined ? {} : { custom_field: custom }),
  };
}
