/**
 * Money that goes back: refunds, which the shop makes, and disputes, which the buyer's bank opens and
 * closes. Source: docs.stripe.com/api/refunds and docs.stripe.com/api/disputes.
 */
import type Stripe from 'stripe';
import { choice, parserOf, record, text } from '../provider/schema.ts';
import type { StripeAccount } from './account.ts';
import { invalid, StripeError } from './failure.ts';
import { totalOf } from './session-params.ts';
import type { StoredDispute, StoredIntent, StoredRefund, StoredSession } from './state.ts';

export interface RefundParams {
  readonly payment_intent: string;
  /** In cents; all that is left when absent. */
  readonly amount?: number;
  readonly reason?: string;
}

export const parseRefund = parserOf<RefundParams>(
  record(
    {
      payment_intent: text(5000),
      amount: { type: 'integer', minimum: 1 },
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer'),
    },
    'payment_intent',
  ),
  'form',
);

/** A payment that succeeded. */
interface Paid {
  readonly session: StoredSession;
  readonly intent: StoredIntent;
}

/**
 * The shop sends money back.
 *
 * @param status `pending` where the bank takes a while
 * @throws StripeError 400 where so much is not left, 404
 */
export function refund(
  stripe: StripeAccount,
  { payment_intent: id, amount }: RefundParams,
  status: StoredRefund['status'] = 'succeeded',
): object {
  const paid = paidBy(stripe, id);
  const left = refundable(paid);
  if (left === 0) throw invalid('It has already been refunded.', 'charge_already_refunded');
  if ((amount ?? left) > left) {
    throw invalid('The amount is greater than what is left.', 'amount_too_large', 'amount');
  }
  const made: StoredRefund = {
    id: stripe.newId('re_', 24),
    createdAt: nowS(stripe),
    amount: amount ?? left,
    status,
  };
  (paid.intent.refunds ??= []).push(made);
  stripe.emit('refund.created', refundObject(paid.intent, made));
  return refundObject(paid.intent, made);
}

/** A refund that was pending succeeds, or any fails. @returns false when it is over */
export function decideRefund(
  stripe: StripeAccount,
  id: string,
  status: 'succeeded' | 'failed',
): boolean {
  for (const { intent } of stripe.sessions) {
    const found = intent?.refunds?.find((other) => other.id === id);
    if (!intent || !found) continue;
    if (found.status === 'failed' || found.status === status) return false;
    found.status = status;
    const type = status === 'failed' ? 'refund.failed' : 'refund.updated';
    stripe.emit(type, refundObject(intent, found));
    return true;
  }
  return false;
}

/** The buyer's bank takes the payment back for the time being. @returns false when it has already */
export function dispute(stripe: StripeAccount, intentId: string, amount?: number): boolean {
  const { session, intent } = paidBy(stripe, intentId);
  if (intent.dispute) return false;
  intent.dispute = {
    id: stripe.newId('du_', 24),
    createdAt: nowS(stripe),
    amount: amount ?? totalOf(session.params),
    status: 'needs_response',
  };
  stripe.emit('charge.dispute.created', disputeObject(intent, intent.dispute));
  return true;
}

/** @returns false when there is none open */
export function closeDispute(
  stripe: StripeAccount,
  intentId: string,
  status: 'won' | 'lost',
): boolean {
  const { intent } = paidBy(stripe, intentId);
  if (intent.dispute?.status !== 'needs_response') return false;
  intent.dispute.status = status;
  stripe.emit('charge.dispute.closed', disputeObject(intent, intent.dispute));
  return true;
}

/** In cents; 0 while the payment is disputed. */
export function refundable({ session, intent }: Paid): number {
  if (intent.dispute && intent.dispute.status !== 'won') return 0;
  const gone = (intent.refunds ?? []).filter(({ status }) => status !== 'failed');
  return totalOf(session.params) - gone.reduce((sum, { amount }) => sum + amount, 0);
}

function paidBy({ sessions }: StripeAccount, id: string): Paid {
  for (const session of sessions) {
    const { intent } = session;
    if (intent?.id === id && intent.status === 'succeeded') return { session, intent };
  }
  throw new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such payment_intent: '${id}'`,
    param: 'payment_intent',
  });
}

function refundObject(intent: StoredIntent, { id, createdAt, amount, status }: StoredRefund) {
  return {
    id,
    object: 'refund',
    amount,
    charge: chargeOf(intent),
    created: createdAt,
    currency: 'usd',
    metadata: {},
    payment_intent: intent.id,
    reason: null,
    status,
  } satisfies Partial<Stripe.Refund>;
}

function disputeObject(intent: StoredIntent, { id, createdAt, amount, status }: StoredDispute) {
  return {
    id,
    object: 'dispute',
    amount,
    charge: chargeOf(intent),
    created: createdAt,
    currency: 'usd',
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: 'product_not_received',
    status,
  } satisfies Partial<Stripe.Dispute>;
}

function chargeOf({ id }: StoredIntent): string {
  return id.replace('pi_', 'ch_');
}

function nowS({ now }: StripeAccount): number {
  return Math.floor(now() / 1000);
}
