/** Signed-in shoppers, and their phones' calls of `push` and `pull`. */
import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type Change, CHANGE_SCHEMA, type ChangeAction } from '../../src/domain/change.ts';
import { signToken } from '../account/jwt.ts';
import { clientOf, type TestShop } from './shop.ts';

/** A shopper with an account and a session. */
export interface Shopper {
  /** The id of the account. */
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The access token of the session. */
  readonly token: string;
  /** Signed in as the shopper; can sign in as another one. */
  readonly client: SupabaseClient;
}

/** An answer of `pull`. */
export interface Pulled {
  /** The id of the account that pulls. */
  readonly uid: string;
  /** The device id of the phone that pulls. */
  readonly device: string;
  /** The version of the shopper's cart and favourites; it grows with each change of them. */
  readonly ver: number;
  /** The random id of this version. After a restore from a backup a version gets another one. */
  readonly stamp: string | null;
  /** Null, like the favourites, when the phone has the newest version. */
  readonly cart:
    | readonly (readonly [productId: number, quantity: number, price: number | null])[]
    | null;
  readonly favourites: readonly number[] | null;
  /** Ids of the changes that the server has applied or rejected. */
  readonly acks: readonly string[];
  /** Those of `acks` that can never be applied, with a sentence for the shopper. */
  readonly rejected: readonly { id: string; code: string; message: string }[];
}

/** The device id of the phone that pushes and pulls. */
export const PHONE_ID = '00000000-0000-4000-8000-000000000001';

/** Adds an account and signs in. @param role `staff`, for example; none for a shopper */
export async function addShopper(shop: TestShop, name: string, role?: string): Promise<Shopper> {
  const account = { email: `${name}@weft.test`, password: 'secret-1' };
  const id = await shop.backend.addAccount({ ...account, ...(role && { appMetadata: { role } }) });
  const client = clientOf(shop);
  const { data } = await client.auth.signInWithPassword(account);
  return { id, ...account, token: data.session?.access_token ?? '', client };
}

/** A change as a phone puts it into its outbox. */
export function changeOf(action: ChangeAction): Change {
  const madeAt = new Date().toISOString();
  return { ...action, id: randomUUID(), schema: CHANGE_SCHEMA, madeAt, baseVer: 0 };
}

/** The changes that most tests make. */
export const addToCart = (productId: number, by = 1) =>
  changeOf({ kind: 'cart.add', args: { productId, by } });
export const addFavourite = (productId: number) =>
  changeOf({ kind: 'favourite.add', args: { productId } });
export const clearCart = () => changeOf({ kind: 'cart.clear', args: {} });

/** The ids of these changes. */
export const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id);

/** Pushes changes. Their type is unknown because some tests push malformed ones. */
export function push({ client, id }: Shopper, changes: unknown, device: string | null = PHONE_ID) {
  return client.rpc('push', { p_user: id, p_device: device, p_changes: changes });
}

/**
 * Pulls what changed since a version.
 *
 * @param pending ids of changes that the phone has pushed and that no pull has acknowledged yet
 */
export async function pull(
  shopper: Shopper,
  since: number | null = null,
  pending: readonly string[] = [],
  stamp?: string | null,
): Promise<Pulled> {
  const args = { p_user: shopper.id, p_device: PHONE_ID, p_since: since, p_pending: pending };
  const { data } = await shopper.client
    .rpc('pull', stamp === undefined ? args : { ...args, p_stamp: stamp })
    .throwOnError();
  return data as Pulled;
}

/** A client that sends this token, or only the publishable key when it is null. */
export function clientWith(shop: TestShop, token: string | null): SupabaseClient {
  return createClient(shop.url, shop.backend.publishableKey, { accessToken: async () => token });
}

/**
 * An access token as the auth service signs it, issued an hour ago. With negative `secondsToLive` it has
 * expired.
 */
export function tokenFor(shop: TestShop, userId: string, secondsToLive: number): string {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now - 3600, exp: now + secondsToLive };
  const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', ...times };
  return signToken(claims, shop.backend.jwtSecret);
}

/** Puts products with these stock codes and prices into the shop. Returns their ids by stock code. */
export async function sell<Code extends string>(
  shop: Pick<TestShop, 'backend'>,
  prices: Readonly<Record<Code, number | null>>,
): Promise<Record<Code, number>> {
  const rows = Object.entries(prices).map(([SKC, price]) => ({ SKC, 'Retail Price': price }));
  await shop.backend.query('select public.import_products($1::jsonb)', [JSON.stringify(rows)]);
  const stored = await shop.backend.query('select id, "SKC" from public.products');
  const ids = stored.map((row) => [String(row['SKC']), Number(row['id'])] as const);
  // Every code has just been imported.
  return Object.fromEntries(ids) as Record<Code, number>;
}

/** Lets a shopper push 20,000 changes at once. There is usually a limit a minute, and one a day. */
export async function liftQuota({ backend }: Pick<TestShop, 'backend'>): Promise<void> {
  await backend.query(`create or replace function public.changes_left(p_user uuid, p_now timestamptz)
    returns int language sql immutable set search_path = '' as 'select 20000'`);
}

/** Makes all records of changes so many days older, and runs the nightly upkeep, which forgets old ones. */
export async function ageChanges({ backend }: Pick<TestShop, 'backend'>, days: number) {
  const ago = 'make_interval(days => $1)';
  await backend.query(`update public.applied_changes set applied_at = applied_at - ${ago}`, [days]);
  await backend.query(`update public.devices set due_at = due_at - ${ago}`, [days]);
  await backend.query('select public.prune_applied_changes(now())');
}
