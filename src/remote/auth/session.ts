import { fieldsOf, parseJson } from '../../domain/fields.ts';

/** A session, parsed from the text that auth-js stores: the auth server's own answer, as JSON. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** By this phone's clock, even when that is wrong: see `storableSession`. */
  readonly expiresAtMs: number;
  readonly uid: string;
}

/**
 * The store of the session: auth-js's asynchronous storage, and `replaceIf`. No tab caches the session, so
 * all tabs share the stored one.
 */
export interface SessionStore {
  /** The name that the session is stored under. */
  readonly key: string;
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  /**
   * Replaces the stored session (null when there is none) by `next` (null deletes it) if the stored one
   * passes the test, in one atomic step. False, with nothing changed, if it does not pass.
   */
  replaceIf(test: (stored: string | null) => boolean, next: string | null): Promise<boolean>;
}

/** Parses a stored session; null for none or for text that is not a session. */
export function parseSession(text: string | null): Session | null {
  const { access_token, refresh_token, expires_at, user } = fieldsOf(parseJson(text));
  const { id } = fieldsOf(user);
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') return null;
  if (typeof id !== 'string' || typeof expires_at !== 'number') return null;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAtMs: expires_at * 1000,
    uid: id,
  };
}

/**
 * The auth server's answer in the form to store, or null if it is not a session. The server computes
 * `expires_at` by its own clock. This function replaces it by a time of the phone's clock, so that a phone whose
 * clock is wrong by a day neither drops a good token nor keeps an expired one.
 */
export function storableSession(answer: unknown, nowMs: number): string | null {
  const { expires_in } = fieldsOf(answer);
  if (typeof expires_in !== 'number') return null;
  const expires_at = Math.round(nowMs / 1000) + expires_in;
  const text = JSON.stringify({ ...fieldsOf(answer), expires_at });
  return parseSession(text) === null ? null : text;
}
