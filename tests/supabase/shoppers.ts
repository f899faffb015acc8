/** Signed-in shoppers, and what a phone of theirs says to push and pull. */
import { createHmac, randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { createClient } from '@supabase/supabase-js';
import type { Change, ChangeAction } from '../../src/domain/change.ts';
import { CHANGE_SCHEMA } from '../../src/domain/change.ts';
import type { TestShop } from './shop.ts';
import { clientOf } from './shop.ts';

export interface Shopper {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Signed in, and able to change user. */
  readonly client: SupabaseClient;
}

export interface Pulled {
  readonly uid: string;
  readonly device: string;
  readonly ver: number;
  readonly stamp: string | null;
  readonly cart:
    | readonly (readonly [productId: number, quantity: number, price: number | null])[]
    | null;
  readonly favourites: readonly number[] | null;
  readonly acks: readonly string[];
  readonly rejected: readonly { id: string; code: string; message: string }[];
}

export const PHONE = '00000000-0000-4000-8000-000000000001';

/** A new account, signed in. */
export async function addShopper(shop: TestShop, name: string): Promise<Shopper> {
  const account = { email: `${name}@weft.test`, password: 'secret-1' };
  const id = await shop.backend.addAccount(account);
  const client = clientOf(shop);
  const { data } = await client.auth.signInWithPassword(account);
  return { id, ...account, token: data.session?.access_token ?? '', client };
}

export function changeOf(action: ChangeAction): Change {
  return { ...action, id: randomUUID(), schema: CHANGE_SCHEMA, madeAt: new Date().toISOString() };
}

/** Tests also push malformed changes, to see how the server rejects them. */
export function push(shopper: Shopper, changes: unknown, device: string | null = PHONE) {
  return shopper.client.rpc('push', {
    p_user: shopper.id,
    p_device: device,
    p_changes: changes,
  });
}

/** Without a stamp this asks as a phone does whose build knows no stamps. */
export async function pull(
  shopper: Shopper,
  since: number | null = null,
  pending: readonly string[] = [],
  stamp?: string | null,
): Promise<Pulled> {
  const asked = { p_user: shopper.id, p_device: PHONE, p_since: since, p_pending: pending };
  const { data, error } = await shopper.client
    .rpc('pull', stamp === undefined ? asked : { ...asked, p_stamp: stamp })
    .throwOnError();
  if (error !== null) throw new Error('unreachable');
  return data as Pulled;
}

/** A client that sends the given token, or with none only the publishable key. */
export function clientWith(shop: TestShop, token: string | null): SupabaseClient {
  return createClient(shop.url, shop.backend.publishableKey, { accessToken: async () => token });
}

/** An access token as the auth service signs it; with negative seconds it has expired. */
export function tokenFor(shop: TestShop, userId: string, secondsToLive: number): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    sub: userId,
    role: 'authenticated',
    aud: 'authenticated',
    iat: now - 3600,
    exp: now + secondsToLive,
  };
  const text = [{ alg: 'HS256', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', shop.backend.jwtSecret).update(text).digest('base64url');
  return `${text}.${signature}`;
}

/** Puts products of these prices into the shop and returns their ids by stock code. */
export async function sell<Code extends string>(
  shop: Pick<TestShop, 'backend'>,
  prices: Readonly<Record<Code, number | null>>,
): Promise<Record<Code, number>> {
  const rows = Object.entries(prices).map(([SKC, price]) => ({ SKC, 'Retail Price': price }));
  await shop.backend.query('select public.import_products($1::jsonb)', [JSON.stringify(rows)]);
  const stored = await shop.backend.query('select id, "SKC" from public.products');
  const ids = stored.map((row) => [String(row['SKC']), Number(row['id'])] as const);
  // Each code is there: it has just been imported.
  return Object.fromEntries(ids) as Record<Code, number>;
}

/** Lets shoppers of a test hand in as many changes as they like, at any speed. */
export async function liftQuota({ backend }: Pick<TestShop, 'backend'>): Promise<void> {
  await backend.query(`create or replace function public.changes_left(p_user uuid, p_now timestamptz)
    returns int language sql immutable set search_path = '' as 'select 20000'`);
}
