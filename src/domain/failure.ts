/**
 * Why something asked of the backend did not happen.
 *
 * - `offline`  no answer came: no network, cut off, timed out, or an answer that was not ours (a
 *              captive portal's page)
 * - `refused`  the backend answered with an error; `message` is its own
 */
export type BackendFailure =
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** The outcome of one call to the backend: failures are values. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: BackendFailure };

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
