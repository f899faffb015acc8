import type { Answer, BackendFailure } from '../domain/failure.ts';
import type { TokenSource } from './auth/token-source.ts';

/**
 * Sends a request with the shopper's token and, when the server rejects the token, once more with
 * another.
 *
 * Only the auth service ends a session, by not issuing a token. When the server rejects a token that
 * the auth service has just renewed, the fault is the server's: the caller gets its answer and treats
 * it as a temporary failure.
 */
export async function withToken<T>(
  tokens: TokenSource,
  uid: string,
  send: (token: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const first = await tokens.accessToken(uid);
  if (!first.ok) return first;
  const answer = await send(first.value);
  if (answer.ok || !isTokenRejected(answer.failure)) return answer;
  const second = await tokens.refreshNow(uid);
  return second.ok ? send(second.value) : second;
}

/** SQLSTATE of row-level security: the token is valid, but belongs to another shopper. */
const NOT_YOURS = '42501';

/**
 * PostgREST's PGRST301 to 303, the gateway in front of it and the shop's functions answer 401 to a
 * bad or expired token. PGRST300 is a 500: PostgREST itself lacks its secret, and no token helps.
 */
export function isTokenRejected(failure: BackendFailure): boolean {
  if (failure.kind !== 'rejected') return false;
  return failure.status === 401 || failure.code === NOT_YOURS;
}
