/** The shop on a database with the roles and owners of a hosted project. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ordersIn } from '../../netlify/lib/orders.ts';
import { callIn, HOME } from '../supabase/buyer.ts';
import { changeOf } from '../supabase/shoppers.ts';
import { openHostedProjectForFile } from './hosted-project.ts';
import { captured } from './order-sessions.ts';

const SUPABASE = join(import.meta.dirname, '../../supabase');

const hosted = await openHostedProjectForFile();
const shop = await hosted.openSession('service_role');
const callShop = callIn(shop);
const user = await hosted.addAccount();
const shopper = await hosted.openSession('authenticated', user);
const visitor = await hosted.openSession('anon');

const importId = randomUUID();
/** Sends an import that consists of one part with these rows. */
const sendPart = (rows: readonly object[]) =>
  callShop('import_part', {
    p_import: importId,
    p_user: user,
    p_email: 'ada@weft.test',
    p_file_name: 'coats.csv',
    p_part: 0,
    p_total_parts: 1,
    p_digest: 'one',
    p_rows: rows,
    p_rejected: 0,
  });

test('Supabase’s CLI applies every migration, and prints no warning about the configuration', () => {
  const files = readdirSync(join(SUPABASE, 'migrations'));
  for (const file of files) expect(hosted.printed).toContain(`Applying migration ${file}`);
  expect(hosted.printed).not.toMatch(/warn|deprecated|unset/i);
});

test('the configuration for a hosted project names no address of this machine', () => {
  const configuration = readFileSync(join(SUPABASE, 'config.toml'), 'utf8');
  expect(configuration).not.toMatch(/localhost|127\.0\.0\.1/);
});

test('visitors and shoppers may call the same functions as in the embedded shop', async () => {
  const callableBy = async (role: string) => {
    const rows = await shop.query(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
         and has_function_privilege($1, oid, 'execute') order by 1`,
      [role],
    );
    return rows.map(({ name }) => name);
  };
  expect(await callableBy('anon')).toEqual([]);
  expect(await callableBy('authenticated')).toEqual([
    'products',
    'pull',
    'push',
    'release',
    'require_shopper',
  ]);
  await expect(visitor.query('select * from public.cart_items')).rejects.toThrow(
    'permission denied',
  );
  await expect(
    shopper.query('update public.products set "Retail Price" = 1 where id > 0'),
  ).rejects.toThrow('permission denied');
});

test('an import is stored, visitors read its products, and it is undone', async () => {
  const answer = await sendPart([
    { SKC: 'COAT-1', Size: 'M', 'Category 1': 'Coats', 'Retail Price': '10.00' },
    { SKC: 'COAT-2', Size: 'M', 'Category 1': 'Coats', 'Retail Price': '20.00' },
  ]);
  expect(answer).toMatchObject({ inserted: 2 });
  const seen = await callShop('catalogue_changes', { p_since: 0 });
  expect(seen).toMatchObject({ products: [{}, {}] });
  expect(await visitor.query('select id from public.products')).toHaveLength(2);
  expect(await callShop('categories', {})).toEqual(['Coats']);
  const undo = { p_user: user, p_import: importId, p_limit: 1000, p_staff: false };
  expect(await callShop('undo_import', undo)).toMatchObject({ removed: 2, left: 0 });
  expect(await visitor.query('select id from public.products')).toEqual([]);
});

test('a shopper fills a cart, pays for it, and deletes the account', async () => {
  await shop.query(
    `insert into public.products ("SKC", "Retail Price", ver) values ('HAT-1', 5, 0)`,
  );
  const [product] = await visitor.query('select id from public.products');
  const productId = Number(product?.['id']);
  const device = randomUUID();
  const changes = [changeOf({ kind: 'cart.add', args: { productId, by: 2 } })];
  await shopper.query('select public.push($1, $2, $3)', [user, device, changes]);
  const [pulled] = await shopper.query('select public.pull($1, $2, null) as now', [user, device]);
  const [quantity, priceWhenAdded] = [2, 5];
  expect(pulled?.['now']).toMatchObject({ cart: [[productId, quantity, priceWhenAdded]] });

  const orders = ordersIn(callShop, () => new Date());
  const order = await orders.place({
    userId: user,
    email: 'ada@weft.test',
    orderId: randomUUID(),
    lines: [{ product_id: productId, quantity: 2 }],
    address: HOME,
    shownTotal: null,
    mode: 'sandbox',
  });
  const { attempt } = await orders.startAttempt(user, order.id, 'stripe');
  if (attempt) await orders.recordReference(attempt, `stripe-${order.id}`);
  expect(await orders.apply(captured(order, 'stripe', 1))).toBe('paid');
  expect(await shopper.query('select id from public.cart_items')).toEqual([]);
  const ownOrders = await shopper.query('select state from public.orders');
  expect(ownOrders).toEqual([{ state: 'paid' }]);

  const erasure = { p_user: user, p_now: new Date().toISOString() };
  expect(await callShop('erase_account', erasure)).toMatchObject({ open: [] });
  await expect(
    shopper.query('select public.pull($1, $2, null)', [user, device]),
    'the token itself is valid for an hour longer',
  ).rejects.toThrow('This account was deleted');
});

test('a change sends one message to the topic of its shopper, which nobody else may join', async () => {
  const ada = await hosted.addAccount();
  const eve = await hosted.addAccount();
  const [topic, device] = [`shopper:${ada}`, randomUUID()];
  const session = await hosted.openSession('authenticated', ada);
  const changes = [1, 2].map(() => changeOf({ kind: 'cart.clear', args: {} }));
  await session.query('select public.push($1, $2, $3)', [ada, device, changes]);
  const sent = `select topic, event, payload, private, extension from realtime.messages where topic = '${topic}'`;
  expect(await hosted.query(sent)).toEqual([
    { topic, event: 'changed', payload: {}, private: true, extension: 'broadcast' },
  ]);
  // Realtime sets the topic, and asks for a message with the rights of the token.
  const mayJoin = async (role: 'anon' | 'authenticated', user?: string) => {
    const asking = await hosted.openSession(role, user);
    await asking.query(`select set_config('realtime.topic', $1, false)`, [topic]);
    return (await asking.query('select from realtime.messages')).length > 0;
  };
  expect(await mayJoin('authenticated', ada)).toBe(true);
  expect(await mayJoin('authenticated', eve)).toBe(false);
  expect(await mayJoin('anon')).toBe(false);
  const insert = `insert into realtime.messages (topic, extension) values ($1, 'broadcast')`;
  await expect(session.query(insert, [topic]), 'a shopper sends nothing').rejects.toThrow('policy');
});

test('the functions of the nightly maintenance run with the server’s rights', async () => {
  const p_before = '2025-01-01T00:00:00Z';
  for (const name of [
    'prune_product_deletions',
    'prune_applied_changes', // looks at the phones whose changes are due: none
    'prune_unpaid_orders',
    'prune_import_keys',
    'prune_messages',
  ]) {
    expect(Number(await callShop(name, { p_before })), name).toBe(0);
  }
  expect(await callShop('erase_due', { p_before: null })).toBe(0);
  // The pruned name is Coats: an earlier test has added products of this category and removed them.
  expect(await callShop('prune_category_names', {})).toBe(1);
});
