import type { CartLine, Change, Pulled, Since } from '../domain/change.ts';
import type { Answer } from '../domain/failure.ts';
import { fieldsOf, parseEach } from '../domain/fields.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';
import { type RestOptions, requestRest } from './request.ts';

/** The most changes that `push` takes at once. */
export const PUSH_LIMIT = 50;

/** Reads and changes one shopper's data at the backend, only with that shopper's own token. */
export interface ShopperRemote {
  /** Applies at most `PUSH_LIMIT` changes, in order, each once. Answers with the new version. */
  push(
    uid: string,
    device: string,
    changes: readonly Change[],
    signal: AbortSignal,
  ): Promise<Answer<number>>;
  /**
   * Reads the rows, unless the phone has them already (`since`), and which of the pending changes the
   * server has acknowledged or rejected.
   */
  pull(
    uid: string,
    device: string,
    since: Since,
    pending: readonly string[],
    signal: AbortSignal,
  ): Promise<Answer<Pulled>>;
  /**
   * Says that the phone holds no change that is older than its base, so that the server may forget such changes
   * early. The server ignores this unless the base is its own newest version. The answer says nothing.
   */
  release(
    uid: string,
    device: string,
    base: NonNullable<Since>,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** These calls are small: one that takes longer is probably lost, and waiting would delay the retry. */
const TIMEOUT_MS = 8_000;

export function shopperRemote(options: RestOptions, tokens: TokenSource): ShopperRemote {
  function call<T>(
    uid: string,
    path: string,
    body: object,
    signal: AbortSignal,
    parse: (body: unknown) => T | null,
  ): Promise<Answer<T>> {
    return withToken(tokens, uid, (token) =>
      requestRest(options, { path, body, token, signal, timeoutMs: TIMEOUT_MS, parse }),
    );
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
        p_stamp: since?.stamp ?? null,
        p_pending: pending,
      };
      return call(uid, 'rpc/pull', body, signal, parsePull);
    },
    release(uid, device, { ver, stamp }, signal) {
      const body = { p_user: uid, p_device: device, p_ver: ver, p_stamp: stamp };
      return call(uid, 'rpc/release', body, signal, () => null);
    },
  };
}

function parsePush(body: unknown): number | null {
  const ver = fieldsOf(body)['ver'];
  return typeof ver === 'number' ? ver : null;
}

function parsePull(body: unknown): Pulled | null {
  const { uid, device, ver, stamp: given, cart, favourites, acks, rejected } = fieldsOf(body);
  const stamp = typeof given === 'string' ? given : null;
  if (typeof uid !== 'string' || typeof device !== 'string' || typeof ver !== 'number') return null;
  if (!Array.isArray(acks) || !acks.every((id) => typeof id === 'string')) return null;
  if (!Array.isArray(rejected)) return null;
  const reasons = rejected.map((rejection: unknown) => {
    const { id, message } = fieldsOf(rejection);
    return { id: String(id), message: typeof message === 'string' ? message : '' };
  });
  if (cart === null && favourites === null) {
    return { uid, device, ver, stamp, data: null, acks, rejected: reasons };
  }
  const lines = parseEach(cart, parseLine);
  if (!lines || !Array.isArray(favourites)) return null;
  if (!favourites.every((id) => typeof id === 'number')) return null;
  return { uid, device, ver, stamp, data: { cart: lines, favourites }, acks, rejected: reasons };
}

function parseLine(values: unknown): CartLine | null {
  if (!Array.isArray(values)) return null;
  const [productId, quantity, price] = values as unknown[];
  if (typeof productId !== 'number' || typeof quantity !== 'number') return null;
  return { productId, quantity, priceWhenAdded: typeof price === 'number' ? price : null };
}
