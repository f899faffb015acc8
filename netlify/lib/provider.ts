/** What Stripe and PayPal have in common, as far as an order is concerned. */
import type { Minor } from '../../src/domain/money.ts';
import type { PaymentMode } from './env.ts';

export type Provider = 'stripe' | 'paypal';

/** No answer, or one that means "later": it is not known what the provider did. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Something that a provider said of a payment, in the words of `apply_payment`. */
export interface PaymentEvent {
  readonly provider: Provider;
  /** The same event told twice has the same id. */
  readonly eventId: string;
  /** Id of the Checkout Session at Stripe, of the order at PayPal. */
  readonly reference: string;
  /** Our order, as the payment itself names it; null when it does not. */
  readonly orderId: string | null;
  readonly outcome: 'captured' | 'pending' | 'failed' | 'expired';
  readonly amountMinor: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string | null;
  readonly mode: PaymentMode;
  /** Names the money; null while there is none. */
  readonly captureId: string | null;
}

/** A payment as its provider tells of it. */
export interface ProviderPayment {
  readonly provider: Provider;
  /** Names the money. */
  readonly paymentId: string;
  /** The order that the payment itself names. */
  readonly orderId: string;
  readonly amountMinor: Minor | null;
  readonly currency: string | null;
  readonly at: Date;
  readonly email: string | null;
  /** Whether the money is there; some ways to pay take days. */
  readonly hasArrived: boolean;
}
