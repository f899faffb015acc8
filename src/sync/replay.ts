/**
 * Sends the outbox from the service worker, when the platform reports a network and, as far
 * as the worker knows, no open page sends it.
 *
 * The worker only pushes. The changes stay in the outbox until a page's pull acknowledges them, and the server
 * applies each id once. So the worker may push while a page does, push twice, or be stopped anywhere. It never
 * renews the session: using a refresh token twice ends the session, and only pages lock the refresh.
 */
import type { PendingChanges } from '../db/pending-read.ts';
import { SIGN_IN_NEEDED } from '../domain/failure.ts';
import { parseSession } from '../remote/auth/session.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';

/** The worker uses a token only if it stays valid for at least this time. */
const MARGIN_MS = 30_000;

/** A source of the stored token. Answers `sign-in` when the token has expired or is about to. */
export function keptToken(session: string, now: () => number): TokenSource {
  return {
    async accessToken(uid) {
      const stored = parseSession(session);
      if (stored?.uid !== uid || stored.expiresAtMs - now() < MARGIN_MS) return SIGN_IN_NEEDED;
      return { ok: true, value: stored.accessToken };
    },
    refreshNow: async () => SIGN_IN_NEEDED,
  };
}

/**
 * Sends changes, oldest first.
 *
 * `sign-in`: the token has expired or was rejected, and only a page can renew it. `failed`: no answer, or another
 * rejection; the platform tries again later.
 */
export async function replay(
  { uid, device, changes }: PendingChanges,
  remote: Pick<ShopperRemote, 'push'>,
  signal: AbortSignal,
): Promise<'sent' | 'sign-in' | 'failed'> {
  for (let from = 0; from < changes.length; from += PUSH_LIMIT) {
    const answer = await remote.push(uid, device, changes.slice(from, from + PUSH_LIMIT), signal);
    if (!answer.ok) return answer.failure.kind === 'sign-in' ? 'sign-in' : 'failed';
  }
  return 'sent';
}
