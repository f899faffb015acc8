/** Several sessions of one shopper change the cart and the favourites at the same time. */
import { beforeEach, expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { changeOf, liftQuota } from '../supabase/shoppers.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';
import {
  deadlocksOf,
  randomAction,
  randomStatement,
  type Session,
  withSessions,
} from './sessions.ts';
import { addAccount, addProducts, openPostgresShopForFile } from './shop.ts';

const PRODUCTS = 6;

const { server, backend } = await openPostgresShopForFile();
const products = await addProducts(backend, PRODUCTS);
await liftQuota({ backend });
let user: string;
beforeEach(async () => {
  user = await addAccount(backend);
});

/** Adds a product to the cart directly. */
const ADD = 'insert into public.cart_items (user_id, product_id, quantity) values ($1, $2, 1)';

/** The shopper's rows in a table. */
const rowsIn = (table: string) =>
  backend.query(`select * from public.${table} where user_id = $1`, [user]);

/** Runs a task with `count` sessions of the shopper. */
const withPhones = <T>(count: number, task: (sessions: readonly Session[]) => Promise<T>) =>
  withSessions([server.url, user], count, task);

test('fifty pushes of the same batch from four phones at once are applied once', async () => {
  const PUSHES = 50;
  const BATCH = 50;
  const batch = Array.from({ length: BATCH }, (_, i) =>
    changeOf({ kind: 'cart.add', args: { productId: products[i % PRODUCTS] ?? 0, by: 1 } }),
  );
  await withPhones(4, async (phones) => {
    let pushesLeft = PUSHES;
    await Promise.all(
      phones.map(async (phone) => {
        while (pushesLeft > 0) {
          pushesLeft -= 1;
          await phone.push(batch);
        }
      }),
    );
    expect(deadlocksOf(phones)).toBe(0);
  });
  const applied = await rowsIn('applied_changes');
  expect(applied).toHaveLength(BATCH);
  expect(applied.map((row) => row['outcome'])).not.toContain('rejected');
  const quantities = (await rowsIn('cart_items')).map((row) => Number(row['quantity']));
  expect(quantities.reduce((sum, quantity) => sum + quantity, 0)).toBe(BATCH);
});

/**
 * Two phones push for one shopper and two clients write rows directly, all at the same time, while a fifth
 * session follows the version. At the end of each round the follower must have the shopper's rows.
 */
async function runWriters({ rounds, seed }: { readonly rounds: number; readonly seed: number }) {
  const random = seeded(seed);
  return withPhones(5, async ([follower, ...writers]) => {
    const [firstPhone, secondPhone, ...clients] = writers;
    if (firstPhone === undefined || secondPhone === undefined || follower === undefined)
      throw new Error('unreachable');
    // `stale` counts rounds after which the follower has other rows, `backwards` versions that fell.
    const followed = { ver: 0, cart: '[]', favourites: '[]', pulls: 0, stale: 0, backwards: 0 };

    const follow = async () => {
      const { ver, cart, favourites } = await follower.pull(
        followed.pulls === 0 ? null : followed.ver,
      );
      if (ver < followed.ver) followed.backwards += 1;
      followed.pulls += 1;
      followed.ver = ver;
      if (cart === null) return;
      followed.cart = JSON.stringify(cart);
      followed.favourites = JSON.stringify(favourites);
    };

    for (let roundsLeft = rounds; roundsLeft > 0; roundsLeft -= 1) {
      const round = { isOver: false };
      const following = (async () => {
        while (!round.isOver) await follow();
      })();
      await Promise.all([
        ...[firstPhone, secondPhone].map(async (phone) => {
          for (let batches = 0; batches < 3; batches += 1) {
            const changes = Array.from({ length: 1 + Math.floor(random() * 12) }, () =>
              changeOf(randomAction(random, products)),
            );
            await phone.push(changes);
            if (random() < 0.3) await phone.push(changes);
          }
        }),
        ...clients.map(async (client) => {
          for (let calls = 0; calls < 15; calls += 1) {
            await client.write(...randomStatement(random, products, user));
          }
        }),
      ]);
      round.isOver = true;
      await following;
      await follow();
      const onServer = await firstPhone.pull(null);
      if (
        followed.ver !== onServer.ver ||
        followed.cart !== JSON.stringify(onServer.cart) ||
        followed.favourites !== JSON.stringify(onServer.favourites)
      ) {
        followed.stale += 1;
      }
    }
    const { pulls, stale, backwards, ver } = followed;
    return { rounds, ver, pulls, stale, backwards, deadlocks: deadlocksOf(writers) };
  });
}

test('a phone that follows the version stays up to date while others write, and no writer deadlocks', async () => {
  const outcome = await runWriters({ rounds: 60, seed: 20_261_121 });
  console.log(`${server.version}, 4 writers:`, outcome);
  expect(outcome.ver).toBeGreaterThan(1000);
  expect(outcome.pulls).toBeGreaterThan(200);
  expect(outcome).toMatchObject({ stale: 0, backwards: 0, deadlocks: 0 });
});

test('without the lock that is taken before rows, writers deadlock, so the test above can fail', async () => {
  await backend.query('alter table public.cart_items disable trigger lock_caller');
  const outcome = await runWriters({ rounds: 8, seed: 7 });
  await backend.query('alter table public.cart_items enable trigger lock_caller');
  console.log('without the lock:', outcome);
  expect(outcome.deadlocks).toBeGreaterThan(0);
});

test('a direct write is rejected, instead of holding a connection, while another writer of its account is busy', async () => {
  await withPhones(2, async ([first, second]) => {
    await first?.query('begin');
    await first?.query(ADD, [user, products[0]]);
    await expect(second?.query(ADD, [user, products[1]])).rejects.toMatchObject({
      code: SQLSTATE.tooManyRequests,
    });
    await first?.query('commit');
    await second?.query(ADD, [user, products[1]]);
  });
  expect(await rowsIn('cart_items')).toHaveLength(2);
});

test('a push gives up waiting for a long direct write of its account, and is applied afterwards', async () => {
  const change = changeOf({ kind: 'cart.add', args: { productId: products[1] ?? 0, by: 1 } });
  await withPhones(2, async ([writer, phone]) => {
    await writer?.query('begin');
    await writer?.query(ADD, [user, products[0]]);
    await expect(phone?.push([change])).rejects.toMatchObject({ code: SQLSTATE.lockNotAvailable });
    await writer?.query('commit');
    await phone?.push([change]);
  });
  expect(await rowsIn('cart_items')).toHaveLength(2);
});
