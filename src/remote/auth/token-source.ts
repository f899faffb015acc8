import type { Answer } from '../../domain/failure.ts';

/** Where access tokens come from. Neither ever answers with another shopper's token. */
export interface TokenSource {
  accessToken(uid: string): Promise<Answer<string>>;
  /** After the server has rejected a token: another one, or that there is none. */
  refreshNow(uid: string): Promise<Answer<string>>;
}
