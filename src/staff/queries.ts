import { useObservable } from 'dexie-react-hooks';
import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { pollEvery } from '../browser/poll.ts';
import { connection } from '../db/connection.ts';
import { keepList, readLists } from '../db/staff-orders.ts';
import type { Answer, BackendFailure } from '../domain/failure.ts';
import type { ReadOrders, StaffOrder, WholeOrder } from '../domain/staff-order.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { type OrdersQuery, staffRemote } from '../remote/staff.ts';

/** The signed-in user, for whom the page reads. */
export interface Reader {
  readonly uid: string;
  readonly tokens: TokenSource;
  /** Rises with each change that the user makes, so that the page reads anew. */
  readonly turn: number;
}

/** What a page of staff shows: the last answer of the shop, or what this device kept of an earlier one. */
export interface Polled<T> {
  /** Null while nothing was read, and where the shop says that this user may not see it. */
  readonly value: T | null;
  /** Why the last reading failed; null after a success, and while the page asks again. */
  readonly failure: BackendFailure | null;
}

/** The orders of a list or of a search. This device keeps lists only. */
export function useStaffOrders(
  { uid, tokens, turn }: Reader,
  query: OrdersQuery,
  pages: number,
): Polled<ReadOrders> {
  const name = 'list' in query ? query.list : null;
  const key = JSON.stringify(query);
  return usePolled(
    () => staffRemote(tokens, uid).orders(query, pages),
    async () => (name === null ? null : ((await readKept(uid))[name] ?? null)),
    (list) => (name === null ? undefined : keep(uid, name, list)),
    [uid, tokens, turn, key, pages],
  );
}

/** One order. Offline it is as a list showed it, without its payments and history. */
export interface ShownOrder {
  readonly order: StaffOrder | WholeOrder;
  /** When it was read, in milliseconds since 1970. */
  readonly at: number;
}

export function useStaffOrder({ uid, tokens, turn }: Reader, id: string): Polled<ShownOrder> {
  return usePolled<ShownOrder>(
    async () => {
      const answer = await staffRemote(tokens, uid).order(id);
      return answer.ok ? { ok: true, value: { order: answer.value, at: Date.now() } } : answer;
    },
    async () => {
      const lists = Object.values(await readKept(uid)).toSorted((a, b) => b.at - a.at);
      const found = lists.flatMap(({ orders, at }) => orders.map((order) => ({ order, at })));
      return found.find(({ order }) => order.id === id) ?? null;
    },
    // Keeps nothing: only lists are stored. If this user may not see orders, the device forgets them all.
    (shown) => (shown === null ? keep(uid, '', null) : undefined),
    [uid, tokens, turn, id],
  );
}

/** A new order is on the page within this time. */
const EVERY_MS = 30_000;
const NOTHING_YET = { value: null, failure: null };

/**
 * Shows what is stored, then asks the shop again and again while a component shows the answer.
 *
 * @param store keeps an answer; gets null where the shop has said that this user may not see it
 */
export function usePolled<T>(
  read: () => Promise<Answer<T>>,
  readStored: () => Promise<T | null>,
  store: (value: T | null) => Promise<unknown> | undefined,
  deps: unknown[],
): Polled<T> {
  const follow = (next: (polled: Polled<T>) => void) => {
    let value: T | null = null;
    const { wake, stop } = pollEvery(
      async (signal) => {
        value ??= await readStored();
        if (value !== null) next({ value, failure: null });
        const answer = await read();
        if (signal.aborted) return 'done';
        const failure = answer.ok ? null : answer.failure;
        const isForbidden = failure?.kind === 'rejected' && [403, 503].includes(failure.status);
        if (answer.ok || isForbidden) {
          value = answer.ok ? answer.value : null;
          await store(value);
        }
        next({ value, failure });
        return failure?.kind === 'offline' ? 'failed' : 'done';
      },
      EVERY_MS,
      pageTiming,
    );
    const stopListening = onWakeUp(wake);
    return () => {
      stop();
      stopListening();
    };
  };
  // Without `hasValue` the hook would subscribe once more, only to see whether there is a value.
  return useObservable<Polled<T>, Polled<T>>(
    () => ({ subscribe: follow, hasValue: () => false }),
    deps,
    NOTHING_YET,
  );
}

// Where the storage of this device fails, the page goes on without it.

async function readKept(uid: string): Promise<Readonly<Record<string, ReadOrders>>> {
  return readLists(connection.db, uid).catch(() => ({}));
}

function keep(uid: string, name: string, list: ReadOrders | null): Promise<unknown> {
  return keepList(connection.db, uid, name, list).catch((error: unknown) =>
    connection.recoverFrom(error),
  );
}
