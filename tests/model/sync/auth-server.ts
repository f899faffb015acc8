/**
 * The auth service, as much of it as a refresh needs: access tokens that expire, sessions that can
 * be ended, and refresh tokens that are good once. The one before the current one is answered with
 * the current one, since the answer that brought it may have been lost; an older one ends the
 * session. Source: supabase/auth, internal/tokens/service.go.
 */
import type { Chance } from '../kit/chance.ts';

interface AuthSession {
  readonly uid: string;
  /** Latest last. */
  readonly refreshTokens: string[];
  isEnded: boolean;
}

export type TokenState =
  | { readonly kind: 'good'; readonly uid: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

export class AuthServer {
  #chance: Chance;
  #sessions: AuthSession[] = [];
  #tokens = new Map<string, { readonly uid: string; expiresAtMs: number }>();
  #lifeMs: number;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#lifeMs = chance.pick([20_000, 60_000, 3_600_000, 3_600_000]);
  }

  signIn(uid: string, nowMs: number): string {
    const session = { uid, refreshTokens: [], isEnded: false };
    this.#sessions.push(session);
    this.#rotate(session);
    return JSON.stringify(this.#issue(session, nowMs));
  }

  /** Whose an access token is; a server only looks at it, not at the session behind it. */
  read(token: string, nowMs: number): TokenState {
    const known = this.#tokens.get(token);
    if (!known) return { kind: 'unknown' };
    return nowMs < known.expiresAtMs ? { kind: 'good', uid: known.uid } : { kind: 'expired' };
  }

  /** The shopper that a token was issued to, good or not. */
  ownerOf(token: string): string | undefined {
    return this.#tokens.get(token)?.uid;
  }

  /** Whether the service would still renew a session with this token, whatever its health. */
  wouldRenew(refreshToken: string): boolean {
    const session = this.#sessions.find((each) => each.refreshTokens.includes(refreshToken));
    if (!session || session.isEnded) return false;
    return session.refreshTokens.length - session.refreshTokens.indexOf(refreshToken) <= 2;
  }

  refresh(refreshToken: string, nowMs: number): { status: number; body: string } {
    const session = this.#sessions.find((each) => each.refreshTokens.includes(refreshToken));
    if (!session || session.isEnded) return refusal('refresh_token_not_found');
    const age = session.refreshTokens.length - session.refreshTokens.indexOf(refreshToken);
    if (age === 1) this.#rotate(session);
    if (age > 2) {
      session.isEnded = true;
      return refusal('refresh_token_already_used');
    }
    return { status: 200, body: JSON.stringify(this.#issue(session, nowMs)) };
  }

  /** Tokens are over before phones think so: an issuer's key has changed, or a clock is wrong. */
  expireAll(uid: string): void {
    for (const token of this.#tokens.values()) if (token.uid === uid) token.expiresAtMs = 0;
  }

  /** For good: the password was changed elsewhere. */
  endAll(uid: string): void {
    this.expireAll(uid);
    for (const session of this.#sessions) if (session.uid === uid) session.isEnded = true;
  }

  #rotate(session: AuthSession): void {
    session.refreshTokens.push(`refresh-${this.#chance.uuid()}`);
  }

  #issue(session: AuthSession, nowMs: number): object {
    const access = `access-${this.#chance.uuid()}`;
    this.#tokens.set(access, { uid: session.uid, expiresAtMs: nowMs + this.#lifeMs });
    return {
      access_token: access,
      refresh_token: session.refreshTokens.at(-1),
      expires_in: Math.round(this.#lifeMs / 1000),
      expires_at: Math.round((nowMs + this.#lifeMs) / 1000),
      token_type: 'bearer',
      user: { id: session.uid, email: `${session.uid}@weft.test` },
    };
  }
}

function refusal(code: string): { status: number; body: string } {
  return { status: 400, body: JSON.stringify({ code: 400, error_code: code, msg: code }) };
}
