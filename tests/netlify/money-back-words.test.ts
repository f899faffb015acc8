/** What the words of a provider for a refund or a dispute mean to the shop. */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { reversalOfPayPal } from '../../netlify/lib/paypal-objects.ts';
import { reversalOfStripe } from '../../netlify/lib/stripe.ts';

/** Stripe's event of a refund or a dispute, with the fields that the shop reads. */
function stripeEvent(type: string, status: string): Stripe.Event {
  const object = { id: 're_1', payment_intent: 'pi_1', amount: 100, currency: 'usd', status };
  return { type, created: 1, livemode: false, data: { object } } as unknown as Stripe.Event;
}

test.each([
  ['succeeded', 'done'],
  ['pending', 'pending'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])('a refund that is %s at Stripe is %s', (status, state) => {
  for (const type of ['refund.created', 'refund.updated', 'refund.failed']) {
    expect(reversalOfStripe(stripeEvent(type, status))).toMatchObject({ kind: 'refund', state });
  }
});

test.each([
  ['needs_response', 'open'],
  ['warning_closed', 'won'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['prevented', 'lost'],
])('a dispute that is %s at Stripe is %s', (status, state) => {
  for (const type of ['created', 'updated', 'closed'].map((end) => `charge.dispute.${end}`)) {
    expect(reversalOfStripe(stripeEvent(type, status))).toMatchObject({ kind: 'dispute', state });
  }
});

test.each([
  ['COMPLETED', 'done'],
  ['PENDING', 'pending'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
])('a refund that is %s at PayPal is %s', (status, state) => {
  const links = [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP-1' }];
  const amount = { value: '-1.00', currency_code: 'USD' };
  const resource = { id: 'R-1', status, amount, links, update_time: '2026-11-21T12:00:00Z' };
  for (const type of ['CAPTURE.REFUNDED', 'CAPTURE.REVERSED', 'REFUND.PENDING', 'REFUND.FAILED']) {
    const event = { event_type: `PAYMENT.${type}`, resource };
    expect(reversalOfPayPal(event, 'live')).toMatchObject({
      kind: 'refund',
      paymentId: 'CAP-1',
      state,
      amountMinor: 100,
    });
  }
});

test.each([
  ['OPEN', undefined, 'open'],
  ['RESOLVED', 'RESOLVED_BUYER_FAVOUR', 'lost'],
  ['RESOLVED', 'ACCEPTED', 'lost'],
  ['RESOLVED', 'RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED', 'CANCELED_BY_BUYER', 'won'],
])('a dispute that is %s at PayPal with the outcome %s is %s', (status, outcome, state) => {
  const resource = {
    dispute_id: 'PP-D-1',
    status,
    disputed_transactions: [{ seller_transaction_id: 'CAP-1' }],
    dispute_outcome: { outcome_code: outcome },
    dispute_amount: { value: '1.00', currency_code: 'USD' },
    update_time: '2026-11-21T12:00:00Z',
  };
  for (const type of ['CREATED', 'UPDATED', 'RESOLVED']) {
    const event = { event_type: `CUSTOMER.DISPUTE.${type}`, resource };
    expect(reversalOfPayPal(event, 'live')).toMatchObject({ kind: 'dispute', state });
  }
});
