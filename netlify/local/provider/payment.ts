/** A payment and the money that goes back of it. Amounts are in cents, times in milliseconds since 1970. */
export interface StoredPayment {
  readonly id: string;
  readonly createdAt: number;
  readonly amount: number;
  /** The session or the order at the provider. */
  readonly sourceId: string;
  /** What the shop called it. */
  readonly reference: string;
  readonly refunds: StoredRefund[];
  dispute: StoredDispute | null;
}

export interface StoredRefund {
  readonly id: string;
  readonly createdAt: number;
  readonly amount: number;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface StoredDispute {
  readonly id: string;
  readonly createdAt: number;
  readonly amount: number;
  updatedAt: number;
  status: 'open' | 'won' | 'lost';
}

/** What is left of a payment after its refunds. */
export function remainderOf({ amount, refunds }: StoredPayment): number {
  const gone = refunds.filter(({ status }) => status !== 'failed');
  return gone.reduce((left, refund) => left - refund.amount, amount);
}

/** In words for the list of payments. */
export function stateOf({ refunds, dispute }: StoredPayment): string {
  if (dispute) return `paid, disputed: ${dispute.status}`;
  return refunds.length > 0 ? 'paid, refunded' : 'paid';
}
