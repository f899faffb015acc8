/**
 * What happens to a payment at either provider: one that is pending is decided, and one that succeeded
 * is refunded or disputed. Each provider tells the shop of it in its own way.
 */
import { Emulator, type EmulatorState } from './emulator.ts';
import {
  type StoredPaymentStatus,
  remainderOf,
  type StoredCheckout,
  type StoredDispute,
  type StoredPayment,
  type StoredRefund,
} from './payment.ts';

export interface PaymentEmulatorState<Checkout> extends EmulatorState {
  readonly checkouts: Record<string, Checkout>;
}

/** What a person can decide about a payment now, by the words of its button. */
export type Decisions = Map<string, () => unknown>;

/** How a payment that was pending ends. */
export type PaymentEnd = 'succeeded' | 'failed';

export abstract class PaymentEmulator<
  Checkout extends StoredCheckout,
  State extends PaymentEmulatorState<Checkout>,
> extends Emulator<State> {
  protected abstract newId(of: 'payment' | 'refund' | 'dispute'): string;

  /** The provider's error where there is no such checkout. */
  protected abstract missing(checkoutId: string): Error;

  /** Tells the shop how a payment that was pending has ended. */
  protected abstract tellDecision(checkout: Checkout, outcome: PaymentEnd): void;

  protected abstract tellRefund(refund: StoredRefund): void;

  /** Tells the shop that a dispute is new, or that it is over. */
  protected abstract tellDispute(dispute: StoredDispute): void;

  /** Newest first. */
  get checkouts(): readonly Checkout[] {
    return Object.values(this.state.checkouts).toReversed();
  }

  /** The payments that succeeded. */
  get payments(): readonly StoredPayment[] {
    return this.checkouts.flatMap(({ payment }) =>
      payment?.status === 'succeeded' ? payment : [],
    );
  }

  /** The money that the provider has taken for the shop: the truth against which orders are checked. */
  get receipts() {
    return this.checkouts.flatMap(({ id: sourceId, reference, payment }) => {
      if (payment?.status !== 'succeeded') return [];
      const { id: paymentId, amount: amountMinor } = payment;
      return { sourceId, paymentId, reference, amountMinor, currency: 'USD' as const };
    });
  }

  /** @throws the provider's error */
  find(checkoutId: string): Checkout {
    const checkout = this.state.checkouts[checkoutId];
    if (checkout === undefined) throw this.missing(checkoutId);
    return checkout;
  }

  /** A payment that was pending succeeds, or fails. @returns false when it is not pending */
  settle(checkoutId: string, outcome: PaymentEnd = 'succeeded'): boolean {
    const checkout = this.find(checkoutId);
    if (checkout.payment?.status !== 'pending') return false;
    checkout.payment.status = outcome;
    this.tellDecision(checkout, outcome);
    return true;
  }

  /** In cents. */
  refundable(payment: StoredPayment): number {
    return remainderOf(payment);
  }

  /**
   * The shop sends money back, from the provider's dashboard.
   *
   * @param amount in cents; all that is left when absent
   */
  refund(
    paymentId: string,
    amount?: number,
    status: StoredPaymentStatus = 'succeeded',
  ): StoredRefund {
    const payment = this.#findPayment(paymentId);
    const left = this.refundable(payment);
    const cents = amount ?? left;
    if (cents > left || left === 0) throw new Error(`Only ${left} cents can be refunded.`);
    const refund = this.addRefund(payment, cents, status);
    this.tellRefund(refund);
    return refund;
  }

  /**
   * The buyer disputes the payment.
   *
   * @param amount in cents; the whole payment when absent
   * @returns false when it is disputed already
   */
  dispute(paymentId: string, amount?: number): boolean {
    const payment = this.#findPayment(paymentId);
    if (payment.dispute) return false;
    payment.dispute = {
      id: this.newId('dispute'),
      paymentId,
      amount: amount ?? payment.amount,
      updatedAt: this.now(),
      status: 'open',
    };
    this.tellDispute(payment.dispute);
    return true;
  }

  /** @returns false when no dispute is open */
  closeDispute(paymentId: string, status: 'won' | 'lost'): boolean {
    const payment = this.#findPayment(paymentId);
    if (payment.dispute?.status !== 'open') return false;
    payment.dispute.status = status;
    payment.dispute.updatedAt = this.now();
    this.tellDispute(payment.dispute);
    return true;
  }

  decisionsOn({ id, payment }: Checkout): Decisions {
    const decisions: Decisions = new Map();
    if (payment?.status === 'pending') {
      decisions.set('The money arrives', () => this.settle(id));
      decisions.set('It fails', () => this.settle(id, 'failed'));
    }
    if (payment?.status !== 'succeeded') return decisions;
    const left = this.refundable(payment);
    if (left > 0) {
      decisions.set('Refund half', () => this.refund(payment.id, Math.ceil(left / 2)));
      decisions.set('Refund the rest', () => this.refund(payment.id));
    }
    if (!payment.dispute) decisions.set('The buyer disputes it', () => this.dispute(payment.id));
    if (payment.dispute?.status === 'open') {
      decisions.set('The shop wins', () => this.closeDispute(payment.id, 'won'));
      decisions.set('The shop loses', () => this.closeDispute(payment.id, 'lost'));
    }
    return decisions;
  }

  protected addPayment(checkout: Checkout, status: StoredPaymentStatus): void {
    const { amount } = checkout;
    const [id, createdAt] = [this.newId('payment'), this.now()];
    checkout.payment = { id, createdAt, amount, status, refunds: [], dispute: null };
  }

  protected addRefund(
    payment: StoredPayment,
    amount: number,
    status: StoredPaymentStatus,
  ): StoredRefund {
    const [id, createdAt] = [this.newId('refund'), this.now()];
    const refund = { id, paymentId: payment.id, createdAt, amount, status };
    payment.refunds.push(refund);
    return refund;
  }

  #findPayment(id: string): StoredPayment {
    const payment = this.payments.find((other) => other.id === id);
    if (payment === undefined) throw new Error(`There is no payment ${id}.`);
    return payment;
  }
}
