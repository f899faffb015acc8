/**
 * Lists that the shop searches: its payments, and the events that its webhook has missed. A capture is in the
 * emulator's list at once, and in PayPal's after up to three hours.
 *
 * Source: npm @paypal/paypal-rest-api-specifications, openapi/reporting_transactions_v1.json.
 */
import type { Call } from '../provider/emulator.ts';
import type { StoredPayment } from '../provider/payment.ts';
import { PayPalError } from './failure.ts';
import { rfc3339, usd } from './objects.ts';
import type { PayPalAccount } from './account.ts';

const LONGEST_RANGE_MS = 31 * 24 * 60 * 60 * 1000;

/** @throws PayPalError 400 */
export function searchTransactions({ query }: Call, { checkouts }: PayPalAccount) {
  const [from, to] = timesOf(query, 'start_date', 'end_date');
  // The difference is NaN for a date that cannot be read.
  if (!(to - from <= LONGEST_RANGE_MS)) {
    const description = 'The range of dates is not one of 31 days at most.';
    throw new PayPalError(400, { issue: 'INVALID_DATE_RANGE', description });
  }
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('page_size') ?? 100);
  const transactions = checkouts
    .toReversed()
    .flatMap(({ reference, payment }) =>
      payment && payment.createdAt >= from && payment.createdAt <= to
        ? transactionObject(reference, payment)
        : [],
    );
  return {
    transaction_details: transactions.slice((page - 1) * size, page * size),
    total_pages: Math.ceil(transactions.length / size),
  };
}

/** Success, pending, denied. */
const STATUS = { succeeded: 'S', pending: 'P', failed: 'D' } as const;

function transactionObject(reference: string, capture: StoredPayment) {
  return {
    transaction_info: {
      transaction_id: capture.id,
      // A payment by Express Checkout.
      transaction_event_code: 'T0006',
      transaction_initiation_date: rfc3339(capture.createdAt),
      transaction_amount: usd(capture.amount),
      transaction_status: STATUS[capture.status],
      custom_field: reference,
    },
    payer_info: { email_address: 'buyer@personal.example.com' },
  };
}

/** The newest events first. A missing bound is NaN, and leaves no event out. */
export function listEvents({ query }: Call, { webhooks, baseUrl }: PayPalAccount) {
  const [from, to] = timesOf(query, 'start_time', 'end_time');
  const size = Number(query.get('page_size') ?? 10);
  const start = Number(query.get('next_page_token') ?? 0);
  const matching = webhooks.events
    .map(({ body }) => JSON.parse(body) as { readonly create_time: string }) // as `emit` wrote it
    .filter(({ create_time: time }) => !(Date.parse(time) < from) && !(Date.parse(time) > to))
    .toReversed();
  const next = new URLSearchParams(query);
  next.set('next_page_token', String(start + size));
  const href = `${baseUrl}/v1/notifications/webhooks-events?${next.toString()}`;
  const isMore = start + size < matching.length;
  return {
    events: matching.slice(start, start + size),
    links: isMore ? [{ href, rel: 'next', method: 'GET' }] : [],
  };
}

/** Two dates of a query in milliseconds since 1970; NaN for a date that is missing or cannot be read. */
function timesOf(query: URLSearchParams, from: string, to: string): [number, number] {
  return [Date.parse(query.get(from) ?? ''), Date.parse(query.get(to) ?? '')];
}
