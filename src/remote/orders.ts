import type { Answer } from '../domain/failure.ts';
import { parseEach } from '../domain/fields.ts';
import { type Order, ORDER_SELECT, parseOrder } from '../domain/order.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';
import { type RestOptions, requestRest } from './request.ts';

/** More than a shopper scrolls through, and few enough for one answer with all their lines. */
const MOST_ORDERS = 200;
const TIMEOUT_MS = 15_000;

/**
 * Reads a shopper's newest orders, the newest first. Row-level security returns only orders of the token's own
 * user.
 */
export function ordersRemote(options: RestOptions, tokens: TokenSource) {
  const query = new URLSearchParams({
    select: ORDER_SELECT,
    order: 'created_at.desc,id.desc',
    limit: String(MOST_ORDERS),
  });
  const path = `orders?${query.toString()}`;
  const parse = (body: unknown) => parseEach(body, parseOrder);
  return {
    read: (uid: string, signal: AbortSignal): Promise<Answer<readonly Order[]>> =>
      withToken(tokens, uid, (token) =>
        requestRest(options, { path, token, signal, timeoutMs: TIMEOUT_MS, parse }),
      ),
  };
}
