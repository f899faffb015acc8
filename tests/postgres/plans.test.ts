/** What the database reads for each call of a phone or of staff, in a shop of a million shoppers: a few rows by index. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { fieldsOf } from '../../src/domain/fields.ts';
import type { ChangeAction } from '../../src/domain/change.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { HOME } from '../supabase/buyer.ts';
import { changeOf } from '../supabase/shoppers.ts';
import { fillShop, LARGE_CART, shopperOf } from './many-shoppers.ts';
import { asTexts } from './sessions.ts';
import { openPostgresShopForFile } from './shop.ts';

const SIZE = { products: 50_000, shoppers: 1_000_000, orders: 500_000 };
/** The 1,000 rows of a page of the catalogue, and what is looked up beside them. */
const PAGE_ROWS = 1100;

const { server } = await openPostgresShopForFile();
await fillShop(server.url, SIZE);
const [large, other] = [await shopperOf(server.url, 1), await shopperOf(server.url, SIZE.shoppers)];

/** A node of a plan that reads a table. */
interface Scan {
  readonly type: string;
  readonly table: string;
  /** Rows that it read, also those that it threw away. */
  readonly rows: number;
}

const client = new Client(server.url);
await client.connect();
afterAll(() => client.end());
const scans: Scan[] = [];
client.on('notice', ({ message = '' }) => {
  const start = message.indexOf('{');
  if (message.includes('plan:') && start >= 0)
    collectScans(fieldsOf(JSON.parse(message.slice(start)))['Plan']);
});
// Reports the plan of each statement, also of those within functions.
for (const setting of [
  `load 'auto_explain'`,
  'set auto_explain.log_min_duration = 0',
  'set auto_explain.log_nested_statements = on',
  'set auto_explain.log_analyze = on',
  'set auto_explain.log_timing = off',
  'set auto_explain.log_format = json',
  'set auto_explain.log_level = notice',
]) {
  await client.query(setting);
}

function collectScans(value: unknown): void {
  const node = fieldsOf(value);
  const countOf = (name: string) => Number(node[name] ?? 0);
  if (node['Relation Name'] !== undefined) {
    const perLoop =
      countOf('Actual Rows') +
      countOf('Rows Removed by Filter') +
      countOf('Rows Removed by Index Recheck');
    const rows = perLoop * countOf('Actual Loops');
    scans.push({ type: String(node['Node Type']), table: node['Relation Name'] as string, rows });
  }
  const { Plans: children } = node;
  if (Array.isArray(children)) children.forEach(collectScans);
}

/** Runs a statement as PostgREST does. Returns what its plans read, and its value. */
async function read(
  role: 'authenticated' | 'service_role',
  user: string,
  sql: string,
  params: readonly unknown[],
) {
  await client.query('begin');
  await client.query(
    `select set_config('role', $1, true), set_config('request.jwt.claim.sub', $2, true),
       set_config('request.jwt.claims', json_build_object('role', $1::text, 'sub', $2::text)::text, true)`,
    [role, user],
  );
  scans.length = 0;
  const { rows } = await client.query<Record<string, unknown>>(sql, asTexts(params));
  const seen = [...scans];
  await client.query('rollback');
  return { seen, value: Object.values(rows[0] ?? {})[0] };
}

/** Expects that no scan reads more rows than `most`, nor the whole of a table that grows. */
function expectFewRows(seen: readonly Scan[], most: number): void {
  expect(seen).not.toEqual([]);
  // A scan of a whole table is fine where the table has a few rows and does not grow.
  expect(seen.filter(({ type, rows }) => type === 'Seq Scan' && rows > 30)).toEqual([]);
  expect(seen.filter(({ rows }) => rows > most)).toEqual([]);
}

type Call = readonly [name: string, mostRows: number, ...args: Parameters<typeof read>];

const asServer = (
  name: string,
  most: number,
  sql: string,
  params: readonly unknown[] = [],
): Call => [name, most, 'service_role', '', sql, params];
type Shopper = typeof large;
const asShopper = (
  { user }: Shopper,
  name: string,
  most: number,
  sql: string,
  params: readonly unknown[],
): Call => [name, most, 'authenticated', user, sql, params];

