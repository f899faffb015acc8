/**
 * Payments that PayPal lists (Transaction Search API, version 1). The PayPal app needs permission to
 * search, and a payment may take three hours to appear. Source: developer.paypal.com/docs/api.
 */
import { type Fields, fieldsOf } from '../../src/domain/fields.ts';
import { NotConfigured } from './env.ts';
import { orderIdOrNull } from './orders.ts';
import type { Ports } from './payments.ts';
import { listOf, moneyOf } from './paypal-order.ts';
import { ProviderUnavailable, type ProviderPayment } from './provider.ts';

/** A day less than the 31 days that PayPal searches at most. */
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/** Lists the payments since a time for orders of this shop. @throws ProviderUnavailable, NotConfigured */
export async function paymentsAtPayPal(
  ports: Ports,
  since: Date,
): Promise<readonly ProviderPayment[]> {
  const endMs = ports.now().getTime();
  // By id: PayPal lists a payment at the very end of one window in the next window too.
  const payments = new Map<string, ProviderPayment>();
  for (let fromMs = since.getTime(); fromMs <= endMs; fromMs += WINDOW_MS) {
    const window = { from: new Date(fromMs), to: new Date(Math.min(fromMs + WINDOW_MS, endMs)) };
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const body = await pageOf(ports, window, page);
      pages = Number(body['total_pages'] ?? 1);
      for (const payment of listOf(body['transaction_details']).flatMap(paymentOf)) {
        payments.set(payment.paymentId, payment);
      }
    }
  }
  return [...payments.values()];
}

async function pageOf(ports: Ports, window: { from: Date; to: Date }, page: number) {
  const answer = await ports.wallet().searchPayments(window, page);
  if (answer.ok) return answer.body;
  if (answer.status === 401 || answer.status === 403) {
    throw new NotConfigured(
      'PayPal does not let this app search transactions: switch on “Transaction search” for it.',
    );
  }
  throw new ProviderUnavailable(`PayPal: the search for payments answered ${answer.issue}`);
}

/** A list of one; empty for a payment of no order here, for a refund, and for a payment that failed. */
function paymentOf(detail: Fields): ProviderPayment[] {
  const info = fieldsOf(detail['transaction_info']);
  const { transaction_id: paymentId, transaction_status: status } = info;
  const orderId = orderIdOrNull(info['custom_field']) ?? orderIdOrNull(info['invoice_id']);
  // T00…: payments. Source: PayPal, "Transaction event codes".
  const isPayment = String(info['transaction_event_code']).startsWith('T00');
  if (orderId === null || !isPayment || typeof paymentId !== 'string') return [];
  // S: succeeded, P: pending. Source: PayPal's API specification, `transaction_status`.
  if (status !== 'S' && status !== 'P') return [];
  const { email_address: email } = fieldsOf(detail['payer_info']);
  return [
    {
      provider: 'paypal',
      paymentId,
      orderId,
      ...moneyOf(info['transaction_amount']),
      at: new Date(String(info['transaction_initiation_date'])),
      email: typeof email === 'string' ? email : null,
      hasArrived: status === 'S',
    },
  ];
}
