/** Asks the auth service who sends a request: the functions believe it, never the request's body. */
import { isAuthApiError, isAuthSessionMissingError } from '@supabase/supabase-js';
import { adminClient, DatabaseUnavailable } from './database.ts';
import { type BackendSettings, backendSettings, NotConfigured } from './env.ts';
import { HttpError } from './http.ts';

export interface Caller {
  readonly id: string;
  readonly email: string;
  /** `app_metadata.role`, which only the server can set. */
  readonly role: string | null;
}

/**
 * The gateway rejects a longer header with an error of its own, which would look like an outage. The tokens
 * of accounts are far shorter, because the database limits what they hold (`reject_long_metadata`).
 */
const MAX_TOKEN_CHARS = 7000;

/**
 * The shopper whose token the request carries. The function asks the auth server each time, because
 * that rejects the token of a deleted or banned account before it expires.
 *
 * @throws HttpError 401 without a good token, 410 where its account is gone
 * @throws NotConfigured when the backend does not accept the shop's own key
 * @throws DatabaseUnavailable when the auth server cannot be reached
 */
export async function requireCaller(request: Request, settings: BackendSettings): Promise<Caller> {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(
    request.headers.get('authorization') ?? '',
  )?.[1];
  if (token === undefined || token.length > MAX_TOKEN_CHARS)
    throw new HttpError(401, 'Log in first.', { code: 'sign-in' });
  const { data, error } = await adminClient(settings).auth.getUser(token);
  if (error) {
    // auth-js has a class of its own for GoTrue's `session_not_found`: the session was ended.
    const isEnded = isAuthSessionMissingError(error);
    const isClientError = isAuthApiError(error) && error.status >= 400 && error.status < 500;
    // GoTrue always gives a code. The gateway in front of it refuses a wrong secret key without one.
    if (isClientError && [401, 403].includes(error.status) && error.code === undefined) {
      throw new NotConfigured(`SUPABASE_SECRET_KEY is not accepted: ${error.message}`);
    }
    // GoTrue itself has rejected the token. Status 429 only says that GoTrue is busy.
    const isTokenRejected = isClientError && error.status !== 429 && error.code !== undefined;
    if (!isEnded && !isTokenRejected) {
      throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
    }
    if (isClientError && error.code === 'user_not_found') {
      throw new HttpError(410, 'This account was deleted.', { code: 'account-gone' });
    }
    throw new HttpError(401, 'Your session has ended. Log in again.', {
      code: 'sign-in',
    });
  }
  const { id, email, app_metadata: metadata } = data.user;
  const role: unknown = metadata['role'];
  return { id, email: email ?? '', role: typeof role === 'string' ? role : null };
}

/** The `admit` of functions that any shopper may call. Throws the same errors as `requireCaller`. */
export function admitShopper(request: Request): Promise<Caller> {
  return requireCaller(request, backendSettings());
}

/**
 * Checks the caller's password with the auth service, because a thief of a phone that is signed in must
 * not be able to delete the account.
 *
 * @throws HttpError 403 for another password, 429 after too many attempts
 * @throws DatabaseUnavailable when the auth service cannot be reached
 */
export async function requirePassword(
  settings: BackendSettings,
  { email }: Caller,
  password: string,
): Promise<void> {
  const { auth } = adminClient(settings);
  const { error } = await auth.signInWithPassword({ email, password });
  if (error === null) {
    // Signing in began a session, which would outlive a deletion that is then refused.
    await auth.signOut({ scope: 'local' });
    return;
  }
  if (!isAuthApiError(error) || error.status >= 500) {
    throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
  }
  if (error.status === 429) {
    throw new HttpError(429, 'Too many attempts. Try again in a few minutes.');
  }
  throw new HttpError(403, 'That password isn’t right.', { code: 'password' });
}

/** Implements `Ports.removeAccount`. In hosted projects the SQL function `erase_account` may not delete the account. */
export async function removeAccount(settings: BackendSettings, userId: string): Promise<void> {
  const { error } = await adminClient(settings).auth.admin.deleteUser(userId);
  if (error !== null && !(isAuthApiError(error) && error.code === 'user_not_found')) {
    throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
  }
}
