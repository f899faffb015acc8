/** Shoppers and their phones over a test's shop: the real engine, Dexie and SQL. */
import { randomUUID } from 'node:crypto';
import { type Mutation, enqueue, readShopperState } from '../../src/db/shopper-log.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { foldChanges, NOTHING } from '../../src/domain/change.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import type { TokenSource } from '../../src/remote/auth/token-source.ts';
import { pushAndPull } from '../../src/sync/push-and-pull.ts';
import { clientOf, type TestShop } from '../supabase/shop.ts';

export interface Account {
  readonly uid: string;
  readonly email: string;
  readonly token: string;
}

const PASSWORD = 'loom-and-thread';

export async function newAccount(shop: TestShop): Promise<Account> {
  const email = `${randomUUID()}@weft.test`;
  await shop.backend.addAccount({ email, password: PASSWORD });
  const { data } = await clientOf(shop).auth.signInWithPassword({ email, password: PASSWORD });
  return { uid: data.user?.id ?? '', email, token: data.session?.access_token ?? '' };
}

export async function newPhone(
  shop: TestShop,
  { uid, email, token }: Account,
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const idAndClock = { newId: () => randomUUID(), now: () => new Date() };
  const db = new WeftDatabase();
  // Each phone has a database of its own: the name is all that is changed.
  Object.defineProperty(db, 'name', { value: `weft-${randomUUID()}` });
  await db.meta.put({ key: 'shopper', uid, email, session: 'live' });
  const own = async () => ({ ok: true, value: token }) as const;
  const tokens: TokenSource = { accessToken: own, refreshNow: own };
  const remote = shopperRemote({ url: shop.url, key: shop.backend.publishableKey, fetch }, tokens);
  const memory = { unseen: null };
  return {
    db,
    tap: (mutation: Mutation) => enqueue(db, uid, mutation, idAndClock),
    save: () =>
      pushAndPull({ db, remote, memory, ...idAndClock }, uid, new AbortController().signal),
    /** What the screen shows. */
    async shown() {
      const state = await readShopperState(db);
      const waiting = state?.pending.map(({ change }) => change) ?? [];
      const { cart, favourites } = foldChanges(state?.base ?? NOTHING, waiting);
      const lines = cart.map(({ productId, quantity }) => [productId, quantity] as const);
      return { lines, favourites, waiting: waiting.length };
    },
  };
}

/** The server's limit on changes a minute counts from zero again. */
export async function letAMinutePass({ backend }: TestShop): Promise<void> {
  await backend.query('delete from public.push_counts');
}

export async function productIds({ backend }: TestShop): Promise<number[]> {
  const rows = await backend.query('select id from public.products order by id');
  return rows.map(({ id }) => Number(id));
}
