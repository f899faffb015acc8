import { fieldsOf } from '../../domain/fields.ts';
import { REQUEST_TIMEOUT_MS, type RefreshOptions } from './refresh.ts';
import { parseJson, parseSession, storableSession } from './session.ts';

/**
 * The outcome for the tokens that a link from a mail has put into the address.
 *
 * - `none`       the address has no tokens
 * - `signed-in`  the session is stored, and the shopper is signed in
 * - `rejected`   the auth server rejects them
 * - `offline`    the auth server did not answer; the address keeps them, so a reload tries again
 * - `other`      another shopper is signed in here, and a link must not change that
 */
export type LinkOutcome = 'none' | 'signed-in' | 'rejected' | 'offline' | 'other';

/** Asks the auth server which shopper the tokens belong to, and stores them as a session. */
export async function openLink(
  { url, key, store, fetch, now }: RefreshOptions,
  tokens: Readonly<Record<string, string>>,
): Promise<LinkOutcome> {
  try {
    const response = await fetch(`${url}/auth/v1/user`, {
      headers: { apikey: key, authorization: `Bearer ${tokens['access_token']}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const user = parseJson(await response.text());
    if (response.status === 401 || response.status === 403) {
      return fieldsOf(user)['error_code'] === undefined ? 'offline' : 'rejected';
    }
    if (!response.ok) return 'offline';
    const expires_in = Number(tokens['expires_in'] ?? 0);
    const text = storableSession({ ...tokens, expires_in, user }, now());
    if (text === null) return 'offline';
    const own = parseSession(text)?.uid;
    const isStored = await store.replaceIf(
      store.key,
      (present) => (parseSession(present)?.uid ?? own) === own,
      text,
    );
    return isStored ? 'signed-in' : 'other';
  } catch {
    return 'offline';
  }
}
