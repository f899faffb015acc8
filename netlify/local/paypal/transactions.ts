/**
 * The search for transactions, as far as a shop looks for its payments. Here a capture is found at
 * once; PayPal needs up to three hours.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/reporting_transactions_v1.json.
 */
import { type RecordShape, read } from '../provider/shape.ts';
import { malformed, PayPalError } from './failure.ts';
import { BUYER, feeOf, PAYEE, payerId, time } from './objects.ts';
import type { Orders } from './orders.ts';
import type { StoredCapture, StoredOrder } from './state.ts';
import { centsOf, moneyOf } from './sums.ts';

const LONGEST_RANGE_MS = 31 * 24 * 60 * 60 * 1000;
const TIME = {
  name: 'date-time',
  test: (text: string) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
};
const QUERY: RecordShape = {
  kind: 'record',
  fields: {
    start_date: { kind: 'text', like: TIME },
    end_date: { kind: 'text', like: TIME },
    fields: { kind: 'text' },
    page_size: { kind: 'whole', min: 1, max: 500 },
    page: { kind: 'whole', min: 1 },
  },
  required: ['start_date', 'end_date'],
};

interface Query {
  readonly start_date: string;
  readonly end_date: string;
  readonly fields?: string;
  readonly page_size?: number;
  readonly page?: number;
}

/** @throws PayPalError 400 */
export function searchTransactions(params: URLSearchParams, orders: Orders, baseUrl: string) {
  const query = readQuery(params);
  const { page = 1, page_size: size = 100, fields = 'transaction_info' } = query;
  const [from, to] = [Date.parse(query.start_date), Date.parse(query.end_date)];
  const found = orders.all
    .flatMap((order) => (order.capture === null ? [] : { order, capture: order.capture }))
    .filter(({ capture: { createdAt } }) => createdAt >= from && createdAt <= to)
    .toReversed();
  const isPayerShown = fields.split(',').includes('payer_info') || fields === 'all';
  return {
    transaction_details: found.slice((page - 1) * size, page * size).map(({ order, capture }) => ({
      transaction_info: infoOf(order, capture),
      ...(isPayerShown ? { payer_info: PAYER } : {}),
    })),
    account_number: PAYEE.merchant_id,
    start_date: query.start_date,
    end_date: query.end_date,
    last_refreshed_datetime: query.end_date,
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / size),
    links: [{ href: `${baseUrl}/v1/reporting/transactions?${params}`, rel: 'self', method: 'GET' }],
  };
}

function readQuery(params: URLSearchParams): Query {
  const { value, flaws } = read(Object.fromEntries(params), QUERY, 'form');
  if (flaws.length > 0) throw malformed(flaws);
  const query = value as Query; // what the shape says
  if (Date.parse(query.end_date) - Date.parse(query.start_date) > LONGEST_RANGE_MS) {
    const description = 'The range of dates is larger than 31 days.';
    throw new PayPalError(400, [{ issue: 'INVALID_DATE_RANGE', description }]);
  }
  return query;
}

const PAYER = {
  account_id: payerId(),
  email_address: BUYER.email_address,
  address_status: 'N',
  payer_status: 'Y',
  payer_name: {
    given_name: BUYER.name.given_name,
    surname: BUYER.name.surname,
    alternate_full_name: `${BUYER.name.given_name} ${BUYER.name.surname}`,
  },
  country_code: 'US',
};

const STATUS = { COMPLETED: 'S', PENDING: 'P', DECLINED: 'D' } as const;

function infoOf(order: StoredOrder, capture: StoredCapture) {
  const [{ amount, custom_id: custom, invoice_id: invoice }] = order.request.purchase_units;
  const { currency_code, value } = amount;
  return {
    paypal_account_id: payerId(),
    transaction_id: capture.id,
    paypal_reference_id: order.id,
    paypal_reference_id_type: 'ODR',
    // A payment by Express Checkout.
    transaction_event_code: 'T0006',
    transaction_initiation_date: time(capture.createdAt),
    transaction_updated_date: time(capture.updatedAt),
    transaction_amount: { currency_code, value },
    ...(capture.status === 'COMPLETED'
      ? { fee_amount: moneyOf(-feeOf(centsOf(amount)), currency_code) }
      : {}),
    transaction_status: STATUS[capture.status],
    ...(invoice === undefined ? {} : { invoice_id: invoice }),
    ...(custom === undefined ? {} : { custom_field: custom }),
    protection_eligibility: '01',
  };
}
