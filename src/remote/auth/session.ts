import { fieldsOf } from '../../domain/fields.ts';

/** What a stored session says, as auth-js stores it: the auth server's own answer, as JSON. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** By this phone's clock, whatever that says: see `storableSession`. */
  readonly expiresAtMs: number;
  readonly uid: string;
}

/**
 * Where the session is kept: auth-js's asynchronous storage, and one step more. Every page and tab
 * reads it afresh each time, so it is also how they tell each other.
 */
export interface SessionStore {
  /** The name that the session is stored under. */
  readonly key: string;
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  /**
   * Stores the next value, or nothing for null, if the present one (null when there is none) passes
   * the test, as one step. False when it did not: then nothing has happened.
   */
  replaceIf(
    key: string,
    test: (present: string | null) => boolean,
    next: string | null,
  ): Promise<boolean>;
}

/** The store, with word given of every change to the session that this tab makes. */
export function announcing(store: SessionStore, announce: () => void): SessionStore {
  const { key } = store;
  return {
    key,
    getItem: (name) => store.getItem(name),
    async setItem(name, value) {
      await store.setItem(name, value);
      if (name === key) announce();
    },
    async removeItem(name) {
      await store.removeItem(name);
      if (name === key) announce();
    },
    async replaceIf(name, test, next) {
      const isReplaced = await store.replaceIf(name, test, next);
      if (isReplaced && name === key) announce();
      return isReplaced;
    },
  };
}

/** Null for nothing, or for what is not a session. */
export function parseSession(text: string | null): Session | null {
  const fields = fieldsOf(text === null ? null : parseJson(text));
  const { access_token, refresh_token, expires_at, user } = fields;
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
 * The auth server's answer as it is stored, or null if it is not a session. Its `expires_at` is by
 * the server's clock; counted from now by this phone's, a clock that is wrong by a day neither
 * wears a good token out nor keeps a bad one young.
 */
export function storableSession(answer: unknown, nowMs: number): string | null {
  const { expires_in } = fieldsOf(answer);
  if (typeof expires_in !== 'number') return null;
  const expires_at = Math.round(nowMs / 1000) + expires_in;
  const text = JSON.stringify({ ...fieldsOf(answer), expires_at });
  return parseSession(text) === null ? null : text;
}

/** The tokens in an address's fragment, as GoTrue's implicit flow puts them; null without. */
export function linkTokens(href: string): Readonly<Record<string, string>> | null {
  const fragment = new URLSearchParams(new URL(href).hash.slice(1));
  return fragment.get('access_token') && fragment.get('refresh_token')
    ? Object.fromEntries(fragment)
    : null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
