import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from './changes.ts';
import type { TestShop } from './shop.ts';
import { clientOf, openTestShop } from './shop.ts';

let shop: TestShop;
let signedIn: SupabaseClient;

beforeAll(async () => {
  shop = await openTestShop();
  await importRows(shop, [
    { SKC: 'COAT-1', 'Category 1': 'Coats', 'Retail Price': '129.50' },
    { SKC: 'COAT-2', 'Category 1': 'Coats' },
  ]);
  await shop.backend.addAccount({ email: 'ada@weft.test', password: 'secret-1' });
  signedIn = clientOf(shop);
  await signedIn.auth.signInWithPassword({ email: 'ada@weft.test', password: 'secret-1' });
});
afterAll(() => shop.close());

interface Page {
  readonly ver: number;
  readonly stamp: string;
  readonly products: readonly (readonly unknown[])[];
}

const everyone = [
  ['a visitor', () => clientOf(shop)],
  ['a signed-in shopper', () => signedIn],
] as const;

describe.each(everyone)('%s', (_who, client) => {
  test('reads the products with the columns of the product files, price as a number', async () => {
    const { data } = await client()
      .from('products')
      .select(
        'id, SKC, Size, "Images link", "Category 1", "Category 2", "Category 3", "Category 4", "Retail Price", Material, "Fabric Composition"',
      )
      .order('SKC', { ascending: true });
    expect(data).toEqual([
      expect.objectContaining({ SKC: 'COAT-1', Size: '', 'Retail Price': 129.5 }),
      expect.objectContaining({ SKC: 'COAT-2', 'Images link': null, 'Retail Price': null }),
    ]);
  });

  test('reads them by pages too, as the changes write them, and at which version', async () => {
    const page = async (args: object) => (await client().rpc('catalogue_page', args)).data as Page;
    const whole = await page({});
    expect(whole.products.map(([, skc, size, , , , , , price]) => [skc, size, price])).toEqual([
      ['COAT-1', '', 129.5],
      ['COAT-2', '', null],
    ]);
    const place = { p_since: whole.ver, p_stamp: whole.stamp };
    expect((await client().rpc('catalogue_changes', place)).data).toMatchObject({ known: true });
    const [id, skc] = whole.products[0] ?? [];
    const rest = await page({ p_skc: skc, p_id: id, p_limit: 0 });
    expect(rest.products).toEqual(whole.products.slice(1));
    expect((await page({ p_skc: 'D' })).products).toEqual([]);
  });

  test('reads what left the catalogue, and its epoch', async () => {
    expect((await client().from('product_deletions').select()).error).toBeNull();
    expect((await client().from('catalogue_meta').select('epoch, min_ver')).data).toHaveLength(1);
  });

  test.each([
    ['products', { SKC: 'HAT-1', Material: 'felt' }, 'SKC'],
    ['product_deletions', { id: 1, ver: 1 }, 'id'],
    ['catalogue_meta', { only_row: true, min_ver: 99 }, 'only_row'],
    ['catalogue_stamps', { ver: 1 }, 'ver'],
  ])('cannot change %s in any way', async (table, row: Record<string, unknown>, key) => {
    const rows = client().from(table);
    const attempts = [
      await rows.insert(row),
      await rows.upsert(row),
      await rows.update(row).not(key, 'is', null),
      await rows.delete().not(key, 'is', null),
    ];
    expect(attempts.map(({ error }) => error?.code)).toEqual(['42501', '42501', '42501', '42501']);
  });

  test('cannot import, purge or take the lock', async () => {
    const attempts = [
      await client().rpc('import_products', { p_rows: [{ SKC: 'HAT-1' }] }),
      await client().rpc('purge_product_deletions', { p_before: '2100-01-01' }),
      await client().rpc('take_catalogue_lock'),
    ];
    expect(attempts.map(({ error }) => error?.code)).toEqual(['42501', '42501', '42501']);
  });

  test('holds no privilege beyond reading, though hosted Supabase grants all by default', async () => {
    const rows = await shop.backend.query(`
      select grantee, table_name, privilege_type from information_schema.role_table_grants
      where table_schema = 'public' and grantee in ('anon', 'authenticated')
        and table_name in ('products', 'product_deletions', 'catalogue_meta', 'catalogue_stamps')
        and privilege_type <> 'SELECT'`);
    expect(rows).toEqual([]);
  });
});

test('even the server cannot write versions, tombstones, stamps or the epoch by hand', async () => {
  const server = clientOf(shop, shop.backend.secretKey);
  const attempts = [
    await server.from('product_deletions').insert({ id: 1, ver: 1 }),
    await server.from('catalogue_meta').update({ min_ver: 9 }).gte('min_ver', 0),
    await server.from('catalogue_stamps').insert({ ver: 1 }),
  ];
  expect(attempts.map(({ error }) => error?.code)).toEqual(['42501', '42501', '42501']);
});

test('everything in public is explained by a comment', async () => {
  const rows = await shop.backend.query(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and obj_description(c.oid, 'pg_class') is null
    union all
    select p.proname from pg_proc p
    where p.pronamespace = 'public'::regnamespace and obj_description(p.oid, 'pg_proc') is null
    union all
    select p.polname from pg_policy p where obj_description(p.oid, 'pg_policy') is null`);
  expect(rows).toEqual([]);
});

test('every function looks names up in no schema but those it names', async () => {
  const rows = await shop.backend.query(`
    select proname from pg_proc
    where pronamespace = 'public'::regnamespace
      and not coalesce(proconfig, '{}') @> array['search_path=""']`);
  expect(rows).toEqual([]);
});
