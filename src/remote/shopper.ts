import type { TokenAnswer, TokenSource } from './auth/token-source.ts';
import type { CartLine, Change } from '../domain/change.ts';
import type { Answer } from '../domain/failure.ts';
import { askWithToken } from './ask-with-token.ts';
import { ask, type RestOptions } from './rest.ts';

/** What an attempt to reach a shopper's data came to. `sign-in`: the session is no longer good. */
export type ShopperAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'offline' | 'sign-in' | 'failed' };

export interface PullAnswer {
  readonly uid: string;
  readonly device: string;
  readonly ver: number;
  /** The version's random name; null for version 0, and from a database that has none yet. */
  readonly stamp: string | null;
  readonly data: {
    readonly cart: readonly CartLine[];
    readonly favourites: readonly number[];
  } | null;
  readonly acks: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly message: string }[];
}

/** A version that a phone holds. Without `stamp` it was stored by a build that knew of none. */
export interface HeldVersion {
  readonly ver: number;
  readonly stamp?: string | null;
}

/** The most changes that `push` takes at once. */
export const PUSH_LIMIT = 50;

/** One shopper's data as the backend has them. Never asked for without that shopper's own token. */
export interface ShopperRemote {
  /** Applies at most `PUSH_LIMIT` changes, in order, each once. */
  push(
    uid: string,
    device: string,
    changes: readonly Change[],
    signal: AbortSignal,
  ): Promise<ShopperAnswer<number>>;
  /**
   * The rows, unless they are those of `since`, and which of the pending changes have been dealt
   * with.
   */
  pull(
    uid: string,
    device: string,
    since: HeldVersion | null,
    pending: readonly string[],
    signal: AbortSignal,
  ): Promise<ShopperAnswer<PullAnswer>>;
}

/** Both calls are small; what takes longer than this is lost, and the shopper waits for the next. */
const TIMEOUT_MS = 8_000;
/** SQLSTATE of row-level security: the token is good, but not for this shopper. */
const NOT_YOURS = '42501';
/** The stamp of no version: whoever sends it gets the rows. */
const NO_STAMP = '00000000-0000-0000-0000-000000000000';

export function shopperRemote(options: RestOptions, tokens: TokenSource): ShopperRemote {
  async function call<T>(
    uid: string,
    path: string,
    body: unknown,
    signal: AbortSignal,
    parse: (body: unknown) => T | null,
  ): Promise<ShopperAnswer<T>> {
    const send = (token: string): Promise<Answer<T>> =>
      ask(options, { path, body, token, signal, timeoutMs: TIMEOUT_MS, parse });
    return shopperAnswer(await askWithToken(tokens, uid, send, isRefused));
  }

  return {
    push(uid, device, changes, signal) {
      const body = { p_user: uid, p_device: device, p_changes: changes };
      return call(uid, 'rpc/push', body, signal, parsePush);
    },
    pull(uid, device, since, pending, signal) {
      const body = {
        p_user: uid,
        p_device: device,
        p_since: since?.ver ?? null,
        p_pending: pending,
        ...stampOf(since),
      };
      return call(uid, 'rpc/pull', body, signal, parsePull);
    },
  };
}

/** Nothing for a version without a stamp from the server; it is answered by its number alone. */
function stampOf(since: HeldVersion | null): { readonly p_stamp?: string } {
  if (since === null || since.stamp === null) return {};
  return { p_stamp: since.stamp ?? NO_STAMP };
}

function isRefused(answer: Answer<unknown>): boolean {
  if (answer.ok || answer.failure.kind === 'offline') return false;
  return answer.failure.code === NOT_YOURS || isTokenRefused(answer);
}

/**
 * PostgREST's codes for a bad or expired token, and the gateway's plain 401. PGRST300 is not among
 * them: PostgREST itself lacks its secret then, and no token helps.
 */
export function isTokenRefused(answer: Answer<unknown>): boolean {
  if (answer.ok || answer.failure.kind === 'offline') return false;
  const { code } = answer.failure;
  return code === '401' || /^PGRST30[1-3]$/.test(code);
}

/** An answer of `askWithToken`, without the backend's words. */
export function shopperAnswer<T>(
  answer: Answer<T> | Extract<TokenAnswer, { readonly ok: false }>,
): ShopperAnswer<T> {
  if (answer.ok || 'reason' in answer) return answer;
  return { ok: false, reason: answer.failure.kind === 'offline' ? 'offline' : 'failed' };
}

function parsePush(body: unknown): number | null {
  const ver = fieldsOf(body)['ver'];
  return typeof ver === 'number' ? ver : null;
}

function parsePull(body: unknown): PullAnswer | null {
  const { uid, device, ver, cart, favourites, acks, rejected } = fieldsOf(body);
  const { stamp: given } = fieldsOf(body);
  const stamp = typeof given === 'string' ? given : null;
  if (typeof uid !== 'string' || typeof device !== 'string' || typeof ver !== 'number') return null;
  if (!Array.isArray(acks) || !acks.every((id) => typeof id === 'string')) return null;
  if (!Array.isArray(rejected)) return null;
  const reasons = rejected.map((each: unknown) => {
    const { id, message } = fieldsOf(each);
    return { id: String(id), message: typeof message === 'string' ? message : '' };
  });
  if (cart === null && favourites === null) {
    return { uid, device, ver, stamp, data: null, acks, rejected: reasons };
  }
  if (!Array.isArray(cart) || !Array.isArray(favourites)) return null;
  const lines = cart.map(parseLine);
  if (!lines.every((line) => line !== null)) return null;
  if (!favourites.every((id) => typeof id === 'number')) return null;
  return { uid, device, ver, stamp, data: { cart: lines, favourites }, acks, rejected: reasons };
}

function parseLine(values: unknown): CartLine | null {
  if (!Array.isArray(values)) return null;
  const [productId, quantity, price] = values as unknown[];
  if (typeof productId !== 'number' || typeof quantity !== 'number') return null;
  return { productId, quantity, priceWhenAdded: typeof price === 'number' ? price : null };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Readonly<Record<string, unknown>>) : {}; // any object may be read by name
}
