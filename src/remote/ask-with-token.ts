import type { TokenAnswer, TokenSource } from './auth/token-source.ts';

/**
 * Asks with the shopper's token and, when it is refused, once more with another one.
 *
 * Only the auth service ends a session, by not giving out a token. When it has just renewed one and
 * that is refused too, the server that refuses it is unwell: the caller gets its answer and treats
 * it as a failure that passes.
 */
export async function askWithToken<T>(
  tokens: TokenSource,
  uid: string,
  ask: (token: string) => Promise<T>,
  isTokenRefused: (answer: T) => boolean,
): Promise<T | Extract<TokenAnswer, { readonly ok: false }>> {
  const first = await tokens.accessToken(uid);
  if (!first.ok) return first;
  const answer = await ask(first.token);
  if (!isTokenRefused(answer)) return answer;
  const second = await tokens.refreshNow(uid);
  return second.ok ? ask(second.token) : second;
}
