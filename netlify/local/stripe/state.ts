/** What Stripe would know about this shop. Times are in milliseconds since 1970. */
import type { StoredCheckout } from '../provider/payment.ts';
import type { PaymentEmulatorState } from '../provider/payment-emulator.ts';
import type { SessionParams } from './session-params.ts';

export interface StoredSession extends StoredCheckout {
  readonly expiresAt: number;
  readonly params: SessionParams;
  status: 'open' | 'complete' | 'expired';
}

/** An answer that is given again to a request with the same idempotency key. */
export interface StoredAnswer {
  readonly path: string;
  readonly form: string;
  readonly at: number;
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export interface StripeState extends PaymentEmulatorState<StoredSession> {
  /** The first answer to each idempotency key. */
  readonly answers: Record<string, StoredAnswer>;
}
