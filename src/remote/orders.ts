import type { Answer } from '../domain/failure.ts';
import { parseEach } from '../domain/fields.ts';
import { type Order, ORDER_SELECT, parseOrder } from '../domain/order.ts';
import { type TokenSource, withToken } from './auth/token-source.ts';
import { type RestOptions, requestRest } from './request.ts';

/** Few enough for one answer with all their lines; most shoppers have no second page. */
const PAGE_ORDERS = 50;
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
      limit: String(PAGE_ORDERS),
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
      // By id, because a new order shifts the pages, and the next page then repeats an order.
      const orders = new Map<string, Order>();
      for (let pageNumber = 0; pageNumber < MOST_PAGES; pageNumber++) {
        const answer = await page(uid, pageNumber * PAGE_ORDERS, signal);
        if (!answer.ok) return answer;
        for (const order of answer.value) orders.set(order.id, order);
        if (answer.value.length < PAGE_ORDERS) break;
      }
      return { ok: true, value: [...orders.values()] };
    },
  };
}
