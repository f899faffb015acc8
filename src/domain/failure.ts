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
