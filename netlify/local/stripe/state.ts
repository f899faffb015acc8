/** What Stripe would know about this shop. Plain data, so that it can be kept in a file. */
import type { HookEvent } from '../provider/deliveries.ts';
import { bare } from '../provider/state-file.ts';
import type { SessionParams } from './session-params.ts';

/** Times are in seconds since 1970, as in Stripe's API. */
export interface StoredSession {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly params: SessionParams;
  /** Of the lines, in their order. */
  readonly lineIds: readonly string[];
  status: 'open' | 'complete' | 'expired';
  /** Made when the buyer pays. */
  intent: StoredIntent | null;
}

export interface StoredIntent {
  readonly id: string;
  readonly chargeId: string;
  readonly methodId: string;
  readonly createdAt: number;
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

export interface StripeState {
  readonly sessions: Record<string, StoredSession>;
  readonly answers: Record<string, StoredAnswer>;
  readonly events: Record<string, HookEvent>;
}

/** What was kept, or nothing. Events that the shop has accepted are of no further use. */
export function stateFrom(kept?: StripeState): StripeState {
  const waiting = Object.entries(kept?.events ?? {}).filter(([, event]) => !event.isAccepted);
  return {
    sessions: bare(kept?.sessions ?? {}),
    answers: bare(kept?.answers ?? {}),
    events: bare(Object.fromEntries(waiting)),
  };
}

export function isPaid(session: StoredSession): boolean {
  return session.intent?.status === 'succeeded';
}
