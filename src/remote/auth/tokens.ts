import { type Answer, OFFLINE, SIGN_IN_NEEDED } from '../../domain/failure.ts';
import { type Renewal, withTimeout } from './refresh.ts';
import { parseSession, type Session, type SessionStore } from './session.ts';
import type { TokenSource } from './token-source.ts';

/** Both calls answer within this time. */
const ANSWER_MS = 9000;
/** A token with less than this left may be rejected on its way. */
const MARGIN_MS = 10_000;

/**
 * Hands out the shopper's access token, renewed when it looks worn out. Nothing here waits for
 * auth-js, so an expired token and no network cost milliseconds and not 25 s.
 *
 * When it cannot be renewed, the token is handed out as it is: only the server knows that it is
 * worn out, for the clock may be wrong by a day, or only the auth service away. Once the server has
 * rejected it (`refreshNow`) it is not handed out again.
 */
export function tokenSource(
  store: SessionStore,
  renew: (refreshToken: string) => Promise<Renewal>,
  now: () => number,
): TokenSource {
  let handedOut: string | null = null;
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
    const renewal = await withTimeout(ANSWER_MS, renew(session.refreshToken));
    // That may have taken seconds, and the shopper may have logged out in another tab meanwhile.
    const stored = await sessionOf(uid);
    if (!stored) return SIGN_IN_NEEDED;
    if (renewal.kind === 'session' && renewal.session.uid === uid) return handOut(renewal.session);
    if (renewal.kind !== 'offline') return SIGN_IN_NEEDED;
    return stored.accessToken === rejected ? OFFLINE : handOut(stored);
  }

  return {
    async accessToken(uid) {
      const session = await sessionOf(uid);
      if (!session) return SIGN_IN_NEEDED;
      const isFresh = now() < session.expiresAtMs - MARGIN_MS;
      return isFresh && session.accessToken !== rejected ? handOut(session) : renewed(uid, session);
    },

    async refreshNow(uid) {
      const session = await sessionOf(uid);
      if (!session) return SIGN_IN_NEEDED;
      // Renewed since by another tab: this one has not been rejected yet.
      if (handedOut !== null && session.accessToken !== handedOut) return handOut(session);
      rejected = session.accessToken;
      return renewed(uid, session);
    },
  };
}
