/** Versions of the catalogue while many sessions change it: a phone that follows them misses nothing. */
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

test('while eight writers change the catalogue, none deadlocks, and a phone that follows it ends with exactly its products', async () => {
  const outcome = await runWriters({ commits: COMMITS, seed: 20_261_120 });
  console.log(`${server.version}, ${WRITERS} writers:`, outcome);
  expect(outcome.commits).toBeGreaterThanOrEqual(COMMITS);
  expect(outcome.rollbacks).toBeGreaterThan(100);
  expect(outcome.products).toBeGreaterThan(50);
  expect(outcome).toMatchObject({ stale: 0, reloads: 0, deadlocks: 0 });
});

test('without the lock writers deadlock and the phone ends with stale products, so the test above can fail', async () => {
  await backend.query('alter table public.products disable trigger lock_catalogue');
  const outcome = await runWriters({ commits: COMMITS / 2, seed: 7 });
  await backend.query('alter table public.products enable trigger lock_catalogue');
  console.log('without the lock:', outcome);
  expect(outcome.stale).toBeGreaterThan(0);
  expect(outcome.deadlocks).toBeGreaterThan(0);
});
