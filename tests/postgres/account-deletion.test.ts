/** Deleting an account while its phones push and write: once, at the first try, and with all its rows. */
import { beforeEach, expect, test } from 'vitest';
import { HOME } from '../supabase/buyer.ts';
import { changeOf, liftQuota } from '../supabase/shoppers.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';
import {
  deadlocksOf,
  openSession,
  randomAction,
  randomStatement,
  type Session,
} from './sessions.ts';
import { addAccount, addProducts, openPostgresShopForFile, waitUntilLocked } from './shop.ts';

const ROUNDS = 15;

const { server, backend } = await openPostgresShopForFile();
const products = await addProducts(backend, 6);
await liftQuota({ backend });
let user: string;
beforeEach(async () => {
  user = await addAccount(backend);
});

/** How many rows the account has in a table. */
const countOf = async (table: string) => {
  const [row] = await backend.query(
    `select count(*)::int as count from public.${table} where user_id = $1`,
    [user],
  );
  return Number(row?.['count']);
};

/** Expects that no table has a row of the account. */
async function expectNoRows(): Promise<void> {
  for (const table of [
    'sync_user',
    'cart_items',
    'favorites',
    'applied_changes',
    'devices',
    'push_counts',
  ]) {
    expect(await countOf(table), table).toBe(0);
  }
}

/** Waits until the account's phones are in the middle of their pushes. */
async function waitForPushes(): Promise<void> {
  while ((await countOf('applied_changes')) < 10);
}

/** Pushes changes until the server rejects one, because the account is gone. */
async function pushUntilRejected(phone: Session): Promise<void> {
  for (;;) await phone.push([changeOf(randomAction(Math.random, products))]);
}

/** Writes rows directly, without pushes, until the server rejects one because the account is gone. */
async function writeUntilRejected(client: Session): Promise<void> {
  for (;;) await client.write(...randomStatement(Math.random, products, user));
}

/** Places an order of one piece at $10.00. Returns its id. */
async function placeOrder(shop: Session): Promise<string> {
  await backend.query(`update public.products set "Retail Price" = 10`);
  const [placed] = await shop.query(
    `select public.place_order($1, null, $2, $3, 'ada@weft.test', null, 'sandbox', now()) ->> 'id' as id`,
    [user, JSON.stringify([{ product_id: products[0], quantity: 1 }]), JSON.stringify(HOME)],
  );
  return String(placed?.['id']);
}

test.each([
  ['the auth service', 'postgres', 'delete from auth.users where id = $1'],
  ['the shop', 'service_role', 'select public.erase_account($1, now())'],
])(
  'an account is deleted by %s at the first try while its phones push without a pause, and no row of it remains',
  async (_, role, deletion) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      user = await addAccount(backend);
      const firstPhone = await openSession(server.url, user);
      const secondPhone = await openSession(server.url, user);
      const client = await openSession(server.url, user);
      const remover = await openSession(server.url, user, role);
      const sessions = [remover, firstPhone, secondPhone, client];
      const ends = Promise.allSettled([
        pushUntilRejected(firstPhone),
        pushUntilRejected(secondPhone),
        writeUntilRejected(client),
      ]);
      await waitForPushes();
      await remover.query(deletion, [user]);
      const [firstPush, secondPush, write] = await ends;
      const { foreignKeyViolation, gone } = SQLSTATE;
      for (const push of [firstPush, secondPush]) {
        expect(push).toMatchObject({ status: 'rejected', reason: { code: gone } });
      }
      expect(write).toMatchObject({ status: 'rejected', reason: { code: foreignKeyViolation } });
      await expect(firstPhone.pull(null)).rejects.toMatchObject({ code: gone });
      expect(deadlocksOf(sessions)).toBe(0);
      await Promise.all(sessions.map((session) => session.end()));
      await expectNoRows();
    }
  },
);

test('a deletion waits for the order that the account is placing', async () => {
  const shop = await openSession(server.url, user, 'service_role');
  const other = await openSession(server.url, user, 'service_role');
  await other.query('begin');
  await placeOrder(other);
  const erased = shop.query('select public.erase_account($1, now()) as erased', [user]);
  await waitUntilLocked(backend, erased, 'erase_account');
  await other.query('commit');
  expect(await erased).toEqual([{ erased: { open: [], is_removed: true } }]);
  const orders = await backend.query(
    `select state, email, address, asked ? 'address' as keeps_address from public.orders where user_id is null`,
  );
  expect(orders).toEqual([{ state: 'cancelled', email: '', address: null, keeps_address: false }]);
  await Promise.all([shop, other].map((session) => session.end()));
});

test('a payment that comes in while its account is being deleted is on its order', async () => {
  const owner = await openSession(server.url, user, 'postgres');
  const shop = await openSession(server.url, user, 'service_role');
  const order = await placeOrder(shop);
  await shop.query(`select public.start_attempt($1, $2, 'stripe', now(), false)`, [user, order]);
  await shop.query(`select public.record_reference($1, 1, 'cs_1', null)`, [order]);
  await owner.query('begin');
  await owner.query('delete from auth.users where id = $1', [user]);
  const applied = shop.query(
    `select public.apply_payment('stripe', 'evt_1', 'cs_1', 'captured', 1000, 'USD', 'sandbox', 'pi_1', null, now()) as result`,
  );
  await waitUntilLocked(backend, applied, 'apply_payment');
  await owner.query('commit');
  expect(await applied).toEqual([{ result: 'paid' }]);
  const stored = await backend.query(
    'select user_id, received_minor::int as received from public.orders where id = $1',
    [order],
  );
  expect(stored).toEqual([{ user_id: null, received: 1000 }]);
  await Promise.all([owner, shop].map((session) => session.end()));
});

// Changes the owner of an SQL function and does not change it back, so it comes last.

test('a push works although the owner of its functions may read accounts but not lock them', async () => {
  await backend.query('create role reader');
  await backend.query('grant create, usage on schema public to reader');
  await backend.query('grant usage on schema auth to reader');
  await backend.query('grant select on auth.users to reader');
  await backend.query('alter function public.lock_account(uuid) owner to reader');
  const phone = await openSession(server.url, user);
  await phone.push([changeOf({ kind: 'cart.add', args: { productId: products[0] ?? 0, by: 1 } })]);
  await phone.end();
  expect(await countOf('cart_items')).toBe(1);
});
