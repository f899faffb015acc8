/** Who sends a request. The functions trust the auth server's answer, never the request's body. */
import { isAuthApiError } from '@supabase/supabase-js';
import { adminClient, DatabaseUnavailable } from './database.ts';
import type { BackendSettings } from './env.ts';
import { HttpError } from './http.ts';

export interface Caller {
  readonly id: string;
  readonly email: string;
  /** `app_metadata.role`, which only the server can set. */
  readonly role: string | null;
}

/**
 * The shopper whose token the request carries. The function asks the auth server each time, because
 * that rejects the token of a deleted or banned account before it expires.
 *
 * @throws HttpError 401 without a good token
 * @throws DatabaseUnavailable when the auth server cannot be reached
 */
export async function requireCaller(request: Request, settings: BackendSettings): Promise<Caller> {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(
    request.headers.get('authorization') ?? '',
  )?.[1];
  if (token === undefined) throw new HttpError(401, 'Please sign in first.', { code: 'sign-in' });
  const { data, error } = await adminClient(settings).auth.getUser(token);
  if (error) {
    const isRejected = isAuthApiError(error) && error.status >= 400 && error.status < 500;
    if (!isRejected || error.status === 429) {
      throw new DatabaseUnavailable(`auth: ${error.message}`, { cause: error });
    }
    throw new HttpError(401, 'Your session is no longer good. Please sign in again.', {
      code: 'sign-in',
    });
  }
  const { id, email, app_metadata: metadata } = data.user;
  const role: unknown = metadata['role'];
  return { id, email: email ?? '', role: typeof role === 'string' ? role : null };
}
