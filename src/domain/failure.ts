import type { Fields } from './fields.ts';

/**
 * Why a request to the backend failed.
 *
 * - `offline`   the shop itself did not answer: no network, an interrupted or timed-out request, or the
 *               page of a captive portal or a proxy, whose HTTP status is `status`
 * - `sign-in`   the auth service has ended the session
 * - `rejected`  the backend answered with an error
 */
export type BackendFailure =
  | {
      readonly kind: 'offline';
      readonly status?: number;
      /** There was no token to send the request with: the auth service did not answer. */
      readonly isUnsent?: true;
    }
  | { readonly kind: 'sign-in' }
  | Rejection;

export interface Rejection {
  readonly kind: 'rejected';
  /** The HTTP status. */
  readonly status: number;
  /** An SQLSTATE, or a code of PostgREST, of the auth service or of the shop's functions. */
  readonly code: string | null;
  /** The backend's own sentence. */
  readonly message: string | null;
  /** The shortest pause that the backend asks for. */
  readonly retryAfterMs?: number;
  /** The whole answer, for fields that only one code has. */
  readonly fields?: Fields;
}

/** Whether the backend says that what the request is for, such as the shopper's account, does not exist any more. */
export function isGone(failure: BackendFailure): boolean {
  return failure.kind === 'rejected' && failure.status === 410;
}

/** The outcome of one call to the backend: failures are values. */
export type Answer<T, F = BackendFailure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

export const OFFLINE = { ok: false, failure: { kind: 'offline' } } as const;
export const NO_TOKEN = { ok: false, failure: { kind: 'offline', isUnsent: true } } as const;
export const SIGN_IN_NEEDED = { ok: false, failure: { kind: 'sign-in' } } as const;
