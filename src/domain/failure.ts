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
  /**
   * Asks for room for one request that may fail. Answers how long to wait before asking again; 0 is
   * not at all.
   *
   * @param isWoken a person or the network has just come back; a part of the budget is theirs
   */
  take(isWoken: boolean): Promise<number>;
  /** What became of the request. */
  settle(hasFailed: boolean): Promise<void>;
  /** One more request has failed, for which nothing was taken. */
  spend(): Promise<void>;
}
