import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { liftQuota } from '../supabase/shoppers.ts';
import type { Session } from './sessions.ts';
import { changeOf, openSession, randomAction, randomStatement } from './sessions.ts';
import { addAccount, addProducts, openPostgresShopForFile } from './shop.ts';

const ROUNDS = 30;

const { server, backend } = await openPostgresShopForFile();
const products = await addProducts(backend, 6);
await liftQuota({ backend });
let user: string;
beforeEach(async () => {
  user = await addAccount(backend);
});

const countOf = async (table: string) => {
  const [row] = await backend.query(
    `select count(*)::int as count from public.${table} where user_id = $1`,
    [user],
  );
  return Number(row?.['count']);
};

async function pushForEver(phone: Session): Promise<void> {
  for (;;) await phone.push([changeOf(randomAction(Math.random, products))]);
}

/** A plain row-level client, which waits and fails as the phones do when the account is gone. */
async function writeForEver(client: Session): Promise<void> {
  for (;;) {
    const [sql, params, productId] = randomStatement(Math.random, products);
    await client.query(sql, params(productId, user));
  }
}

test('an account is deleted at the first try while its phones push without a pause, and leaves nothing behind', async () => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    user = await addAccount(backend);
    const [one, two, client] = await Promise.all([
      openSession(server.url, user),
      openSession(server.url, user),
      openSession(server.url, user),
    ]);
    const owner = await openSession(server.url, user, 'postgres');
    const ends = Promise.allSettled([pushForEver(one), pushForEver(two), writeForEver(client)]);
    while ((await countOf('applied_changes')) < 10);
    const began = performance.now();
    await owner.query('delete from auth.users where id = $1', [user]);
    times.push(Math.round(performance.now() - began));
    for (const [i, end] of (await ends).entries()) {
      const code = i < 2 ? '42501' : '23503';
      expect(end).toMatchObject({ status: 'rejected', reason: { code } });
    }
    expect([owner, one, two, client].map(({ deadlocks }) => deadlocks)).toEqual([0, 0, 0, 0]);
    await Promise.all([owner, one, two, client].map((session) => session.end()));
    for (const table of [
      'sync_user',
      'cart_items',
      'favorites',
      'applied_changes',
      'push_counts',
    ]) {
      expect([table, await countOf(table)]).toEqual([table, 0]);
    }
  }
  console.log(
    `${server.version}, ${ROUNDS} deletions, ms:`,
    times.toSorted((a, b) => a - b).join(' '),
  );
});

test('an account that its owner deletes goes at the first try while its phones push, and no phone is served after it', async () => {
  for (let round = 0; round < ROUNDS / 3; round += 1) {
    user = await backend.addAccount({ email: `${randomUUID()}@weft.test`, password: 'secret-1' });
    const phones = await Promise.all([
      openSession(server.url, user),
      openSession(server.url, user),
    ]);
    const shop = await openSession(server.url, user, 'service_role');
    const ends = Promise.allSettled(phones.map(pushForEver));
    while ((await countOf('applied_changes')) < 10);
    const [row] = await shop.query('select public.erase_account($1, now()) as erased', [user]);
    expect(row).toEqual({ erased: { open: [], is_removed: true } });
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { code: '42501' } });
    }
    await expect(phones[0]?.pull(null)).rejects.toMatchObject({ code: '42501' });
    expect([shop, ...phones].map(({ deadlocks }) => deadlocks)).toEqual([0, 0, 0]);
    for (const table of ['sync_user', 'cart_items', 'applied_changes', 'push_counts']) {
      expect([table, await countOf(table)]).toEqual([table, 0]);
    }
    await Promise.all([shop, ...phones].map((session) => session.end()));
  }
});

test('a deletion waits for the order that its account is just placing, and nobody else may begin one', async () => {
  const shop = await openSession(server.url, user, 'service_role');
  const other = await openSession(server.url, user, 'service_role');
  await backend.query(`update public.products set "Retail Price" = 10`);
  const lines = JSON.stringify([{ product_id: products[0], quantity: 1 }]);
  const home = {
    full_name: 'Ada Byron',
    address_line1: '12 St James’s Square',
    city: 'Chicago',
    state: 'IL',
    postal_code: '60614',
    country: 'US',
  };
  await other.query('begin');
  await other.query('select public.place_order($1, null, $2, $3, $4, null, $5, now())', [
    user,
    lines,
    JSON.stringify(home),
    'ada@weft.test',
    'sandbox',
  ]);
  const erased = shop.query('select public.erase_account($1, now()) as erased', [user]);
  await other.query('commit');
  expect(await erased).toEqual([{ erased: { open: [], is_removed: true } }]);
  const orders = await backend.query(
    `select state, email, address, asked ? 'address' as asked from public.orders where user_id is null`,
  );
  expect(orders).toEqual([{ state: 'cancelled', email: '', address: null, asked: false }]);
  for (const role of ['authenticated', 'anon']) {
    const client = await openSession(server.url, user, role);
    for (const call of [
      'erase_account($1, now())',
      'account_as_json($1)',
      'account_was_deleted($1)',
    ]) {
      const asked = client.query(`select public.${call}`, [user]);
      await expect(asked).rejects.toMatchObject({ code: '42501' });
    }
    await client.end();
  }
  await Promise.all([shop, other].map((session) => session.end()));
});

test('the account itself is left to the auth service where the database may not delete it', async () => {
  await backend.query('create role eraser');
  await backend.query('grant create, usage on schema public to eraser');
  await backend.query('grant usage on schema auth to eraser');
  await backend.query('grant select on auth.users to eraser');
  await backend.query('grant all on all tables in schema public to eraser');
  await backend.query('grant execute on all functions in schema public to eraser');
  await backend.query('alter function public.erase_account(uuid, timestamptz) owner to eraser');
  // The tables' owner passes row-level security; this role stands in for it.
  await backend.query('alter role eraser bypassrls');
  const shop = await openSession(server.url, user, 'service_role');
  const [row] = await shop.query('select public.erase_account($1, now()) as erased', [user]);
  expect(row).toEqual({ erased: { open: [], is_removed: false } });
  const left = await backend.query('select from auth.users where id = $1', [user]);
  expect(left).toHaveLength(1);
  await shop.end();
});

test('a push goes on although its functions may read accounts and not lock them', async () => {
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
