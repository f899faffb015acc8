/**
 * Money that goes back: refunds, which the shop makes, and disputes, which the buyer opens and PayPal
 * decides. Source: openapi/payments_payment_v2.json and openapi/customer_disputes_v1.json.
 */
import { CAPITALS_AND_DIGITS, drawText } from '../provider/chance.ts';
import { choice, parserOf, record, text } from '../provider/schema.ts';
import type { PayPalAccount } from './account.ts';
import { noSuchResource, unprocessable } from './failure.ts';
import { refundObject, usd } from './objects.ts';
import type { Money } from './order-request.ts';
import type { Paid, StoredCapture, StoredDispute, StoredRefund } from './state.ts';
import { refundable, totalOf } from './sums.ts';

export const parseRefund = parserOf<{ readonly amount?: Money }>(
  record({
    amount: record({ currency_code: choice('USD'), value: text(32) }, 'currency_code', 'value'),
  }),
  'json',
);

/**
 * The shop sends money back.
 *
 * @param cents all that is left when absent
 * @param requestId the same id makes one refund
 * @throws PayPalError 404, 422
 */
export function refund(
  paypal: PayPalAccount,
  captureId: string,
  cents?: number,
  requestId: string | null = null,
): { readonly object: object; readonly isNew: boolean } {
  const paid = paidBy(paypal, captureId);
  const known = paid.capture.refunds?.find((other) => other.requestId === requestId);
  if (requestId !== null && known) {
    return { object: refundObject(paypal.baseUrl, paid, known), isNew: false };
  }
  const left = refundable(paid);
  if (left === 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  }
  if ((cents ?? left) > left) {
    throw unprocessable('REFUND_AMOUNT_EXCEEDED', 'The refund exceeds what is left.', '/amount');
  }
  const made = newRefund(paypal, paid.capture, cents ?? left, requestId);
  emitRefund(paypal, 'PAYMENT.CAPTURE.REFUNDED', paid, made);
  return { object: refundObject(paypal.baseUrl, paid, made), isNew: true };
}

/** The buyer opens a dispute. @returns false when there is one */
export function dispute(paypal: PayPalAccount, captureId: string, cents?: number): boolean {
  const paid = paidBy(paypal, captureId);
  if (paid.capture.dispute) return false;
  const now = paypal.now();
  paid.capture.dispute = {
    id: `PP-D-${drawText(paypal.random, 5, '0123456789')}`,
    createdAt: now,
    updatedAt: now,
    cents: cents ?? totalOf(paid.order),
    outcome: null,
  };
  emitDispute(paypal, 'CUSTOMER.DISPUTE.CREATED', paid, paid.capture.dispute);
  return true;
}

/** PayPal decides; when the shop loses, PayPal takes the money back. @returns false for none open */
export function closeDispute(
  paypal: PayPalAccount,
  captureId: string,
  outcome: 'won' | 'lost',
): boolean {
  const paid = paidBy(paypal, captureId);
  const { capture } = paid;
  if (capture.dispute?.outcome !== null) return false;
  capture.dispute.outcome = outcome;
  capture.dispute.updatedAt = paypal.now();
  emitDispute(paypal, 'CUSTOMER.DISPUTE.RESOLVED', paid, capture.dispute);
  const cents = Math.min(capture.dispute.cents, refundable(paid));
  if (outcome === 'lost' && cents > 0) {
    const reversal = newRefund(paypal, capture, cents, null);
    emitRefund(paypal, 'PAYMENT.CAPTURE.REVERSED', paid, reversal);
  }
  return true;
}

function newRefund(
  { now, random }: PayPalAccount,
  capture: StoredCapture,
  cents: number,
  requestId: string | null,
): StoredRefund {
  const id = drawText(random, 17, CAPITALS_AND_DIGITS);
  const made = { id, createdAt: now(), cents, requestId };
  (capture.refunds ??= []).push(made);
  return made;
}

function paidBy({ orders }: PayPalAccount, captureId: string): Paid {
  for (const order of orders) {
    const { capture } = order;
    if (capture?.id === captureId && capture.status === 'COMPLETED') return { order, capture };
  }
  throw noSuchResource();
}

function emitRefund(paypal: PayPalAccount, type: string, paid: Paid, made: StoredRefund): void {
  paypal.emit(type, 'refund', refundObject(paypal.baseUrl, paid, made));
}

function emitDispute(paypal: PayPalAccount, type: string, paid: Paid, made: StoredDispute): void {
  paypal.emit(type, 'dispute', disputeObject(paid, made));
}

function disputeObject({ order, capture }: Paid, { id, createdAt, ...made }: StoredDispute) {
  const [{ custom_id: custom, invoice_id: invoice }] = order.request.purchase_units;
  const outcome = made.outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  return {
    dispute_id: id,
    create_time: new Date(createdAt).toISOString(),
    update_time: new Date(made.updatedAt).toISOString(),
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        ...(custom === undefined ? {} : { custom }),
        ...(invoice === undefined ? {} : { invoice_number: invoice }),
      },
    ],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: made.outcome === null ? 'OPEN' : 'RESOLVED',
    dispute_amount: usd(made.cents),
    ...(made.outcome === null ? {} : { dispute_outcome: { outcome_code: outcome } }),
  };
}
