import type { Answer } from '../../domain/failure.ts';

/** Hands out access tokens, and never another shopper's. */
export interface TokenSource {
  accessToken(uid: string): Promise<Answer<string>>;
  /** Call after the server has rejected a token. Answers with another one, or that there is none. */
  refreshNow(uid: string): Promise<Answer<string>>;
}
