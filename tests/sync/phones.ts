/** Shoppers and their phones over a test's shop: the real engine, Dexie and SQL. */
import { randomUUID } from 'node:crypto';
import { enqueueIn } from '../../src/db/outbox.ts';
import { readShopperState } from '../../src/db/shopper-data.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { foldChanges, type Mutation, NOTHING } from '../../src/domain/change.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import type { TokenSource } from '../../src/remote/auth/token-source.ts';
import { pushAndPull } from '../../src/sync/shopper.ts';
import { columnOf } from '../supabase/column.ts';
import type { TestShop } from '../supabase/shop.ts';
import { addShopper, type Shopper } from '../supabase/shoppers.ts';

/** A phone's database, under a name of its own. */
export function newDatabase(): WeftDatabase {
  const db = new WeftDatabase();
  // `WeftDatabase` has one name, under which the phones of a test would share it.
  Object.defineProperty(db, 'name', { value: `weft-${randomUUID()}` });
  return db;
}

/** Adds an account and signs in. */
export function newAccount(shop: TestShop): Promise<Shopper> {
  return addShopper(shop, randomUUID());
}

/** A phone on which the shopper is signed in; `fetch` takes the place of its network. */
export async function newPhone(
  shop: TestShop,
  { id: uid, email, token }: Shopper,
  fetch: typeof globalThis.fetch = globalThis.fetch,
) {
  const idAndClock = { newId: () => randomUUID(), now: () => new Date() };
  const db = newDatabase();
  await db.meta.put({ key: 'shopper', uid, email, session: 'live' });
  const giveToken = async () => ({ ok: true, value: token }) as const;
  const tokens: TokenSource = { accessToken: giveToken, refreshNow: giveToken };
  const remote = shopperRemote({ url: shop.url, key: shop.backend.publishableKey, fetch }, tokens);
  const memory = { unseen: null };
  return {
    db,
    /** Puts changes into the outbox, as a tap does. */
    tap: (mutation: Mutation) => enqueueIn(db, uid, mutation, idAndClock),
    /** Runs the sync once. */
    save: () =>
      pushAndPull({ db, remote, memory, ...idAndClock }, uid, new AbortController().signal),
    /** What the screen shows: lines of product and quantity, favourites, and how many changes are unsaved. */
    async shown() {
      const state = await readShopperState(db);
      const unsaved = state?.pending.map(({ change }) => change) ?? [];
      const { cart, favourites } = foldChanges(state?.base ?? NOTHING, unsaved);
      const lines = cart.map(({ productId, quantity }) => [productId, quantity] as const);
      return { lines, favourites, unsaved: unsaved.length };
    },
  };
}

/** What `newPhone` returns. */
export type Phone = Awaited<ReturnType<typeof newPhone>>;

/** Empties the server's counts of changes, so that those of one test do not use up the limit of the next. */
export async function resetPushQuota({ backend }: TestShop): Promise<void> {
  await backend.query('delete from public.push_counts');
}

/** The ids of all products, in the order in which they were added. */
export async function productIds({ backend }: TestShop): Promise<number[]> {
  return (await columnOf(backend, 'select id from public.products order by id')).map(Number);
}
