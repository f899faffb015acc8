/**
 * Finds the payments that a restored database does not know: the providers took them after the backup,
 * and no order counts them. Changes nothing.
 */
import type { OrderState } from '../../src/domain/order.ts';
import { NotConfigured } from './env.ts';
import { replaceControls } from './escape.ts';
import type { Ports } from './payments.ts';
import { paymentsAtPayPal } from './paypal-payments.ts';
import type { Provider, ProviderPayment } from './provider.ts';
import { paymentsAtStripe } from './stripe-payments.ts';

export interface ForgottenPayment extends ProviderPayment {
  /** The state of the order that the payment names; null when the database has no such order. */
  readonly orderState: OrderState | null;
}

export interface ForgottenPayments {
  readonly forgotten: readonly ForgottenPayment[];
  /** How many payments of the providers were compared with the database. */
  readonly compared: number;
  /** A sentence for each provider that could not be asked, because the shop has no keys for it. */
  readonly unasked: readonly string[];
}

/**
 * The search begins this long before the backup, because clocks differ and a payment may have begun before
 * the backup and succeeded after it.
 */
const MARGIN_MS = 60 * 60 * 1000;

/**
 * @param since when the backup was made
 * @throws ProviderUnavailable, DatabaseUnavailable when it may be tried again
 */
export async function findForgottenPayments(ports: Ports, since: Date): Promise<ForgottenPayments> {
  const from = new Date(since.getTime() - MARGIN_MS);
  const payments: ProviderPayment[] = [];
  const unasked: string[] = [];
  for (const paymentsAt of [paymentsAtStripe, paymentsAtPayPal]) {
    try {
      payments.push(...(await paymentsAt(ports, from)));
    } catch (thrown) {
      if (!(thrown instanceof NotConfigured)) throw thrown;
      unasked.push(thrown.message);
    }
  }
  return { forgotten: await selectUncounted(ports, payments), compared: payments.length, unasked };
}

/** Selects the payments that no order counts, oldest first. */
async function selectUncounted(
  { call }: Ports,
  payments: readonly ProviderPayment[],
): Promise<readonly ForgottenPayment[]> {
  const listed = payments.map(({ provider, paymentId, orderId, hasArrived }) => ({
    provider,
    payment: paymentId,
    order: orderId,
    has_arrived: hasArrived,
  }));
  // The database's function `payments_not_counted` builds this shape.
  const uncounted = (await call('payments_not_counted', { p_payments: listed })) as readonly {
    readonly provider: Provider;
    readonly payment: string;
    readonly state: OrderState | null;
  }[];
  const stateByPayment = new Map(
    uncounted.map(({ provider, payment, state }) => [provider + payment, state]),
  );
  return payments
    .filter(({ provider, paymentId }) => stateByPayment.has(provider + paymentId))
    .map((payment) => {
      const orderState = stateByPayment.get(payment.provider + payment.paymentId) ?? null;
      return { ...payment, orderState };
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * One line about a payment, for the shop's staff. Control characters are replaced, because the payer chose the
 * email address.
 */
export function describePayment(payment: ForgottenPayment): string {
  const { provider, paymentId, orderId, amountMinor, currency, at, email } = payment;
  const amount = amountMinor === null ? 'unknown' : (amountMinor / 100).toFixed(2);
  const order = payment.orderState ?? 'not in the database';
  const line = [
    provider,
    paymentId,
    `${amount} ${currency ?? ''}`.trim(),
    Number.isNaN(at.getTime()) ? 'time unknown' : at.toISOString(),
    email ?? 'no address given',
    `order ${orderId}: ${order}`,
    ...(payment.hasArrived ? [] : ['not arrived yet']),
  ].join('  ');
  return replaceControls(line);
}
