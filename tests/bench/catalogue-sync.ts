import { gzipSync } from 'node:zlib';
import { readChunks, readState } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { openInMemory } from '../../src/db/open.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS } from '../../src/domain/product.ts';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { pullCatalogue } from '../../src/sync/pull-catalogue.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { openCountingProxy, type Traffic } from './counting-proxy.ts';
import { type Figure, figure } from './report.ts';

const PRODUCTS = 10_000;
/** One per cent. */
const CHANGED = PRODUCTS / 100;
const FIRST_LOAD_LIMIT = 1.1;
const CHANGES_LIMIT = 0.015;

/**
 * Bytes of bringing a device up to date: first load, 1 % changed, nothing changed; against gzip of
 * all rows as one JSON array. Bytes do not wobble, so everything is done once.
 *
 * What changes is the price of garments in all their sizes, spread over the whole catalogue. Told
 * beside it, without a limit: as many single rows of different garments, which have nothing to
 * repeat and so weigh about twice what a row of the catalogue does on average.
 */
export async function measureCatalogueSync(): Promise<Figure[]> {
  const shop = await openTestShop();
  try {
    await importRows(shop.backend, generateProducts(PRODUCTS));
    const baselineBytes = gzipSync(await allRowsAsJson(shop), { level: 6 }).length;
    await using proxy = await openCountingProxy(shop.url);
    const remote = catalogueRemote({ url: proxy.url, key: shop.backend.publishableKey });
    const db = await openInMemory();

    async function pull(): Promise<Traffic> {
      const failure = await pullCatalogue(
        { db, remote, now: Date.now },
        AbortSignal.timeout(60_000),
      );
      if (failure) throw new Error(`the catalogue was not pulled: ${JSON.stringify(failure)}`);
      return proxy.take();
    }
    const first = await pull();
    await expectSame(shop, db);
    const changed = await lowerPrices(shop, '"SKC" = any ($1)', await spreadCodes(shop));
    const changes = await pull();
    await expectSame(shop, db);
    const single = await lowerPrices(shop, `id % $1 = 0`, PRODUCTS / CHANGED);
    const singles = await pull();
    await expectSame(shop, db);
    const nothing = await pull();

    console.log(`${PRODUCTS} products, gzip, counted on the line, once (bytes do not wobble)`);
    return [
      figure('all rows as one JSON array, gzip level 6', baselineBytes, 'bytes'),
      ...told('first load', first),
      figure('first load to baseline', first.bodyBytes / baselineBytes, 'times', FIRST_LOAD_LIMIT),
      figure('changed', changed, 'products'),
      ...told('changes', changes),
      figure('changes to baseline', changes.bodyBytes / baselineBytes, 'times', CHANGES_LIMIT),
      figure('single rows changed', single, 'products'),
      ...told('single rows', singles),
      figure('single rows to baseline', singles.bodyBytes / baselineBytes, 'times'),
      figure('nothing changed: headers', nothing.headerBytes, 'bytes'),
      figure('nothing changed: requests', nothing.requests, 'requests', 1),
      figure('nothing changed: bodies', nothing.bodyBytes, 'bytes', 500),
    ];
  } finally {
    await shop.close();
  }
}

function told(name: string, { requests, bodyBytes, headerBytes }: Traffic): Figure[] {
  return [
    figure(`${name}: requests`, requests, 'requests'),
    figure(`${name}: headers`, headerBytes, 'bytes'),
    figure(`${name}: bodies`, bodyBytes, 'bytes'),
  ];
}

/** The rows with their column names, character by character as the backend sends them. */
async function allRowsAsJson(shop: TestShop): Promise<string> {
  const select = PRODUCT_COLUMNS.map((column) => `"${column}"`).join(',');
  const bodies: string[] = [];
  for (let offset = 0; offset < PRODUCTS; offset += 1000) {
    const query = new URLSearchParams({
      select,
      order: 'SKC,id',
      limit: '1000',
      offset: `${offset}`,
    });
    const answer = await fetch(`${shop.url}/rest/v1/products?${query}`, {
      headers: { apikey: shop.backend.publishableKey },
    });
    bodies.push((await answer.text()).trim().slice(1, -1));
  }
  const json = `[${bodies.join(',')}]`;
  const { length } = JSON.parse(json) as unknown[]; // PostgREST answers a select with an array
  if (length !== PRODUCTS) throw new Error(`${length} rows instead of ${PRODUCTS}`);
  return json;
}

/** A sale: a tenth off. Returns how many products it changed. */
async function lowerPrices(shop: TestShop, where: string, chosen: unknown): Promise<number> {
  const changed = await shop.backend.query(
    `update public.products set "Retail Price" = round(coalesce("Retail Price", 50) * 0.9, 2)
     where ${where} returning id`,
    [chosen],
  );
  return changed.length;
}

/** Stock codes at even distances, as many as have together at least 1 % of the products. */
async function spreadCodes(shop: TestShop): Promise<string[]> {
  const codes = await shop.backend.query(
    'select "SKC" as code, count(*)::int as sizes from public.products group by 1 order by 1',
  );
  for (let wanted = 1; ; wanted++) {
    const chosen = Array.from(
      { length: wanted },
      (_, i) => codes[Math.floor((i * codes.length) / wanted)],
    );
    const products = chosen.reduce((sum, row) => sum + Number(row?.['sizes']), 0);
    if (products >= CHANGED) return chosen.map((row) => String(row?.['code']));
  }
}

/** A sync that leaves something out would be cheap. */
async function expectSame(shop: TestShop, db: WeftDatabase): Promise<void> {
  const index = new CatalogueIndex();
  const state = await readState(db);
  for (const chunk of await readChunks(db, state?.generation ?? 0, 0)) index.apply(chunk);
  const prices = index.rows().map((row) => [row[0], row[8]]);
  const there = await shop.backend.query(
    `select json_agg(json_build_array(id, "Retail Price") order by "SKC", id) as prices
     from public.products`,
  );
  if (JSON.stringify(prices) !== JSON.stringify(there[0]?.['prices'])) {
    throw new Error('the device and the shop do not hold the same products');
  }
}
