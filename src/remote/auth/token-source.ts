/**
 * Access tokens. `tokenSource` hands out the token of the stored session. `withToken` sends a request with
 * that token, and retries it with another if the server rejects the token.
 */
import {
  type Answer,
  type BackendFailure,
  NO_TOKEN,
  SIGN_IN_NEEDED,
} from '../../domain/failure.ts';
import type { Renewal } from './refresh.ts';
import { parseSession, type Session, type SessionStore } from './session.ts';

/** Hands out access tokens of the shopper `uid`, never of another shopper. */
export interface TokenSource {
  accessToken(uid: string): Promise<Answer<string>>;
  /**
   * Call after the server has rejected a token. Answers with another one, or that there is none.
   *
   * @param rejectedToken the last one handed out when absent
   */
  refreshNow(uid: string, rejectedToken?: string): Promise<Answer<string>>;
}

/**
 * Sends a request with the shopper's token and, when the server rejects the token, once more with
 * another.
 *
 * Only the auth service ends a session, by not issuing a token. When the server rejects a token that
 * the auth service has just renewed, the fault is the server's: the caller gets its answer and treats
 * it as a temporary failure.
 */
export async function withToken<T>(
  tokens: TokenSource,
  uid: string,
  send: (token: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const first = await tokens.accessToken(uid);
  if (!first.ok) return first;
  const answer = await send(first.value);
  if (answer.ok || !isTokenRejected(answer.failure)) return answer;
  const second = await tokens.refreshNow(uid, first.value);
  return second.ok ? send(second.value) : second;
}

/** SQLSTATE of row-level security: the token is valid, but belongs to another shopper. */
const NOT_YOURS = '42501';

/**
 * PostgREST's PGRST301 to 303, the gateway in front of it and the shop's functions answer 401 to a
 * bad or expired token. PGRST300 is a 500: PostgREST itself lacks its secret, and no token helps.
 */
export function isTokenRejected(failure: BackendFailure): boolean {
  if (failure.kind !== 'rejected') return false;
  return failure.status === 401 || failure.code === NOT_YOURS;
}

/**
 * A token that expires sooner than this may expire before it reaches the server. While a tab is visible,
 * auth-js renews the token 90 s before it expires (three of its ticks, see `client.ts`), so this matters only
 * after the tab was hidden, slept or had no network.
 */
const MARGIN_MS = 10_000;

/**
 * Hands out the shopper's access token, and renews it when it seems to have expired. It does not wait
 * for auth-js, so an expired token without a network costs milliseconds, and not the 25 s for which auth-js retries.
 *
 * When the renewal fails, it hands out the old token: only the server can tell whether that has expired,
 * because the phone's clock may be wrong by a day. A token that the server has rejected (`refreshNow`) is
 * not handed out again.
 */
export function tokenSource(
  store: SessionStore,
  renew: (refreshToken: string) => Promise<Renewal>,
  now: () => number,
): TokenSource {
  let handedOut: string | undefined;
  let rejected: string | null = null;

  async function sessionOf(uid: string): Promise<Session | null> {
    const session = parseSession(await store.getItem(store.key));
    return session?.uid === uid ? session : null;
  }

  function handOut({ accessToken }: Session): Answer<string> {
    handedOut = accessToken;
    return { ok: true, value: accessToken };
  }

  async function renewed(uid: string, session: Session): Promise<Answer<string>> {
    const renewal = await renew(session.refreshToken);
    // The renewal may have taken seconds, and the shopper may have logged out in another tab.
    const stored = await sessionOf(uid);
    if (!stored) return SIGN_IN_NEEDED;
    if (renewal.kind === 'session' && renewal.session.uid === uid) return handOut(renewal.session);
    if (renewal.kind !== 'offline') return SIGN_IN_NEEDED;
    return stored.accessToken === rejected ? NO_TOKEN : handOut(stored);
  }

  return {
    async accessToken(uid) {
      const session = await sessionOf(uid);
      if (!session) return SIGN_IN_NEEDED;
      const isFresh = now() < session.expiresAtMs - MARGIN_MS;
      return isFresh && session.accessToken !== rejected ? handOut(session) : renewed(uid, session);
    },

    async refreshNow(uid, rejectedToken = handedOut) {
      const session = await sessionOf(uid);
      if (!session) return SIGN_IN_NEEDED;
      // Another request or another tab has renewed the session, and the server has not rejected the new token yet.
      const isRenewed = rejectedToken !== undefined && session.accessToken !== rejectedToken;
      if (isRenewed && session.accessToken !== rejected) return handOut(session);
      rejected = session.accessToken;
      return renewed(uid, session);
    },
  };
}
