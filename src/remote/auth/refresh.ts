/**
 * Renews a session: one request at a time over all tabs, and only the auth server itself ends a session.
 *
 * auth-js 2.119 on its own ends a session for 429, 403, 404, 408, 511 or a captive portal's `200 {}`,
 * and after a failure does not retry for 60 s. It takes no lock either: its `lock` option is deprecated,
 * warns, and delays every call while a refresh may retry (30 s). So this module locks only the refresh
 * itself, and auth-js sends its own refreshes through here.
 */
import { withLock } from '../../browser/lock.ts';
import { fieldsOf, parseJson } from '../../domain/fields.ts';
import { parseSession, type Session, type SessionStore, storableSession } from './session.ts';

export interface RefreshOptions {
  readonly url: string;
  /** The publishable key. */
  readonly key: string;
  readonly store: SessionStore;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Absent in old browsers: then two tabs may renew at once, which the server tolerates for 10 s. */
  readonly locks: LockManager | undefined;
  /** Shorter in tests. */
  readonly refreshTimeoutMs?: number | undefined;
}

export type Renewal =
  | { readonly kind: 'session'; readonly session: Session; readonly text: string }
  /** The auth server has ended the session, or the shopper has logged out meanwhile. */
  | { readonly kind: 'ended' }
  /** The auth server did not answer: the session stays as it is. */
  | { readonly kind: 'offline' };

/** For requests to the auth server other than refreshes. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** From the request for the lock to the answer: so long a caller waits for a token. */
const REFRESH_TIMEOUT_MS = 8000;
/** After this wait a refresh goes on without the lock: a tab that the system froze may hold it for ever. */
const LOCK = { name: 'weft-session', waitMs: 3000 };

/**
 * The codes with which GoTrue rejects a refresh token for good. Source: supabase/auth,
 * internal/tokens/service.go (`validation_failed`: the token was never issued, or a restore from a
 * backup has lost it) and internal/api/token.go; names as in auth-js, lib/error-codes.ts.
 */
const FINAL = new Set([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_not_found',
  'session_expired',
  'user_not_found',
  'user_banned',
  'validation_failed',
]);
const FINAL_STATUS = new Set([400, 401, 403]);

/** Returns a function that renews the session, unless its refresh token has been replaced already. */
export function refresher(options: RefreshOptions): (refreshToken: string) => Promise<Renewal> {
  const { store, refreshTimeoutMs = REFRESH_TIMEOUT_MS } = options;
  let running: { readonly refreshToken: string; readonly renewal: Promise<Renewal> } | null = null;

  async function stored(): Promise<Renewal> {
    const text = await store.getItem(store.key);
    const session = parseSession(text);
    return session && text !== null ? { kind: 'session', session, text } : { kind: 'ended' };
  }

  async function renew(refreshToken: string, signal: AbortSignal): Promise<Renewal> {
    const current = await stored();
    // Another tab has renewed the session, or another shopper has signed in.
    if (current.kind !== 'session' || current.session.refreshToken !== refreshToken) return current;
    const answer = await requestRenewal(options, refreshToken, signal);
    if (answer.kind === 'offline') return answer;
    const hasThisToken = (text: string | null) => parseSession(text)?.refreshToken === refreshToken;
    // null removes the session.
    await store.replaceIf(hasThisToken, answer.kind === 'session' ? answer.text : null);
    // The stored session counts: the shopper may have logged out before the answer came.
    return stored();
  }

  return (refreshToken) => {
    if (running?.refreshToken === refreshToken) return running.renewal;
    const signal = AbortSignal.timeout(refreshTimeoutMs);
    const work = withLock(options.locks, LOCK, () => renew(refreshToken, signal));
    // The timeout works even where the request or the lock ignores the signal.
    const renewal = offlineAfter(refreshTimeoutMs, work).finally(() => {
      if (running?.renewal === renewal) running = null;
    });
    running = { refreshToken, renewal };
    return renewal;
  };
}

/** The renewal's outcome, or `offline` after `ms`. */
function offlineAfter(ms: number, renewal: Promise<Renewal>): Promise<Renewal> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'offline' }), ms);
    renewal.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** `session`: the new session, as it is stored. */
type Refreshed =
  | { readonly kind: 'session'; readonly text: string }
  | { readonly kind: 'ended' | 'offline' };

/** Asks the auth server for a new session. Does not store it. */
async function requestRenewal(
  options: RefreshOptions,
  refreshToken: string,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { url, key, fetch, now } = options;
  try {
    const response = await fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: refreshToken }),
      signal,
    });
    const body = parseJson(await response.text());
    const text = response.ok ? storableSession(body, now()) : null;
    if (text !== null) return { kind: 'session', text };
    const code = errorCodeOf(body);
    const isFinal = FINAL_STATUS.has(response.status) && code !== null && FINAL.has(code);
    return { kind: isFinal ? 'ended' : 'offline' };
  } catch {
    return { kind: 'offline' };
  }
}

/** GoTrue's error code, in either of its two forms; null for an answer that is not GoTrue's. */
function errorCodeOf(body: unknown): string | null {
  const { error_code, code } = fieldsOf(body);
  if (typeof error_code === 'string') return error_code;
  return typeof code === 'string' ? code : null;
}
