/** Database sessions with the rights of a token, as PostgREST opens them. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { ChangeAction } from '../../src/domain/change.ts';
import type { Pulled } from '../supabase/shoppers.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';

/** A session of one shopper. */
export interface Session {
  readonly user: string;
  /** Runs a statement. Counts each deadlock, and runs the statement again. */
  query(sql: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs a statement that writes rows directly. Repeats it while other writers of the account are busy. */
  write(sql: string, params?: readonly unknown[]): Promise<void>;
  push(changes: readonly object[]): Promise<void>;
  pull(since: number | null): Promise<Pulled>;
  readonly deadlocks: number;
  end(): Promise<void>;
}

/** Opens a session with the rights of a role; as `authenticated` it has the token of the user. */
export async function openSession(
  url: string,
  user: string,
  role = 'authenticated',
): Promise<Session> {
  const client = new Client(url);
  await client.connect();
  await client.query(`set role ${role}`);
  if (role === 'authenticated') {
    await client.query(`select set_config('request.jwt.claim.sub', $1, false)`, [user]);
  }
  const device = randomUUID();
  let deadlocks = 0;

  async function query(sql: string, params: readonly unknown[] = []) {
    for (;;) {
      try {
        const { rows } = await client.query<Record<string, unknown>>(sql, [...params]);
        return rows;
      } catch (thrown) {
        if (!isDeadlock(thrown)) throw thrown;
        deadlocks += 1;
      }
    }
  }

  return {
    user,
    query,
    async write(sql, params) {
      for (;;) {
        try {
          await query(sql, params);
          return;
        } catch (thrown) {
          if (!hasOtherWriter(thrown)) throw thrown;
        }
      }
    },
    async push(changes) {
      await query('select public.push($1, $2, $3)', [user, device, JSON.stringify(changes)]);
    },
    async pull(since) {
      const [row] = await query('select public.pull($1, $2, $3) as pulled', [user, device, since]);
      return row?.['pulled'] as Pulled;
    },
    get deadlocks() {
      return deadlocks;
    },
    end: () => client.end(),
  };
}

/** Runs a task with `count` sessions of a role, and ends the sessions afterwards. */
export async function withSessions<T>(
  [url, user, role]: Parameters<typeof openSession>,
  count: number,
  task: (sessions: readonly Session[]) => Promise<T>,
): Promise<T> {
  const sessions = await Promise.all(
    Array.from({ length: count }, () => openSession(url, user, role)),
  );
  try {
    return await task(sessions);
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
}

export const deadlocksOf = (sessions: readonly Session[]) =>
  sessions.reduce((sum, { deadlocks }) => sum + deadlocks, 0);

/** Whether Postgres has ended a statement because of a deadlock. */
export function isDeadlock(thrown: unknown): boolean {
  return hasCode(thrown, SQLSTATE.deadlockDetected);
}

/** Whether a direct write was rejected because another writer of the account was busy. */
function hasOtherWriter(thrown: unknown): boolean {
  return hasCode(thrown, SQLSTATE.tooManyRequests);
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

/**
 * Converts the objects among a statement's parameters to JSON text, because `pg` would send an array as an
 * array of Postgres.
 */
export const asTexts = (params: readonly unknown[]): unknown[] =>
  params.map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );

/** A random change of the cart or the favourites. Few changes clear the cart, so that it has lines. */
export function randomAction(random: () => number, products: readonly number[]): ChangeAction {
  const productId = products[Math.floor(random() * products.length)] ?? 0;
  const choice = random();
  if (choice < 0.4) return { kind: 'cart.add', args: { productId, by: 1 } };
  if (choice < 0.6) return { kind: 'cart.set', args: { productId, quantity: 2 } };
  if (choice < 0.75) return { kind: 'cart.remove', args: { productId } };
  if (choice < 0.78) return { kind: 'cart.clear', args: {} };
  return { kind: choice < 0.9 ? 'favourite.add' : 'favourite.remove', args: { productId } };
}

/** A random statement of a client that writes rows directly, with its parameters. */
export function randomStatement(
  random: () => number,
  products: readonly number[],
  user: string,
): [sql: string, params: readonly unknown[]] {
  const productId = products[Math.floor(random() * products.length)] ?? 0;
  const statements = [
    'insert into public.cart_items (user_id, product_id, quantity) values ($2, $1, 1) on conflict do nothing',
    'update public.cart_items set quantity = 3 where product_id = $1 and user_id = $2',
    'update public.cart_items set quantity = 4 where product_id >= $1 and user_id = $2',
    'delete from public.cart_items where product_id = $1 and user_id = $2',
    'insert into public.favorites (product_id, user_id) values ($1, $2) on conflict do nothing',
    'delete from public.favorites where product_id = $1 and user_id = $2',
  ];
  return [statements[Math.floor(random() * statements.length)] ?? '', [productId, user]];
}
