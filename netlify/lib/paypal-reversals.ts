/** Reads refunds and disputes from PayPal's events. */
import { type Fields, fieldsOf, plainText } from '../../src/domain/fields.ts';
import { NotConfigured, type PaymentMode } from './env.ts';
import type { Ports } from './payments.ts';
import { listOf, moneyOf } from './paypal-order.ts';
import { ProviderUnavailable, type Reversal } from './provider.ts';

/** `REVERSED` is a refund on which PayPal itself decides, after a dispute for example. */
const REFUND_EVENTS = new Set([
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
]);
const DISPUTE_EVENTS = new Set([
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
]);

/** The refund or dispute in an event; null for other events, and for one that names no time or no payment. */
export function reversalOfPayPal(event: Fields, mode: PaymentMode): Reversal | null {
  const type = plainText(event['event_type']);
  const resource = fieldsOf(event['resource']);
  const saidAt = new Date(plainText(resource['update_time'] ?? event['create_time']));
  if (Number.isNaN(saidAt.getTime())) return null;
  if (REFUND_EVENTS.has(type)) return refundOf(resource, mode, saidAt);
  return DISPUTE_EVENTS.has(type) ? disputeOf(resource, mode, saidAt) : null;
}

const PAGE_SIZE = 100;
/** How many pages of events are read at most. */
const MAX_PAGES = 20;

/** Refunds and disputes in PayPal's events since a time. @throws ProviderUnavailable, NotConfigured */
export async function reversalsAtPayPal(ports: Ports, since: Date): Promise<readonly Reversal[]> {
  const wallet = ports.wallet();
  const reversals: Reversal[] = [];
  const query = new URLSearchParams({
    start_time: since.toISOString(),
    end_time: ports.now().toISOString(),
    page_size: String(PAGE_SIZE),
  });
  let nextLink: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await wallet.listEvents(query, nextLink);
    if (!answer.ok && (answer.status === 401 || answer.status === 403)) {
      throw new NotConfigured('PayPal does not let this app list its webhook events.');
    }
    if (!answer.ok) throw new ProviderUnavailable(`PayPal: its events answered ${answer.issue}`);
    const events = listOf(answer.body['events']);
    for (const event of events) {
      const reversal = reversalOfPayPal(event, wallet.mode);
      if (reversal !== null) reversals.push(reversal);
    }
    const link = listOf(answer.body['links']).find(({ rel }) => rel === 'next')?.['href'];
    // PayPal does not document whether the last page has a link to a next one. An empty page ends the list too.
    if (typeof link !== 'string' || events.length === 0) return reversals;
    nextLink = link;
  }
  throw new ProviderUnavailable(`PayPal: more than ${MAX_PAGES} pages of events`);
}

function refundOf(refund: Fields, mode: PaymentMode, saidAt: Date): Reversal | null {
  // The link `up` leads to the payment.
  const up = listOf(refund['links']).find(({ rel }) => rel === 'up')?.['href'];
  const paymentId = /\/captures\/([\w-]+)$/.exec(plainText(up))?.[1];
  const { id, status } = refund;
  if (paymentId === undefined || typeof id !== 'string') return null;
  const state = REFUND_STATES[plainText(status)] ?? 'pending';
  const money = unsignedMoneyOf(refund['amount']);
  return { provider: 'paypal', kind: 'refund', id, paymentId, state, ...money, mode, saidAt };
}

const REFUND_STATES: Readonly<Record<string, Reversal['state']>> = {
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/** After these the buyer gets the money. Source: PayPal's API specification, `dispute_outcome`. */
const LOST_OUTCOMES = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED']);

function disputeOf(dispute: Fields, mode: PaymentMode, saidAt: Date): Reversal | null {
  const { dispute_id: id, status } = dispute;
  const [transaction] = listOf(dispute['disputed_transactions']);
  const paymentId = transaction?.['seller_transaction_id'];
  if (typeof paymentId !== 'string' || typeof id !== 'string') return null;
  const outcome = fieldsOf(dispute['dispute_outcome']);
  const isLost = LOST_OUTCOMES.has(plainText(outcome['outcome_code']));
  const state = status !== 'RESOLVED' ? 'open' : isLost ? 'lost' : 'won';
  // The buyer may get back less than the disputed amount.
  const refunded = isLost ? outcome['amount_refunded'] : undefined;
  const money = unsignedMoneyOf(refunded ?? dispute['dispute_amount']);
  return { provider: 'paypal', kind: 'dispute', id, paymentId, state, ...money, mode, saidAt };
}

/** Reads an amount without its sign: some events give a minus in front. */
function unsignedMoneyOf(money: unknown): Pick<Reversal, 'amountMinor' | 'currency'> {
  const fields = fieldsOf(money);
  return moneyOf({ ...fields, value: plainText(fields['value']).replace(/^-/, '') });
}
