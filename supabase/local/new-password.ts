/**
 * GoTrue's rules for a new password, which the library @supabase/lite lacks (version 0.10). A session that began
 * with a link in a mail may set a password, and the shopper's other sessions end. Any other session needs the current
 * password as well: no screen asks for it, so the embedded service rejects such a request.
 * Source: supabase/auth, internal/api/user.go, with its setting `update_password_require_current_password`.
 */
import { fieldsOf } from '../../src/domain/fields.ts';
import type { Database } from './connection.ts';
import { parseJsonBytes } from './pkce.ts';
import { sessionIdOf } from './token.ts';

type Query = Database['query'];

/** Marks a session that began with a link, in `auth.sessions.tag`, which the library leaves empty. */
const MAIL_TAG = 'mail';

/** Answers a request of the auth service, under these rules where it chooses a password. */
export async function answerByPasswordRules(
  request: Request,
  body: ArrayBuffer | null,
  query: Query,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (setsPassword(request, body)) {
    const rejection = await rejectNewPassword(request, query);
    if (rejection !== null) return rejection;
    const response = await answer(request);
    if (response.ok) await endOtherSessions(request, query);
    return response;
  }
  if (!mayBeginMailSession(request.url)) return answer(request);
  const [clock] = await query('select clock_timestamp() as now');
  const response = await answer(request);
  await noteMailSession(response, clock?.['now'], query);
  return response;
}

function setsPassword({ method, url }: Request, body: ArrayBuffer | null): boolean {
  if (method !== 'PUT' || new URL(url).pathname !== '/auth/v1/user' || body === null) return false;
  return 'password' in fieldsOf(parseJsonBytes(body));
}

/** Answers a new password in a session that began with a login; null where it is allowed. */
async function rejectNewPassword(request: Request, query: Query): Promise<Response | null> {
  const [session] = await query('select tag from auth.sessions where id::text = $1', [
    sessionOf(request),
  ]);
  // The library rejects a token without a session.
  if (session === undefined || session['tag'] === MAIL_TAG) return null;
  const msg = 'Current password required when setting new password.';
  const error_code = 'current_password_required';
  return Response.json({ code: 400, error_code, msg }, { status: 400 });
}

/** Ends the other sessions of a shopper who has just chosen a password. */
async function endOtherSessions(request: Request, query: Query): Promise<void> {
  await query(
    `delete from auth.sessions o using auth.sessions s
     where s.id::text = $1 and o.user_id = s.user_id and o.id <> s.id`,
    [sessionOf(request)],
  );
}

function mayBeginMailSession(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/auth/v1/token') return searchParams.get('grant_type') === 'pkce';
  return pathname === '/auth/v1/verify';
}

/**
 * Notes that a session began with a link of a mail, if the answer begins one. The address that a failed link
 * leads to may name any token, so a session counts only if it is newer than the request.
 */
async function noteMailSession(
  response: Response,
  requestedAt: unknown,
  query: Query,
): Promise<void> {
  const fragment = URL.parse(response.headers.get('location') ?? '')?.hash.slice(1) ?? '';
  const fields = fieldsOf(parseJsonBytes(await response.clone().arrayBuffer()));
  const token = new URLSearchParams(fragment).get('access_token') ?? fields['access_token'];
  if (typeof token !== 'string') return;
  const id = sessionIdOf(token);
  await query(
    'update auth.sessions set tag = $2 where id::text = $1 and created_at >= $3::timestamptz',
    [id, MAIL_TAG, requestedAt],
  );
}

function sessionOf({ headers }: Request): string {
  return sessionIdOf(headers.get('authorization')?.replace(/^Bearer /i, '') ?? '');
}
