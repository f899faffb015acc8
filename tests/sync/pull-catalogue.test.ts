/** The catalogue's sync over a line that a test can cut, with the real database and functions. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetResult, readChunks, readState, recordResult } from '../../src/db/catalogue-log.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { CATALOGUE_FORMAT } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS } from '../../src/domain/product.ts';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { pullCatalogue } from '../../src/sync/pull-catalogue.ts';
import { openLine } from '../browser/proxy.ts';
import { quickOrFull } from '../full-run.ts';
import { backUp, restore } from '../supabase/restore.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { numbered, stock, type StockRow } from '../supabase/stock.ts';
import { newDatabase } from './new-database.ts';

const shop = await openShopForFile();
const line = await openLine(shop.url);
afterAll(() => line.close());
const { query } = shop.backend;
const { signal } = new AbortController();

let db: WeftDatabase;
/** The number of the last load; each load gets a higher one. */
let generation = 0;
beforeEach(async () => {
  await query('truncate public.products');
  db = newDatabase();
});

/** The catalogue’s requests over the line. */
const remote = (fetch = globalThis.fetch) => catalogueRemote({ url: line.url, fetch });
/** A test does not wait. */
const hesitate = () => Promise.resolve();
/** Runs the sync once, as `syncCatalogue` does. Returns its failure, or null. */
async function pull(phone = db, catalogue = remote(), memory = { hasSeenOwnFormat: false }) {
  const options = { db: phone, remote: catalogue, now: () => ++generation, hesitate, memory };
  const outcome = await pullCatalogue(options, signal);
  if (outcome !== 'aborted') await recordResult(phone, outcome);
  return outcome;
}

const isPage = (url: RequestInfo | URL) => new Request(url).url.includes('/catalogue/page/');

const stockShop = (rows: readonly StockRow[]) => stock(shop.backend, rows);

/** Stocks the shop, and lets the phone pull. */
async function stockAndPull(rows: readonly StockRow[]): Promise<void> {
  await stockShop(rows);
  await pull();
}

/** A remote that records the path of each request. */
function recordingRemote() {
  const paths: string[] = [];
  const recording = remote((url, init) => {
    paths.push(new URL(new Request(url).url).pathname.split('/')[2] ?? '');
    return fetch(url, init);
  });
  return { paths, recording };
}

/** The catalogue on the phone. */
async function indexOf(phone: WeftDatabase): Promise<CatalogueIndex> {
  const state = await readState(phone);
  const index = new CatalogueIndex();
  if (state) for (const chunk of await readChunks(phone, state.generation, 0)) index.apply(chunk);
  return index;
}

/** Stock codes and prices on the phone. */
async function productsOnPhone(phone = db): Promise<[string, number | null][]> {
  return (await indexOf(phone)).rows().map((row) => [row[1], row[8]]);
}

/** Stock codes and prices in the shop. */
async function productsInShop(): Promise<[string, number | null][]> {
  const rows = await query(
    `select "SKC" as skc, "Retail Price"::float8 as price from public.products order by "SKC", id`,
  );
  return rows.map((row) => [row['skc'], row['price']] as [string, number | null]);
}

/** Expects that a pull succeeds and leaves the phone with exactly the shop's products. */
async function expectPulled(phone = db, catalogue = remote()): Promise<void> {
  expect(await pull(phone, catalogue)).toBeNull();
  expect(await productsOnPhone(phone)).toEqual(await productsInShop());
}

test('a phone whose first load meets a restore from a backup ends with the shop’s products', async () => {
  await stockShop(numbered(1500));
  await backUp(shop.backend);
  await query(`update public.products set "Retail Price" = 777 where "SKC" = 'S-000004'`);
  let pages = 0;
  const restoring = remote(async (url, init) => {
    const answer = await fetch(url, init);
    if (isPage(url) && ++pages === 1) await restore(shop.backend);
    return answer;
  });
  await expectPulled(db, restoring);
});

test('a head below the phone’s version, from a CDN, starts no load: the phone asks once past the CDN', async () => {
  const paths: string[] = [];
  /** The head that the CDN keeps; null until it asks the shop. */
  let kept: Response | null = null;
  const cdn = remote(async (url, init) => {
    const { pathname } = new URL(new Request(url).url);
    paths.push(pathname.split('/')[2] ?? '');
    if (!pathname.endsWith('/head')) return fetch(url, init);
    kept ??= await fetch(url, init);
    return kept.clone();
  });
  await stockAndPull(numbered(60));
  await pull(db, cdn);
  await stockShop(numbered(3, 99));
  await pull();
  paths.length = 0;
  await expectPulled(db, cdn);
  expect(paths).toEqual(['head', 'changes']);
  await stockShop(numbered(3, 98));
  kept = null;
  await expectPulled(db, cdn);
  expect(paths.slice(2), 'a fresh head leads to its changes').toEqual(['head', 'changes']);
});

