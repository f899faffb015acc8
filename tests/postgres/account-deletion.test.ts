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
