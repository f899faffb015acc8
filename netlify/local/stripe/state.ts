/** What Stripe would know about this shop. Plain data, so that it can be kept in a file. */
import type { EmulatorState } from '../provider/emulator.ts';
import type { StoredPayment } from '../provider/payment.ts';
import type { SessionParams } from './session-params.ts';

/** Times are in seconds since 1970, as in Stripe's API. */
export interface StoredSession {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly params: SessionParams;
  status: 'open' | 'complete' | 'expired';
  /** Made when the buyer pays. */
  intent: StoredIntent | null;
}

export interface StoredIntent extends StoredPayment {
  status: 'processing' | 'succeeded' | 'requires_payment_method';
}

/** The answer to the first request with this idempotency key. */
export interface StoredAnswer {
  readonly path: string;
  readonly form: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export interface StripeState extends EmulatorState {
  readonly sessions: Record<string, StoredSession>;
  readonly answers: Record<string, StoredAnswer>;
}

export function isPaid({ intent }: StoredSession): boolean {
  return intent?.status === 'succeeded';
}
