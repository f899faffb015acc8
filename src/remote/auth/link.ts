/**
 * Uses what a link from a mail has put into the page's URL.
 *
 * Only a link for a new password signs in. A stranger may have registered an email address before its owner:
 * GoTrue keeps that stranger's password, and mails the link again at a later registration. So an owner who has
 * confirmed the email address must sign in with a password of their own. If the stored password is the
 * stranger's, that login fails, and the owner asks for a new password, which ends all other sessions.
 * Source: supabase/auth, internal/api/signup.go.
 *
 * A stranger can send a link with tokens of an account of their own, and then read what the visitor types
 * there (login CSRF). So only a link that this device has asked for signs in: the server then sends a `code`
 * that is good only with the verifier that this device keeps (PKCE, RFC 7636). Other tokens sign nobody in.
 */
import { answerFor, clientForOneCall, type Renew } from './client.ts';
import type { RefreshOptions } from './refresh.ts';
import { parseSession } from './session.ts';

/**
 * The outcome of a followed link.
 *
 * - `none`       the URL is not that of a link
 * - `confirmed`  the email address is confirmed, which signs no one in
 * - `recovery`   the link is for a new password: its session is stored, and the shopper is signed in
 * - `elsewhere`  another browser has asked for the link, and only that browser can use it
 * - `rejected`   the auth server has rejected the link, or rejects its code
 * - `offline`    the auth server did not answer; the URL keeps the code, so a reload tries again
 * - `other`      another shopper is signed in here, and a link must not change that
 */
export type LinkOutcome =
  | 'none'
  | 'confirmed'
  | 'recovery'
  | 'elsewhere'
  | 'rejected'
  | 'offline'
  | 'other';

/** Codes of the errors by which auth-js and GoTrue say that this device lacks the code's verifier. */
const WITHOUT_VERIFIER = new Set(['pkce_code_verifier_not_found', 'bad_code_verifier']);

/**
 * Exchanges the link's code for a session, and decides what becomes of that session.
 *
 * @param revoke ends a session at the server
 */
export async function openLink(
  options: RefreshOptions,
  renew: Renew,
  { code, error: reason, sb_flow_id: flowId }: Readonly<Record<string, string>>,
  revoke: (accessToken: string) => Promise<void>,
): Promise<LinkOutcome> {
  if (reason !== undefined) return 'rejected';
  if (code === undefined) return 'elsewhere';
  const { store } = options;
  const client = clientForOneCall(options, renew);
  try {
    const { data, error } = await client.exchangeCodeForSession(code, flowId ? { flowId } : {});
    if (error) {
      const { failure } = answerFor(error);
      if (failure.kind !== 'rejected' || failure.status === 429) return 'offline';
      return WITHOUT_VERIFIER.has(failure.code ?? '') ? 'elsewhere' : 'rejected';
    }
    const { session } = data;
    const { id } = session.user;
    // The library's types lack the field.
    const isRecovery = 'redirectType' in data && data.redirectType === 'recovery';
    if (!isRecovery) void revoke(session.access_token);
    const isOthers = (stored: string | null) => (parseSession(stored)?.uid ?? id) !== id;
    if (isOthers(await store.getItem(store.key))) return 'other';
    if (!isRecovery) return 'confirmed';
    const text = JSON.stringify(session);
    // Tested again in the write, because another shopper may sign in meanwhile.
    const isStored = await store.replaceIf((stored) => !isOthers(stored), text);
    return isStored ? 'recovery' : 'other';
  } catch {
    return 'offline';
  } finally {
    void client.dispose();
  }
}
