/** Versions of the catalogue while many sessions change it: a phone that follows them misses nothing. */
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { followUntil, staleRows, type WriterCounts, writeUntil } from './writers.ts';
import { openPostgresShopForFile } from './shop.ts';

const WRITERS = 8;
const COMMITS = 5000;

const { server, backend } = await openPostgresShopForFile();

/** Runs writers and one follower on an empty catalogue, and compares the follower's products at the end. */
async function runWriters({ commits, seed }: { readonly commits: number; readonly seed: number }) {
  await backend.query('truncate public.products');
  const [meta] = await backend.query('select min_ver::int as ver from public.catalogue_meta');
  const counts: WriterCounts = { commits: 0, rollbacks: 0, deadlocks: 0 };
  let isOver = false;
  const following = followUntil(server.url, Number(meta?.['ver']), () => isOver);
  await Promise.all(
    Array.from({ length: WRITERS }, (_, i) =>
      writeUntil(server.url, seed + i, () => counts.commits >= commits, counts),
    ),
  );
  isOver = true;
  const follower = await following;
  const stale = await staleRows(server.url, follower);
  const { pulls, reloads, products } = follower;
  return { ...counts, pulls, reloads, products: products.size, stale };
}

test('while eight writers change the catalogue, a phone that follows it ends with exactly its products', async () => {
  const outcome = await runWriters({ commits: COMMITS, seed: 20_261_120 });
  console.log(`${server.version}, ${WRITERS} writers:`, outcome);
  expect(outcome.commits).toBeGreaterThanOrEqual(COMMITS);
  expect(outcome.rollbacks).toBeGreaterThan(100);
  expect(outcome.products).toBeGreaterThan(50);
  expect(outcome).toMatchObject({ stale: 0, reloads: 0, deadlocks: 0 });
});

test('without the lock the phone ends with stale products, so the test above can fail', async () => {
  await backend.query('alter table public.products disable trigger lock_catalogue');
  const outcome = await runWriters({ commits: COMMITS / 2, seed: 7 });
  await backend.query('alter table public.products enable trigger lock_catalogue');
  console.log('without the lock:', outcome);
  expect(outcome.stale).toBeGreaterThan(0);
});

test('two people who change each other’s products wait for one another instead of failing', async () => {
  await backend.query('truncate public.products');
  await backend.query(`insert into public.products ("SKC", ver) values ('A', 0), ('B', 0)`);
  const [first, second] = [new Client(server.url), new Client(server.url)];
  await Promise.all([first.connect(), second.connect()]);
  const change = (client: Client, skc: string) =>
    client.query(
      `update public.products set "Material" = coalesce("Material", '') || 'x' where "SKC" = $1`,
      [skc],
    );
  // The second client waits for the lock before it changes row B, so the first can still change row B.
  await first.query('begin');
  await change(first, 'A');
  await second.query('begin');
  const waiting = change(second, 'B');
  await change(first, 'B');
  await first.query('commit');
  await waiting;
  await change(second, 'A');
  await second.query('commit');
  await Promise.all([first.end(), second.end()]);
  expect(await backend.query('select "Material" from public.products order by "SKC"')).toEqual([
    { Material: 'xx' },
    { Material: 'xx' },
  ]);
});
