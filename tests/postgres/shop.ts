/** A shop on a PostgreSQL server, shared by the tests of a file. */
import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { type Backend, openBackend } from '../../supabase/local/backend.ts';
import { startPostgres } from './server.ts';

/** Starts a server and opens a backend on it; both close after the file's tests. */
export async function openPostgresShopForFile() {
  const server = await startPostgres();
  afterAll(() => server.stop());
  const backend = await openBackend({
    dataFolder: 'memory',
    databaseUrl: server.url,
    log: console.log,
  });
  // Vitest runs this before the hook above, so the backend closes while its server still runs.
  afterAll(() => backend.close());
  return { server, backend };
}

/** Puts products at $1.00, $2.00, … into the shop and returns their ids. */
export async function addProducts({ query }: Backend, count: number): Promise<readonly number[]> {
  await query(
    `insert into public.products ("SKC", "Retail Price", ver)
     select 'P-' || i, i, 0 from generate_series(1, $1::int) i`,
    [count],
  );
  const rows = await query('select id from public.products order by id');
  return rows.map((row) => Number(row['id']));
}

/** Adds an account and returns its user id. */
export function addAccount(backend: Backend): Promise<string> {
  return backend.addAccount({ email: `${randomUUID()}@weft.test`, password: 'secret-1' });
}

/** Waits until a statement waits for a lock, or has ended. @param name a function that the statement calls */
export async function waitUntilLocked(
  { query }: Backend,
  statement: Promise<unknown>,
  name: string,
): Promise<void> {
  const running = { hasEnded: false };
  statement.catch(() => undefined).finally(() => (running.hasEnded = true));
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like $1`;
  while (!running.hasEnded && (await query(waiting, [`%${name}%`])).length === 0);
}
