import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestShop } from './shop.ts';
import { clientOf, openTestShop } from './shop.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper, changeOf, PHONE, push, sell } from './shoppers.ts';

let shop: TestShop;
let ada: Shopper;
let eve: Shopper;
let coat: number;
let hat: number;

beforeAll(async () => {
  shop = await openTestShop();
  [ada, eve] = [await addShopper(shop, 'ada'), await addShopper(shop, 'eve')];
  ({ COAT: coat = 0, HAT: hat = 0 } = await sell(shop, { COAT: 129.5, HAT: null }));
  await push(ada, [
    changeOf({ kind: 'cart.add', args: { productId: coat, by: 2 } }),
    changeOf({ kind: 'favourite.add', args: { productId: coat } }),
  ]);
});
afterAll(() => shop.close());

type Fields = Record<string, unknown>;

/** A table, what of Ada's somebody might write into it, and what of it a writer might change. */
const tables = [
  ['cart_items', () => ({ user_id: ada.id, product_id: hat, quantity: 1 }), { quantity: 9 }],
  ['favorites', () => ({ user_id: ada.id, product_id: hat }), { product_id: 1 }],
  ['sync_user', () => ({ user_id: ada.id, ver: 99 }), { stamp: PHONE }],
  [
    'applied_changes',
    () => ({
      user_id: ada.id,
      change_id: crypto.randomUUID(),
      device_id: crypto.randomUUID(),
      ver: 99,
      kind: 'cart.clear',
      outcome: 'applied',
    }),
    { outcome: 'rejected' },
  ],
] as const satisfies [table: string, row: () => Fields, part: Fields][];

const all = (table: string) => shop.backend.query(`select * from public.${table} order by user_id`);

describe.each(tables)('%s of a shopper', (table, row: () => Fields, part: Fields) => {
  async function attempts(client: SupabaseClient) {
    const rows = client.from(table);
    return {
      select: await rows.select(),
      insert: await rows.insert(row()),
      upsert: await rows.upsert(row()),
      update: await rows.update(part, { count: 'exact' }).eq('user_id', ada.id),
      delete: await rows.delete({ count: 'exact' }).eq('user_id', ada.id),
    };
  }

  test('a visitor without an account can neither read nor write', async () => {
    const before = await all(table);
    for (const [what, { error }] of Object.entries(await attempts(clientOf(shop)))) {
      expect([what, error?.code]).toEqual([what, '42501']);
    }
    expect(await all(table)).toEqual(before);
  });

  test('another shopper can neither read nor write', async () => {
    const before = await all(table);
    expect(before).toHaveLength(table === 'applied_changes' ? 2 : 1);
    const tried = await attempts(eve.client);
    expect(tried.select.data).toEqual([]);
    expect([tried.insert.error?.code, tried.upsert.error?.code]).toEqual(['42501', '42501']);
    for (const { error, count } of [tried.update, tried.delete]) {
      expect(error?.code ?? count).toBe(
        table === 'cart_items' || table === 'favorites' ? 0 : '42501',
      );
    }
    expect(await all(table)).toEqual(before);
  });

  test('its owner reads it', async () => {
    expect((await ada.client.from(table).select()).data).toEqual(await all(table));
  });
});

test('a shopper cannot give a line away, nor write the own version or history by hand', async () => {
  const attempts = [
    await ada.client.from('cart_items').update({ user_id: eve.id }).eq('user_id', ada.id),
    await ada.client.from('favorites').update({ user_id: eve.id }).eq('user_id', ada.id),
    await ada.client.from('sync_user').update({ ver: 99 }).eq('user_id', ada.id),
    await ada.client.from('sync_user').update({ stamp: PHONE }).eq('user_id', ada.id),
    await ada.client.from('sync_user').delete().eq('user_id', ada.id),
    await ada.client.from('applied_changes').update({ ver: 99 }).eq('user_id', ada.id),
    await ada.client.from('applied_changes').delete().eq('user_id', ada.id),
  ];
  expect(attempts.map(({ error }) => error?.code)).toEqual([
    expect.stringMatching(/^(42501|23001)$/) as string,
    expect.stringMatching(/^(42501|23001)$/) as string,
    '42501',
    '42501',
    '42501',
    '42501',
    '42501',
  ]);
});

test('even the server does not move a line from one shopper to another', async () => {
  const server = clientOf(shop, shop.backend.secretKey);
  const { error } = await server
    .from('cart_items')
    .update({ user_id: eve.id })
    .eq('user_id', ada.id);
  expect(error?.code).toBe('23001');
});

test.each([
  ['lock_shopper', () => ({ p_user: ada.id })],
  [
    'apply_change',
    () => ({ p_user: ada.id, p_change: changeOf({ kind: 'cart.clear', args: {} }) }),
  ],
  ['prune_applied_changes', () => ({ p_before: '2020-01-01' })],
  ['lock_account', () => ({ p_user: ada.id })],
  ['changes_left', () => ({ p_user: ada.id, p_now: '2026-11-21T12:00:00Z' })],
  ['count_changes', () => ({ p_user: ada.id, p_count: -600, p_now: '2026-11-21T12:00:00Z' })],
  ['change_args', () => ({ p_kind: 'cart.add' })],
])('nobody outside may call %s', async (name, args) => {
  for (const client of [clientOf(shop), ada.client]) {
    expect((await client.rpc(name, args())).error?.code).toMatch(/^(42501|PGRST202)$/);
  }
});

test('nobody sees or changes how many changes somebody has handed in, nor do phones hear of it', async () => {
  const before = await all('push_counts');
  expect(before).toMatchObject([{ user_id: ada.id, day_count: 2 }]);
  for (const client of [clientOf(shop), eve.client, ada.client]) {
    const rows = client.from('push_counts');
    for (const { error } of [
      await rows.select(),
      await rows.insert({ ...before[0], user_id: eve.id }),
      await rows.update({ day_count: 0 }).eq('user_id', ada.id),
      await rows.delete().eq('user_id', ada.id),
    ]) {
      expect(error?.code).toBe('42501');
    }
  }
  expect(await all('push_counts')).toEqual(before);
  const published = await shop.backend.query(`
    select tablename from pg_publication_tables
    where tablename in ('push_counts', 'catalogue_stamps', 'applied_changes')`);
  expect(published).toEqual([]);
});

test('signed-in shoppers hold no more than they need, though hosted Supabase grants all', async () => {
  const rows = await shop.backend.query(`
    select grantee || ' ' || table_name as holds, string_agg(privilege_type, ' ' order by privilege_type) as what
    from information_schema.role_table_grants
    where table_schema = 'public' and grantee in ('anon', 'authenticated')
      and table_name in ('cart_items', 'favorites', 'sync_user', 'applied_changes', 'push_counts')
    group by 1 order by 1`);
  expect(rows).toEqual([
    { holds: 'authenticated applied_changes', what: 'SELECT' },
    { holds: 'authenticated cart_items', what: 'DELETE INSERT SELECT UPDATE' },
    { holds: 'authenticated favorites', what: 'DELETE INSERT SELECT UPDATE' },
    { holds: 'authenticated sync_user', what: 'SELECT' },
  ]);
});