const pushing = (action: ChangeAction, mostRows = 20): Call => {
  const params = [large.user, large.phone, [changeOf(action)]];
  const push = 'select public.push($1, $2, $3)';
  return asShopper(large, `push ${action.kind}`, mostRows, push, params);
};
/** @param since the version that the phone has */
const pulling = (name: string, mostRows: number, since: number | null): Call => {
  const pull =
    'select public.pull($1, $2, $3, $4, (select stamp from public.sync_user where user_id = $1))';
  const params = [large.user, large.phone, since, `{${randomUUID()}}`];
  return asShopper(large, name, mostRows, pull, params);
};
const PLACE_ORDER = `select public.place_order(p_user => $1, p_order => $2, p_items => $3, p_address => $4,
  p_email => 'a@weft.test', p_shown_total_minor => null, p_mode => 'sandbox', p_now => now())`;
const LINES = [{ product_id: 7, quantity: 1 }];

const CALLS: readonly Call[] = [
  asServer('catalogue_page', PAGE_ROWS, `select public.catalogue_page('P-30000', 30000)`),
  asServer(
    'catalogue_changes, nothing new',
    20,
    'select public.catalogue_changes((select max(ver) from public.products))',
  ),
  pushing({ kind: 'cart.add', args: { productId: 9, by: 1 } }),
  pushing({ kind: 'cart.remove', args: { productId: 9 } }),
  pushing({ kind: 'cart.clear', args: {} }, 2 * LARGE_CART),
  pushing({ kind: 'favourite.add', args: { productId: 9 } }),
  pulling('pull, nothing new', 20, 2),
  pulling('pull, all rows', LARGE_CART + 20, null),
  asShopper(
    other,
    'release',
    10,
    'select public.release($1, $2, 2, (select stamp from public.sync_user where user_id = $1))',
    [other.user, other.phone],
  ),
  asShopper(
    other,
    'Your Orders',
    10,
    `select o.*, (select json_agg(i) from public.order_items i where i.order_id = o.id)
     from public.orders o order by o.created_at desc, o.id desc limit 1000`,
    [],
  ),
  asServer('place_order', 100, PLACE_ORDER, [other.user, randomUUID(), LINES, HOME]),
  asServer('order_for', 20, 'select public.order_for($1, $2, null, now())', [
    other.user,
    other.order,
  ]),
  asServer('cancel_order', 20, 'select public.cancel_order($1, now())', [other.order]),
  asServer('account_as_json', 50, 'select public.account_as_json($1)', [other.user]),
];

test.each(CALLS)(
  '%s reads at most %d rows of a table, and scans none that grows',
  async (_, most, ...args) => {
    expectFewRows((await read(...args)).seen, most);
  },
);

// For each list: the column that sorts it, and the number of a shopper whose order is in it (`fillShop`).
test.each([
  ['to-send', 'paid_at', 750_003],
  ['sent', 'sent_at', 750_005],
  ['open', 'created_at', 750_000],
  ['person', 'created_at', 750_001],
] as const)(
  'for fifty of 500,000 orders of the list %s, and for the fifty behind a given order, few rows are read',
  async (list, sortColumn, shopper) => {
    const { order: after } = await shopperOf(server.url, shopper);
    const page = `select public.staff_orders($1, (select ${sortColumn} from public.orders where id = $2), $2, 50)`;
    for (const behind of [null, after]) {
      const { seen, value } = await read('service_role', '', page, [list, behind]);
      expect(value).toHaveLength(50);
      expectFewRows(seen, 60);
    }
  },
);

test.each([
  ['number', orderNumber(other.order), 1],
  ['email', `${SIZE.shoppers}@WEFT.test`, 1],
  ['name', `number${SIZE.shoppers}`, 1],
  // Each code is in a hundred orders.
  ['stock code', 'code-77', 50],
])('an order among 500,000 is found by its %s, and few rows are read', async (_, text, count) => {
  const find = 'select public.find_orders($1, null, null, 50)';
  const { seen, value } = await read('service_role', '', find, [text]);
  expect(value).toHaveLength(count);
  expectFewRows(seen, 120);
});
