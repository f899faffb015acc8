/**
 * The part of the auth service that renews sessions. Access tokens expire, sessions can end, and a refresh
 * token is good once. A request with the last but one refresh token gets the current token again, because the
 * answer that carried the current token may have been lost. A request with an older token ends the session.
 * Source: supabase/auth, internal/tokens/service.go.
 */
import type { Chance } from '../kit/chance.ts';

const HOUR_MS = 3_600_000;

interface AuthSession {
  readonly uid: string;
  /** Latest last. */
  readonly refreshTokens: string[];
  isEnded: boolean;
}

/** The state of an access token. */
export type TokenState =
  | { readonly kind: 'good'; readonly uid: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

export class AuthServer {
  #chance: Chance;
  #sessions: AuthSession[] = [];
  #tokens = new Map<string, { readonly uid: string; expiresAtMs: number }>();
  /** How long an access token is good. In half of the schedules an hour, as in a hosted project. */
  #lifetimeMs: number;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#lifetimeMs = chance.pick([20_000, 60_000, HOUR_MS, HOUR_MS]);
  }

  /** Begins a session. Returns the body of the answer. */
  signIn(uid: string, nowMs: number): string {
    const session = { uid, refreshTokens: [], isEnded: false };
    this.#sessions.push(session);
    this.#rotate(session);
    return JSON.stringify(this.#issue(session, nowMs));
  }

  /** Reads an access token. Servers check the token only, not the session that it belongs to. */
  read(token: string, nowMs: number): TokenState {
    const known = this.#tokens.get(token);
    if (!known) return { kind: 'unknown' };
    return nowMs < known.expiresAtMs ? { kind: 'good', uid: known.uid } : { kind: 'expired' };
  }

  /** The shopper to whom an access token was issued, whether it is still good or not. */
  ownerOf(token: string): string | undefined {
    return this.#tokens.get(token)?.uid;
  }

  /** Whether a refresh token can still renew its session. */
  wouldRenew(refreshToken: string): boolean {
    const session = this.#liveSessionOf(refreshToken);
    return session !== undefined && ageIn(session, refreshToken) <= 2;
  }

  /** Renews a session. Returns the status and body of the answer. */
  refresh(refreshToken: string, nowMs: number): { status: number; body: string } {
    const session = this.#liveSessionOf(refreshToken);
    if (!session) return errorReply('refresh_token_not_found');
    const age = ageIn(session, refreshToken);
    if (age > 2) {
      session.isEnded = true;
      return errorReply('refresh_token_already_used');
    }
    if (age === 1) this.#rotate(session);
    return { status: 200, body: JSON.stringify(this.#issue(session, nowMs)) };
  }

  /** All access tokens of a shopper expire early, as after a change of the signing key. */
  expireAll(uid: string): void {
    for (const token of this.#tokens.values()) if (token.uid === uid) token.expiresAtMs = 0;
  }

  /** All sessions of a shopper end, as after a change of the password. */
  endAll(uid: string): void {
    this.expireAll(uid);
    for (const session of this.#sessions) if (session.uid === uid) session.isEnded = true;
  }

  #liveSessionOf(refreshToken: string): AuthSession | undefined {
    const session = this.#sessions.find(({ refreshTokens }) =>
      refreshTokens.includes(refreshToken),
    );
    return session?.isEnded ? undefined : session;
  }

  #rotate(session: AuthSession): void {
    session.refreshTokens.push(`refresh-${this.#chance.uuid()}`);
  }

  #issue(session: AuthSession, nowMs: number): object {
    const access = `access-${this.#chance.uuid()}`;
    this.#tokens.set(access, { uid: session.uid, expiresAtMs: nowMs + this.#lifetimeMs });
    return {
      access_token: access,
      refresh_token: session.refreshTokens.at(-1),
      expires_in: Math.round(this.#lifetimeMs / 1000),
      expires_at: Math.round((nowMs + this.#lifetimeMs) / 1000),
      token_type: 'bearer',
      user: { id: session.uid, email: `${session.uid}@weft.test` },
    };
  }
}

/** 1 for the current refresh token of the session, 2 for the token before it, and so on. */
function ageIn({ refreshTokens }: AuthSession, refreshToken: string): number {
  return refreshTokens.length - refreshTokens.indexOf(refreshToken);
}

function errorReply(code: string): { status: number; body: string } {
  return { status: 400, body: JSON.stringify({ code: 400, error_code: code, msg: code }) };
}
