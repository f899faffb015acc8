import type { Answer } from '../domain/failure.ts';
import { parseEach } from '../domain/fields.ts';
import { type Order, ORDER_SELECT, parseOrder } from '../domain/order.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';
import { type RestOptions, requestRest } from './request.ts';

/** Few enough for one answer with all their lines; most shoppers have no second page. */
const PAGE = 50;
const MOST_PAGES = 20;
const TIMEOUT_MS = 15_000;

/**
 * Reads a shopper's orders, newest first (the newest 1,000). Row-level security returns only orders of
 * the token's own user.
 */
export function ordersRemote(options: RestOptions, tokens: TokenSource) {
  async function page(
    uid: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<Answer<readonly Order[]>> {
    const query = new URLSearchParams({
      select: ORDER_SELECT,
      order: 'created_at.desc,id.desc',
      limit: String(PAGE),
      offset: String(offset),
    });
    const path = `orders?${query.toString()}`;
    const parse = (body: unknown) => parseEach(body, parseOrder);
    return withToken(tokens, uid, (token) =>
      requestRest(options, { path, token, signal, timeoutMs: TIMEOUT_MS, parse }),
    );
  }

  return {
    async read(uid: string, signal: AbortSignal): Promise<Answer<readonly Order[]>> {
      // By id: a new order shifts the pages, and then one order comes twice.
      const orders = new Map<string, Order>();
      for (let count = 0; count < MOST_PAGES; count++) {
        const answer = await page(uid, count * PAGE, signal);
        if (!answer.ok) return answer;
        for (const order of answer.value) orders.set(order.id, order);
        if (answer.value.length < PAGE) break;
      }
      return { ok: true, value: [...orders.values()] };
    },
  };
}
