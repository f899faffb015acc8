import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importWhole, table } from './parts.ts';
import type { TestShop } from './shop.ts';
import { clientOf, openTestShop } from './shop.ts';
import type { Shopper } from './shoppers.ts';
import { addShopper } from './shoppers.ts';

let shop: TestShop;
let ada: Shopper;
let importId: string;

beforeAll(async () => {
  shop = await openTestShop();
  ada = await addShopper(shop, 'ada');
  importId = await importWhole(shop, ada.id, [{ SKC: 'A' }]);
});
afterAll(() => shop.close());

const everyone = [
  ['a visitor', () => clientOf(shop)],
  ['the importer, signed in', () => ada.client],
] as const;

type Fields = Record<string, unknown>;

const functions: readonly (readonly [name: string, args: () => Fields])[] = [
  ['import_products', () => ({ p_rows: [{ SKC: 'B' }] })],
  ['import_products', () => ({ p_rows: [{ SKC: 'B' }], p_log: importId })],
  [
    'import_part',
    () => ({
      p_import: randomUUID(),
      p_user: ada.id,
      p_email: ada.email,
      p_file_name: null,
      p_part: 0,
      p_total_parts: 1,
      p_digest: 'x',
      p_rows: [{ SKC: 'B' }],
      p_rejected: 0,
    }),
  ],
  ['undo_import', () => ({ p_user: ada.id, p_import: importId, p_limit: 1 })],
  ['last_import', () => ({ p_user: ada.id })],
  ['drop_old_log', () => ({})],
];

describe.each(everyone)('%s', (_who, client: () => SupabaseClient) => {
  test.each(functions)('may not call %s', async (name, args) => {
    expect((await client().rpc(name, args())).error?.code).toBe('42501');
    expect((await table(shop)).map((row) => row['SKC'])).toEqual(['A']);
  });

  test.each([
    ['imports', () => ({ id: randomUUID(), user_id: ada.id })],
    [
      'import_parts',
      () => ({
        import_id: importId,
        part: 7,
        digest: 'x',
        inserted: 1,
        updated: 0,
        unchanged: 0,
        rejected: 0,
      }),
    ],
    ['import_changes', () => ({ import_id: importId, product_id: 1, ver: 1, existed: false })],
  ] as const)('can neither read nor write %s', async (name, row: () => Fields) => {
    const rows = client().from(name);
    const key = Object.keys(row())[0] ?? '';
    const attempts = [
      await rows.select(),
      await rows.insert(row()),
      await rows.upsert(row()),
      await rows.update(row()).not(key, 'is', null),
      await rows.delete().not(key, 'is', null),
    ];
    expect(attempts.map(({ error }) => error?.code)).toEqual(Array(5).fill('42501'));
  });
});

test('no visitor or shopper holds the right to call a function of the import', async () => {
  const names = [...new Set(functions.map(([name]) => name))];
  const rows = await shop.backend.query(
    `select proname, rolname from pg_proc, pg_roles
    where pronamespace = 'public'::regnamespace and proname = any ($1)
      and rolname in ('anon', 'authenticated', 'service_role')
      and has_function_privilege(rolname, pg_proc.oid, 'execute')`,
    [names],
  );
  expect(new Set(rows.map((row) => row['rolname']))).toEqual(new Set(['service_role']));
  expect(rows).toHaveLength(names.length);
});

test('signed-in shoppers hold nothing on the tables of imports, though hosted Supabase grants all', async () => {
  const rows = await shop.backend.query(`
    select grantee, table_name, privilege_type from information_schema.role_table_grants
    where table_schema = 'public' and grantee in ('anon', 'authenticated')
      and table_name like 'import%'`);
  expect(rows).toEqual([]);
});