test('changes up to a head that is old do not outlast a restore to that head', async () => {
  await stockAndPull(numbered(3));
  await stockShop(numbered(1, 99));
  await backUp(shop.backend);
  const late = remote(async (url, init) => {
    const answer = await fetch(url, init);
    // The changes up to this head are read when the product has another price again.
    if (new URL(new Request(url).url).pathname.endsWith('/head')) await stockShop(numbered(1, 98));
    return answer;
  });
  await pull(db, late);
  await restore(shop.backend);
  await expectPulled();
});

test('a late head starts no load over the catalogue that another tab has stored meanwhile', async () => {
  await stockShop(numbered(60));
  const paths: string[] = [];
  const late = remote(async (url, init) => {
    const isHead = paths.length === 0;
    paths.push(isPage(url) ? 'page' : 'other');
    const answer = await fetch(url, init);
    if (isHead) {
      await stockShop(numbered(3, 99));
      await pull();
    }
    return answer;
  });
  await expectPulled(db, late);
  expect(paths).not.toContain('page');
});

test('a screen that knows of a change makes the next pull ask past the CDN', async () => {
  await stockAndPull(numbered(60));
  const { paths, recording } = recordingRemote();
  await pull(db, recording);
  await forgetResult(db);
  await stockShop(numbered(1, 99));
  await expectPulled(db, recording);
  expect(paths, 'the first pull asks the CDN, the second past it').toEqual(['head', 'changes']);
});

test('writes that change nothing cost no second load', async () => {
  await stockShop(numbered(300));
  // The first two statements draw versions that no product gets.
  await query('begin; delete from public.products; rollback').catch(() => undefined);
  await query(`select nextval('public.catalogue_ver')`);
  await query(`insert into public.products ("SKC") values ('S-000003') on conflict do nothing`);
  const { paths, recording } = recordingRemote();
  await expectPulled(db, recording);
  expect(paths, 'the version, a small first page, and the rest').toEqual(['head', 'page', 'page']);
});

test('more than a thousand products all arrive, whatever their stock codes are made of', async () => {
  const COUNT = 2501;
  const awkwardCodes = [
    ...String.raw`a,b a"b a\b a)b (a a.b Ä ä 日本 😀 % * &x=1 +`.split(' '),
    ' a',
  ];
  await stockShop([...numbered(COUNT), ...awkwardCodes.map((SKC) => ({ SKC, 'Retail Price': 1 }))]);
  await expectPulled();
  expect((await productsOnPhone()).length).toBe(COUNT + awkwardCodes.length);
});

test('changes, new products and deletions arrive without loading the rest again', async () => {
  await stockAndPull(numbered(1500));
  await stockShop([...numbered(3, 99), { SKC: 'S-000000a' }]);
  await query(`delete from public.products where "SKC" in ('S-000700', 'S-001499')`);
  const { paths, recording } = recordingRemote();
  await expectPulled(db, recording);
  expect(paths).toEqual(['head', 'changes']);
});

test('a product that moves while the first load runs is there once, in its new place', async () => {
  await stockShop(numbered(1500));
  let pages = 0;
  const moving = remote(async (url, init) => {
    const answer = await fetch(url, init);
    if (isPage(url) && ++pages === 1) {
      await query(
        `update public.products set "SKC" = 'Z-' || "SKC" where "SKC" in ('S-000000', 'S-000010')`,
      );
      await query(`update public.products set "SKC" = 'A' where "SKC" = 'S-001200'`);
      await query(`delete from public.products where "SKC" in ('S-000005', 'S-001300')`);
    }
    return answer;
  });
  await expectPulled(db, moving);
});

test('a load that is cut at any byte continues where it was cut', async () => {
  await stockShop(numbered(2501));
  const whole = newDatabase();
  const before = line.received;
  await pull(whole);
  const total = line.received - before;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: total }), { minLength: 1, maxLength: 3 }),
      async (cuts) => {
        const phone = newDatabase();
        for (const bytes of cuts) {
          line.cutAfter(bytes);
          await pull(phone);
        }
        line.up();
        const after = line.received;
        expect(await pull(phone)).toBeNull();
        // A page that was cut is sent again as a whole.
        expect(line.received - after).toBeLessThan(total + 2000);
        expect(await productsOnPhone(phone)).toEqual(await productsInShop());
      },
    ),
    { numRuns: quickOrFull(4, 12) },
  );
});

