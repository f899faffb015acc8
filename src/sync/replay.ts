/**
 * Sending what waits while no page is open, in the service worker, when the platform says that the
 * network is back.
 *
 * It sends and no more. What was sent stays in the outbox until a page's pull shows it, and the
 * server applies an id once, so it may run beside a page, twice, or be cut anywhere. It never renews
 * the session: a refresh token that is used twice ends the session, and only pages take turns at it.
 */
import type { Waiting } from '../db/waiting-read.ts';
import { SIGN_IN_NEEDED } from '../domain/failure.ts';
import { parseSession } from '../remote/auth/session.ts';
import { PUSH_LIMIT, type ShopperRemote } from '../remote/shopper.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';

/** A token with less than this left is not used. */
const MARGIN_MS = 30_000;

/** The stored token as long as it holds, and after that none. */
export function keptToken(session: string, now: () => number): TokenSource {
  return {
    async accessToken(uid) {
      const kept = parseSession(session);
      if (kept?.uid !== uid || kept.expiresAtMs - now() < MARGIN_MS) return SIGN_IN_NEEDED;
      return { ok: true, value: kept.accessToken };
    },
    refreshNow: async () => SIGN_IN_NEEDED,
  };
}

/**
 * Sends what waits, oldest first. `sign-in`: only a page can, and another attempt here would not
 * help. `again`: the network or the server was unwell.
 */
export async function replay(
  { uid, device, changes }: Waiting,
  remote: Pick<ShopperRemote, 'push'>,
  signal: AbortSignal,
): Promise<'sent' | 'sign-in' | 'again'> {
  for (let from = 0; from < changes.length; from += PUSH_LIMIT) {
    const answer = await remote.push(uid, device, changes.slice(from, from + PUSH_LIMIT), signal);
    if (!answer.ok) return answer.failure.kind === 'sign-in' ? 'sign-in' : 'again';
  }
  return 'sent';
}
