/** What visitors, shoppers and the server may do with each table and function of the database. */
import { expect, test } from 'vitest';
import { columnOf } from './column.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');

const ALL = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
const READ = ['SELECT'] as const;

type Grants = Readonly<Record<string, readonly (typeof ALL)[number][]>>;

const CATALOGUE: Grants = {
  products: READ,
  product_deletions: READ,
  catalogue_meta: READ,
  catalogue_stamps: READ,
};
/** Row-level security narrows what a shopper reads and writes down to the shopper's own rows. */
const SHOPPER: Grants = {
  ...CATALOGUE,
  cart_items: ALL,
  favorites: ALL,
  sync_user: READ,
  applied_changes: READ,
  orders: READ,
  order_items: READ,
};
const SERVER: Grants = {
  ...SHOPPER,
  products: ALL,
  imports: ['SELECT', 'INSERT', 'UPDATE'],
  import_parts: ['SELECT', 'INSERT'],
  import_changes: ALL,
  import_keys: ALL,
  order_events: READ,
  order_states: READ,
  payment_attempts: READ,
  payment_events: READ,
  messages: READ,
  payment_reversals: READ,
  category_names: READ,
};

test.each([
  ['a visitor', 'anon', CATALOGUE],
  ['a signed-in shopper', 'authenticated', SHOPPER],
  ['the server', 'service_role', SERVER],
] as const)(
  '%s has these rights on tables and no others, though hosted Supabase grants all by default',
  async (_caller, role, grants: Grants) => {
    const granted = `
      select table_name || ' ' || privilege_type from information_schema.role_table_grants
      where table_schema = 'public' and grantee in ($1, 'PUBLIC')`;
    const expected = Object.entries(grants).flatMap(([name, rights]) =>
      rights.map((right) => `${name} ${right}`),
    );
    const actual = (await columnOf(shop.backend, granted, [role])).map(String);
    expect(actual.toSorted()).toEqual(expected.toSorted());
  },
);

test('visitors and shoppers may call only the functions that phones call', async () => {
  const callable = `
    select proname::text from pg_proc
    where pronamespace = 'public'::regnamespace and has_function_privilege($1, oid, 'execute')
    order by 1`;
  const callableBy = (role: string) => columnOf(shop.backend, callable, [role]);
  expect(await callableBy('anon')).toEqual([]);
  // `products` joins a cart's line to its product; the others call `require_shopper`.
  const forShoppers = ['products', 'pull', 'push', 'release', 'require_shopper'];
  expect(await callableBy('authenticated')).toEqual(forShoppers);
  for (const client of [clientOf(shop), ada.client]) {
    const { error } = await client.rpc('import_products', { p_rows: [{ SKC: 'HAT-1' }] });
    expect(error?.code).toBe(SQLSTATE.insufficientPrivilege);
  }
});

test('every function sets an empty search path, so that it names the schema of everything it uses', async () => {
  const rows = await shop.backend.query(`
    select proname from pg_proc
    where pronamespace = 'public'::regnamespace
      and not coalesce(proconfig, '{}') @> array['search_path=""']`);
  expect(rows).toEqual([]);
});