test('an emptied and refilled catalogue replaces the old one in one step', async () => {
  const OLD = 1200;
  const NEW = 1100;
  await stockAndPull(numbered(OLD));
  await query('truncate public.products');
  await stockShop(numbered(NEW, 20));
  const sizes = new Set<number>();
  const watching = remote(async (url, init) => {
    sizes.add((await productsOnPhone()).length);
    return fetch(url, init);
  });
  await expectPulled(db, watching);
  sizes.add((await productsOnPhone()).length);
  expect([...sizes], 'the old catalogue stays until the new one is complete').toEqual([OLD, NEW]);
  expect((await readState(db))?.load).toBeNull();
  expect(await db.chunks.count(), 'the chunks of the new one, and none of the old').toBe(3);
});

test('a phone that was away for longer than deletions are remembered loads everything again', async () => {
  await stockAndPull(numbered(60));
  await query(`delete from public.products where "SKC" = 'S-000001'`);
  await query(`select public.prune_product_deletions(now() + interval '1 minute')`);
  await expectPulled();
});

test('two tabs that pull at the same time hold each product once', async () => {
  await stockShop(numbered(2100));
  // Another connection to the same database.
  const twin = new WeftDatabase();
  Object.defineProperty(twin, 'name', { value: db.name });
  expect(await Promise.all([pull(db), pull(twin)])).toEqual([null, null]);
  await stockShop(numbered(30, 11));
  expect(await Promise.all([pull(db), pull(twin)])).toEqual([null, null]);
  expect(await productsOnPhone()).toEqual(await productsInShop());
});

test('the log of products is written anew before most of it is outdated', async () => {
  await stockAndPull(numbered(100));
  for (let price = 1; price <= 60; price++) {
    await stockAndPull(numbered(2, price));
  }
  // Otherwise there would be 62: 2 of the load and 60 of changes. `compact` rewrites the log at 2 * 2 + 32.
  expect(await db.chunks.count()).toBeLessThan(36);
  expect(await productsOnPhone()).toEqual(await productsInShop());
});

test('a rejection has the words of the backend; a broken line and a page of another site count as offline', async () => {
  const saying = (status: number, body: string, type = 'application/json') =>
    remote(async () => new Response(body, { status, headers: { 'content-type': type } }));
  const rejected = saying(500, JSON.stringify({ code: 'XX000', message: 'the disk is full' }));
  const failure = { kind: 'rejected', status: 500, code: 'XX000', message: 'the disk is full' };
  expect(await pull(db, rejected)).toMatchObject(failure);
  for (const foreign of [
    saying(200, '<html>Welcome to the train</html>', 'text/html'),
    saying(200, '{}'),
    saying(200, ''),
    saying(200, '[]'),
    remote(() => Promise.reject(new TypeError('Failed to fetch'))),
  ]) {
    expect(await pull(db, foreign)).toMatchObject({ kind: 'offline' });
  }
  expect(await readState(db)).toBeUndefined();
});

describe('a catalogue that another build has stored, without a material and with another search text', () => {
  const MATERIAL = PRODUCT_COLUMNS.indexOf('Material');

  /** Stores the catalogue again as a build of another format would have. */
  async function storeAsAnotherBuild(): Promise<void> {
    await stockAndPull(numbered(60).map((row) => ({ ...row, Material: 'Linen' })));
    await db.chunks.toCollection().modify((chunk) => {
      const rows = chunk.rows.split('\n').map((line) => JSON.parse(line) as unknown[]);
      const changed = {
        format: 0,
        rows: rows.map((row) => JSON.stringify(row.slice(0, MATERIAL))).join('\n'),
        haystacks: rows.map(() => 'of another rule').join('\n'),
      };
      Object.assign(chunk, changed);
    });
    const state = await readState(db);
    await db.meta.put({ ...state!, format: 0 });
  }

  test('is searched by the rule of this build before the network is there', async () => {
    await storeAsAnotherBuild();
    const index = await indexOf(db);
    const found = (search: string) => index.find({ category: null, search }).length;
    expect([found('s-000007'), found('women'), found('another rule')]).toEqual([1, 30, 0]);
  });

  test('is loaded again and then has the material', async () => {
    await storeAsAnotherBuild();
    await expectPulled();
    const index = await indexOf(db);
    expect(new Set(index.rows().map((row) => row[MATERIAL]))).toEqual(new Set(['Linen']));
    expect(index.find({ category: null, search: 'linen' })).toHaveLength(60);
    const { paths, recording } = recordingRemote();
    expect(await pull(db, recording)).toBeNull();
    expect(paths, 'it is loaded once').toEqual(['head']);
  });

  test('is not loaded again in a tab that has shown a catalogue of its own build before', async () => {
    await stockAndPull(numbered(60));
    const memory = { hasSeenOwnFormat: false };
    await pull(db, remote(), memory);
    const state = await readState(db);
    if (!state) throw new Error('nothing was loaded');
    await db.meta.put({ ...state, format: CATALOGUE_FORMAT + 1 });
    const { paths, recording } = recordingRemote();
    expect(await pull(db, recording, memory)).toBeNull();
    expect(paths).toEqual([]);
  });
});
