/** Where access tokens come from. Neither ever answers with another shopper's token. */
export interface TokenSource {
  accessToken(uid: string): Promise<TokenAnswer>;
  /** After the server has refused a token: another one, or the news that there is none. */
  refreshNow(uid: string): Promise<TokenAnswer>;
}

export type TokenAnswer =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: 'offline' | 'sign-in' };
