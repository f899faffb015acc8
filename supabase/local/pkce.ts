/**
 * Links in mails with PKCE. @supabase/lite (0.10) knows PKCE only for accounts of other providers.
 *
 * As in GoTrue, a request with a challenge gets a mail whose token begins with `pkce_`. Its link leads back
 * with a code instead of a session. An error stands in the query as well as in the fragment. @supabase/lite
 * exchanges code and verifier for a session. Source: supabase/auth, internal/api/verify.go and pkce.go.
 */
import { decode } from 'hono/jwt';
import { fieldsOf, parseJson } from '../../src/domain/fields.ts';
import type { Database } from './connection.ts';

export const PKCE_PREFIX = 'pkce_';
/** What GoTrue calls a mail's purpose, by the path that asks for the mail and by the `type` of its link. */
const AUTHENTICATION_METHODS: Readonly<Record<string, string>> = {
  '/auth/v1/signup': 'email/signup',
  '/auth/v1/resend': 'email/signup',
  '/auth/v1/recover': 'recovery',
  '/auth/v1/otp': 'magiclink',
  signup: 'email/signup',
  recovery: 'recovery',
  magiclink: 'magiclink',
};

type Answer = (request: Request) => Promise<Response>;

/** The challenge with which a page asks for a mail; null without one. */
export function challengeIn(url: string, body: ArrayBuffer | null): Challenge | null {
  const authMethod = AUTHENTICATION_METHODS[new URL(url).pathname];
  if (authMethod === undefined || body === null) return null;
  const fields = fieldsOf(parseJson(new TextDecoder().decode(body)));
  const { email, code_challenge: challenge, code_challenge_method: method } = fields;
  if (typeof email !== 'string' || typeof challenge !== 'string') return null;
  return { email, challenge, method: String(method).toLowerCase(), authMethod };
}

interface Challenge {
  readonly email: string;
  readonly challenge: string;
  readonly method: string;
  readonly authMethod: string;
}

/** Stores a challenge until the link is followed; does nothing for an address without an account. */
export async function storeChallenge(
  query: Database['query'],
  { email, authMethod, method, challenge }: Challenge,
): Promise<void> {
  await query(
    `insert into auth.flow_state
       (id, user_id, auth_code, authentication_method, code_challenge_method, code_challenge, provider_type)
     select gen_random_uuid(), id, gen_random_uuid()::text, $2, $3, $4, 'email'
     from auth.users where email = lower($1)`,
    [email, authMethod, method, challenge],
  );
}

export function isPkceLink(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  return pathname === '/auth/v1/verify' && !!searchParams.get('token')?.startsWith(PKCE_PREFIX);
}

/** Answers a request for a link whose token begins with `pkce_`: redirects with a code or an error. */
export async function followLink(
  request: Request,
  query: Database['query'],
  answer: Answer,
): Promise<Response> {
  const url = new URL(request.url);
  const token = url.searchParams.get('token') ?? '';
  url.searchParams.set('token', token.slice(PKCE_PREFIX.length));
  const response = await answer(new Request(url, { headers: request.headers }));
  const target = URL.parse(response.headers.get('location') ?? '');
  if (target === null) return response;
  const fragment = new URLSearchParams(target.hash.slice(1));
  const accessToken = fragment.get('access_token');
  if (accessToken === null) {
    for (const [name, value] of fragment) target.searchParams.set(name, value);
    return redirect(target);
  }
  const code = await issueCode(query, accessToken, url.searchParams.get('type') ?? '');
  target.hash = '';
  target.searchParams.set('code', code);
  return redirect(target);
}

/**
 * Returns the code of the shopper's newest challenge for this kind of link. Ends the session that
 * @supabase/lite has made for the link: only the exchange of the code may start one.
 */
async function issueCode(
  query: Database['query'],
  accessToken: string,
  type: string,
): Promise<string> {
  const [session] = await query('delete from auth.sessions where id = $1 returning user_id', [
    decode(accessToken).payload['session_id'],
  ]);
  const [row] = await query(
    `update auth.flow_state set created_at = now(), auth_code_issued_at = now()
     where id = (select id from auth.flow_state where user_id = $1 and authentication_method = $2
       order by created_at desc limit 1)
     returning auth_code`,
    [session?.['user_id'], AUTHENTICATION_METHODS[type] ?? ''],
  );
  const code = row?.['auth_code'];
  // Without a stored challenge the shopper gets a random code, which no exchange accepts.
  return typeof code === 'string' ? code : crypto.randomUUID();
}

function redirect(to: URL): Response {
  return new Response(null, { status: 303, headers: { location: to.href } });
}
