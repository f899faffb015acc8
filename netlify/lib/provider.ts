/** What the shop learns from either provider, in the same form for both. */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import type { Minor } from '../../src/domain/money.ts';
import type { PaymentMode } from './env.ts';

export type Provider = 'stripe' | 'paypal';

/** The provider did not answer, or answered "later": it may or may not have acted. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The codes of an error of Stripe's, whose message may hold what the shopper typed; any other error as it is. */
export function withoutStripeMessage(thrown: unknown): unknown {
  const fields = fieldsOf(thrown);
  if (!('rawType' in fields)) return thrown;
  // Without an answer of Stripe's there is only the SDK's own type.
  const { type, rawType = type, code, requestId } = fields;
  const codes = [rawType, code, requestId].map(plainText).filter((text) => text !== '');
  return `Stripe: ${codes.join(' ')}`;
}

/** The timeout and the retries of requests to a provider, where a caller needs others than the usual ones. */
export interface RequestOptions {
  /** The time that one request may take. */
  readonly timeoutMs?: number;
  /** How often Stripe's SDK repeats a request that got no answer. */
  readonly retries?: number;
}

/** What a provider reports about a payment, in the terms of `apply_payment`. */
export interface PaymentEvent {
  readonly provider: Provider;
  /** An event that arrives twice has the same id both times. */
  readonly eventId: string;
  /** Id of the Checkout Session at Stripe, of the order at PayPal. */
  readonly reference: string;
  readonly outcome: 'captured' | 'pending' | 'failed' | 'expired';
  readonly amountMinor: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string | null;
  readonly mode: PaymentMode;
  /** The provider's id of the capture; null while there is none. */
  readonly captureId: string | null;
  /** The account at PayPal that gets the money; null where PayPal does not say. Absent at Stripe. */
  readonly payee?: string | null;
}

/**
 * The event for a payment that can no longer be made, and of which no amount is known.
 *
 * - `missing` the provider has no such payment
 * - `over`    the provider has ended it
 * - `no-keys` its time is over, and the shop has no keys to ask the provider with
 */
export function expiryWithoutPayment(
  provider: Provider,
  reference: string,
  mode: PaymentMode,
  reason: 'missing' | 'over' | 'no-keys',
): PaymentEvent {
  const nothing = { amountMinor: null, currency: null, captureId: null };
  const eventId = `ask:${reference}:${reason}`;
  return { provider, eventId, reference, outcome: 'expired', mode, ...nothing };
}

/** Money that goes back, or may have to, in the terms of `apply_reversal`. */
export interface Reversal {
  readonly provider: Provider;
  readonly kind: 'refund' | 'dispute';
  /** The provider's id of the refund or dispute. */
  readonly id: string;
  /** The provider's id of the payment, as `PaymentEvent.captureId`. */
  readonly paymentId: string;
  /** Of a refund: pending, done, failed. Of a dispute: open, won (the shop keeps the money), lost. */
  readonly state: 'pending' | 'done' | 'failed' | 'open' | 'won' | 'lost';
  readonly amountMinor: Minor | null;
  readonly currency: string | null;
  readonly mode: PaymentMode;
  /** When the provider said so, by its own clock. */
  readonly saidAt: Date;
}
