/** Reads and changes orders for the shop's staff, with their own token. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { type Fields, isoTime, parseEach } from '../domain/fields.ts';
import {
  parseStaffOrder,
  parseWholeOrder,
  type ReadOrders,
  type StaffOrder,
  type WholeOrder,
} from '../domain/staff-order.ts';
import type { TokenSource } from './auth/token-source.ts';
import { callFunction } from './request.ts';

/** Names orders to read: a list of the shop's, or what a person searches for. */
export type OrdersQuery = { readonly list: string } | { readonly search: string };

/** A change of orders, as the function `change-orders` reads it. */
export interface OrdersChange {
  readonly change: 'send' | 'unsend' | 'close';
  readonly carrier?: string;
  readonly tracking_url?: string;
  readonly outcome?: 'paid' | 'cancelled';
  readonly note?: string;
}

/** An order as the page showed it: the server changes nothing where it is not so any more. */
export type SeenOrder = Pick<StaffOrder, 'id' | 'refundedMinor' | 'sentAt'>;

const TIMEOUT_MS = 20_000;

export function staffRemote(tokens: TokenSource, uid: string) {
  const read = <T>(query: Readonly<Record<string, string>>, parse: (fields: Fields) => T | null) =>
    callFunction(tokens, uid, {
      name: `staff-orders?${new URLSearchParams(query).toString()}`,
      timeoutMs: TIMEOUT_MS,
      parse,
    });

  return {
    /** Reads so many pages of orders. */
    async orders(query: OrdersQuery, pages: number): Promise<Answer<ReadOrders>> {
      // By id, because an order may move to the next page meanwhile.
      const orders = new Map<string, StaffOrder>();
      let after: string | null = null;
      for (let page = 0; page < pages; page += 1) {
        const from: Readonly<Record<string, string>> = after === null ? {} : { after };
        const answer: Answer<Page> = await read({ ...query, ...from }, parsePage);
        if (!answer.ok) return answer;
        for (const order of answer.value.orders) orders.set(order.id, order);
        after = answer.value.next;
        if (after === null) break;
      }
      const value = { orders: [...orders.values()], hasMore: after !== null, at: Date.now() };
      return { ok: true, value };
    },
    order: (id: string): Promise<Answer<WholeOrder>> =>
      read({ order: id }, ({ order }) => parseWholeOrder(order)),
    file: (): Promise<Answer<OrdersFile>> => read({ csv: '' }, parseFile),
    /** Changes all of these orders, or none. The answer is the time of the change, in ISO 8601. */
    change: (orders: readonly SeenOrder[], change: OrdersChange): Promise<Answer<string>> => {
      const seen = orders.map(({ id, refundedMinor, sentAt }) => ({
        id,
        refunded_minor: refundedMinor,
        sent_at: sentAt,
      }));
      return callFunction(tokens, uid, {
        name: 'change-orders',
        body: { ...change, orders: seen },
        timeoutMs: TIMEOUT_MS,
        parse: ({ at }) => isoTime(at),
      });
    },
  };
}

/** The oldest orders that are to be sent, as a CSV. */
interface OrdersFile {
  readonly csv: string;
  /** Whether there are more than the file has. */
  readonly hasMore: boolean;
}

function parseFile({ csv, hasMore }: Fields): OrdersFile | null {
  return typeof csv === 'string' ? { csv, hasMore: hasMore === true } : null;
}

interface Page {
  readonly orders: readonly StaffOrder[];
  readonly next: string | null;
}

function parsePage({ orders, next }: Fields): Page | null {
  const parsed = parseEach(orders, parseStaffOrder);
  return parsed && { orders: parsed, next: typeof next === 'string' ? next : null };
}
