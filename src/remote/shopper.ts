import type { CartLine, Change } from '../domain/change.ts';
import type { Answer, BackendFailure } from '../domain/failure.ts';
import { ask, type RestOptions } from './rest.ts';

/** What an attempt to reach a shopper's data came to. `sign-in`: the session is no longer good. */
export type ShopperAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'offline' | 'sign-in' | 'failed' };

export interface PullAnswer {
  readonly uid: string;
  readonly device: string;
  readonly ver: number;
  readonly data: {
    readonly cart: readonly CartLine[];
    readonly favourites: readonly number[];
  } | null;
  readonly acks: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly message: string }[];
}

/** Where access tokens come from. Neither ever answers with another shopper's token. */
export interface TokenSource {
  accessToken(uid: string): Promise<TokenAnswer>;
  /** After the server has refused a token: another one, or the news that there is none. */
  refreshNow(uid: string): Promise<TokenAnswer>;
}

export type TokenAnswer =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: 'offline' | 'sign-in' };

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
  /** What changed after `since`, and which of the pending changes have been dealt with. */
  pull(
    uid: string,
    device: string,
    since: number | null,
    pending: readonly string[],
    signal: AbortSignal,
  ): Promise<ShopperAnswer<PullAnswer>>;
}

/** Both calls are small; what takes longer than this is lost, and the shopper waits for the next. */
const TIMEOUT_MS = 8_000;
/** SQLSTATE of row-level security: the token is good, but not for this shopper. */
const NOT_YOURS = '42501';

export function shopperRemote(options: RestOptions, tokens: TokenSource): ShopperRemote {
  async function call<T>(
    uid: string,
    path: string,
    body: unknown,
    signal: AbortSignal,
    parse: (body: unknown) => T | null,
  ): Promise<ShopperAnswer<T>> {
    const first = await tokens.accessToken(uid);
    if (!first.ok) return first;
    const send = (token: string): Promise<Answer<T>> =>
      ask(options, { path, body, token, signal, timeoutMs: TIMEOUT_MS, parse });
    let answer = await send(first.token);
    if (!answer.ok && (isTokenRefused(answer.failure) || isForeign(answer.failure))) {
      const second = await tokens.refreshNow(uid);
      if (!second.ok) return second;
      answer = await send(second.token);
    }
    if (answer.ok) return answer;
    if (answer.failure.kind === 'offline') return { ok: false, reason: 'offline' };
    const isOver = isForeign(answer.failure) || isTokenRefused(answer.failure);
    return { ok: false, reason: isOver ? 'sign-in' : 'failed' };
  }

  return {
    push(uid, device, changes, signal) {
      const body = { p_user: uid, p_device: device, p_changes: changes };
      return call(uid, 'rpc/push', body, signal, parsePush);
    },
    pull(uid, device, since, pending, signal) {
      const body = { p_user: uid, p_device: device, p_since: since, p_pending: pending };
      return call(uid, 'rpc/pull', body, signal, parsePull);
    },
  };
}

function isForeign(failure: BackendFailure): boolean {
  return failure.kind === 'refused' && failure.code === NOT_YOURS;
}

/** PostgREST's codes for a bad or expired token, and the gateway's plain 401. */
export function isTokenRefused(failure: BackendFailure): boolean {
  if (failure.kind === 'offline') return false;
  return failure.code === '401' || failure.code.startsWith('PGRST3');
}

function parsePush(body: unknown): number | null {
  const ver = fieldsOf(body)['ver'];
  return typeof ver === 'number' ? ver : null;
}

function parsePull(body: unknown): PullAnswer | null {
  const { uid, device, ver, cart, favourites, acks, rejected } = fieldsOf(body);
  if (typeof uid !== 'string' || typeof device !== 'string' || typeof ver !== 'number') return null;
  if (!Array.isArray(acks) || !acks.every((id) => typeof id === 'string')) return null;
  if (!Array.isArray(rejected)) return null;
  const reasons = rejected.map((each: unknown) => {
    const { id, message } = fieldsOf(each);
    return { id: String(id), message: typeof message === 'string' ? message : '' };
  });
  if (cart === null && favourites === null) {
    return { uid, device, ver, data: null, acks, rejected: reasons };
  }
  if (!Array.isArray(cart) || !Array.isArray(favourites)) return null;
  const lines = cart.map(parseLine);
  if (!lines.every((line) => line !== null)) return null;
  if (!favourites.every((id) => typeof id === 'number')) return null;
  return { uid, device, ver, data: { cart: lines, favourites }, acks, rejected: reasons };
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
