import type { Fields } from './fields.ts';

/**
 * Why something asked of the backend did not happen.
 *
 * - `offline`   no answer of the shop's own came: no network, cut off, timed out, or the page of a
 *               captive portal or a proxy, which had this HTTP status
 * - `sign-in`   the auth service has ended the session
 * - `rejected`  the backend answered with an error
 */
export type BackendFailure =
  | { readonly kind: 'offline'; readonly status?: number }
  | { readonly kind: 'sign-in' }
  | Rejection;

export interface Rejection {
  readonly kind: 'rejected';
  /** Of HTTP. */
  readonly status: number;
  /** An SQLSTATE, or a code of PostgREST, of the auth service or of the shop's functions. */
  readonly code: string | null;
  /** The backend's own sentence. */
  readonly message: string | null;
  /** How long the backend asks to be left alone, at least. */
  readonly retryAfterMs?: number;
  /** The whole answer, for what belongs to one code. */
  readonly fields?: Fields;
}

/** The outcome of one call to the backend: failures are values. */
export type Answer<T, F = BackendFailure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

export const OFFLINE = { ok: false, failure: { kind: 'offline' } } as const;
export const SIGN_IN_NEEDED = { ok: false, failure: { kind: 'sign-in' } } as const;

/** How many more requests of this device may fail for now, all of its tabs together. */
export interface FailureBudget {
  /** Whether there is room for one request that may fail. Without, ask again in `ASK_AGAIN_MS`. */
  take(what: Asker): boolean;
  /** What became of the request. */
  settle(hasFailed: boolean): void;
  /** One more request has failed, for which nothing was taken. */
  spend(): void;
}

/**
 * Who asks for room; each finds some that those before it cannot use up.
 *
 * - `background` nobody waits for it
 * - `catalogue`  a person or the network has just come back
 * - `changes`    the same, and what the shopper did may have to be sent
 * - `session`    without it the others fail
 */
export type Asker = 'background' | 'catalogue' | 'changes' | 'session';

/** A request that succeeds makes room at once; who waits for it finds it within so much time. */
export const ASK_AGAIN_MS = 1000;
