/**
 * Uses the tokens that a link from a mail has put into the page's URL.
 *
 * Only a link for a new password signs in. A stranger may have registered an email address before its owner:
 * GoTrue keeps that stranger's password, and mails the link again at a later registration. So an owner who has
 * confirmed the email address must sign in with a password of their own. If the stored password is the
 * stranger's, that login fails, and the owner asks for a new password, which ends all other sessions.
 * Source: supabase/auth, internal/api/signup.go.
 *
 * A stranger can send a link with tokens of an account of their own, and then read what the visitor types
 * there (login CSRF). So only a link that this device has asked for signs in by itself: the server then
 * sends a `code` that is good only with the verifier that this device keeps (PKCE, RFC 7636). Before any
 * other link signs in, the page asks the user.
 *
 * - `#code=`          a code of PKCE
 * - `#access_token=`  a whole session: links that were sent from Supabase's dashboard
 * - `#token_hash=`    a token that the shop's own mail template puts into the link
 */
import { fieldsOf, parseJson } from '../../domain/fields.ts';
import { readVerifiers } from './pkce.ts';
import { errorCodeOf, REQUEST_TIMEOUT_MS, type RefreshOptions } from './refresh.ts';
import { parseSession, storableSession } from './session.ts';

/**
 * The outcome of the tokens in the URL.
 *
 * - `none`       the URL has no tokens
 * - `confirmed`  the email address is confirmed, which signs no one in
 * - `recovery`   the link is for a new password: its session is stored, and the shopper is signed in
 * - `declined`   the user does not want to sign in as that shopper
 * - `elsewhere`  another browser has asked for the link, and only that browser can use it
 * - `rejected`   the auth server rejects the tokens
 * - `offline`    the auth server did not answer; the URL keeps the tokens, so a reload tries again
 * - `other`      another shopper is signed in here, and a link must not change that
 */
export type LinkOutcome =
  | 'none'
  | 'confirmed'
  | 'recovery'
  | 'declined'
  | 'elsewhere'
  | 'rejected'
  | 'offline'
  | 'other';

/** Asks the user whether to sign in as the shopper with this email address. */
export type AskToSignIn = (email: string) => Promise<boolean>;

/** Ends a session at the server. */
type Revoke = (accessToken: string) => Promise<void>;

type Tokens = Readonly<Record<string, string>>;
/** The session as it is stored, or why there is none. */
type Opened = { readonly text: string } | { readonly outcome: LinkOutcome };

/** Uses these tokens. Returns `offline` also after an error here, so that the shopper can try the link again. */
export async function openLink(
  options: RefreshOptions,
  tokens: Tokens,
  ask: AskToSignIn,
  revoke: Revoke,
): Promise<LinkOutcome> {
  try {
    const { code, token_hash: hash, type } = tokens;
    if (code !== undefined) return await exchange(options, code, revoke);
    const opened = await (hash === undefined ? describe(options, tokens) : verify(options, tokens));
    if ('outcome' in opened) return opened.outcome;
    return await finish(options, opened.text, type === 'recovery', revoke, ask);
  } catch {
    return 'offline';
  }
}

/** Exchanges a code for a session, with one of the verifiers that this device keeps. Tries the newest first. */
async function exchange(
  options: RefreshOptions,
  code: string,
  revoke: Revoke,
): Promise<LinkOutcome> {
  for (const { verifier, isRecovery, remove } of await readVerifiers(options.store)) {
    const body = { auth_code: code, code_verifier: verifier };
    const opened = await post(options, 'token?grant_type=pkce', body);
    // A wrong verifier leaves the code as it is. Source: supabase/auth, internal/api/pkce.go.
    if ('outcome' in opened && opened.outcome === 'elsewhere') continue;
    if ('outcome' in opened) return opened.outcome;
    await remove();
    return finish(options, opened.text, isRecovery, revoke);
  }
  return 'elsewhere';
}

/** Redeems the token, because only then does the server say whose it is. */
function verify(options: RefreshOptions, { token_hash, type }: Tokens): Promise<Opened> {
  return post(options, 'verify', { token_hash, type });
}

async function post(options: RefreshOptions, path: string, body: object): Promise<Opened> {
  const { url, key, fetch, now } = options;
  const response = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const answer = parseJson(await response.text());
  if (response.ok) return asOpened(storableSession(answer, now()));
  const code = errorCodeOf(answer);
  if (code === 'bad_code_verifier') return { outcome: 'elsewhere' };
  const isFinal = code !== null && response.status < 500 && response.status !== 429;
  return { outcome: isFinal ? 'rejected' : 'offline' };
}

/** Asks the auth server whose tokens these are, because anyone can write a URL. */
async function describe(options: RefreshOptions, tokens: Tokens): Promise<Opened> {
  const { url, key, fetch, now } = options;
  const response = await fetch(`${url}/auth/v1/user`, {
    headers: { apikey: key, authorization: `Bearer ${tokens['access_token']}` },
    cache: 'no-store',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const user = parseJson(await response.text());
  if (response.status === 401 || response.status === 403) {
    return { outcome: errorCodeOf(user) === null ? 'offline' : 'rejected' };
  }
  if (!response.ok) return { outcome: 'offline' };
  const expires_in = Number(tokens['expires_in'] ?? 0);
  return asOpened(storableSession({ ...tokens, expires_in, user }, now()));
}

function asOpened(text: string | null): Opened {
  return text === null ? { outcome: 'offline' } : { text };
}

/**
 * Stores the session of a link for a new password, unless another shopper is signed in. Revokes the session
 * of any other link.
 */
async function finish(
  { store }: RefreshOptions,
  text: string,
  isRecovery: boolean,
  revoke: Revoke,
  ask: AskToSignIn = async () => true,
): Promise<LinkOutcome> {
  const { access_token, user } = fieldsOf(parseJson(text));
  const { id, email } = fieldsOf(user);
  const present = parseSession(await store.getItem(store.key))?.uid ?? null;
  // An old link may bring the very session that is stored here.
  if (!isRecovery && present !== id) void revoke(String(access_token));
  if (present !== null && present !== id) return 'other';
  if (!isRecovery) return 'confirmed';
  if (present === null && !(await ask(String(email)))) return 'declined';
  const isStored = await store.replaceIf(
    store.key,
    (stored) => (parseSession(stored)?.uid ?? id) === id,
    text,
  );
  return isStored ? 'recovery' : 'other';
}
