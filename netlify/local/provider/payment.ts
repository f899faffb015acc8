/** What the providers know about a payment: amounts are in cents, times in milliseconds since 1970. */

/** What the shop asks a buyer to pay: a session of Stripe's, an order of PayPal's. */
export interface StoredCheckout {
  readonly id: string;
  readonly createdAt: number;
  readonly amount: number;
  /** What the shop calls it; empty where it gave no name. */
  readonly reference: string;
  /** In the provider's own words. */
  readonly status: string;
  /** Made when the buyer pays. */
  payment: StoredPayment | null;
}

export type StoredPaymentStatus = 'pending' | 'succeeded' | 'failed';

export interface StoredPayment {
  readonly id: string;
  readonly createdAt: number;
  readonly amount: number;
  status: StoredPaymentStatus;
  readonly refunds: StoredRefund[];
  dispute: StoredDispute | null;
}

/** Money that goes back. */
export interface StoredReversal {
  readonly id: string;
  readonly paymentId: string;
  readonly amount: number;
}

export interface StoredRefund extends StoredReversal {
  readonly createdAt: number;
  status: StoredPaymentStatus;
}

export interface StoredDispute extends StoredReversal {
  updatedAt: number;
  status: 'open' | 'won' | 'lost';
}

/** What is left of a payment after its refunds. */
export function remainderOf({ amount, refunds }: StoredPayment): number {
  const gone = refunds.filter(({ status }) => status !== 'failed');
  return gone.reduce((left, refund) => left - refund.amount, amount);
}

/** In words for a person. */
export function stateOf({ status, payment }: StoredCheckout): string {
  if (payment === null) return `not paid: ${status}`;
  if (payment.status !== 'succeeded') return payment.status;
  if (payment.dispute) return `paid, disputed: ${payment.dispute.status}`;
  return payment.refunds.length > 0 ? 'paid, refunded' : 'paid';
}
