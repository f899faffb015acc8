import { gzipSync } from 'node:zlib';
import { readChunks, readState, recordResult } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { openInMemory } from '../../src/db/open.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS } from '../../src/domain/product.ts';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { pullCatalogue } from '../../src/sync/pull-catalogue.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { openLine } from '../browser/proxy.ts';
import { GZIP_ONLY, type Traffic } from '../browser/request-faults.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { type Figure, figure } from './report.ts';

const PRODUCTS = 10_000;
const CHANGED_PRODUCTS = PRODUCTS / 100;
/** Both limits are multiples of the size of all rows as one gzipped JSON array. */
const FIRST_LOAD_LIMIT = 0.4;
const CHANGES_LIMIT = 0.0133;
/** The most rows that PostgREST returns. */
const PAGE_ROWS = 1000;
/** The response bodies of a pull when nothing has changed. */
const NO_CHANGES_LIMIT_BYTES = 300;

/**
 * Bytes that a device receives in its first load, after 1 % of the products changed, and after
 * nothing changed; against gzip of all rows as one JSON array. Bytes do not vary, so one round is
 * enough.
 *
 * The changes are prices of garments in all their sizes, spread over the catalogue.
 */
export async function measureCatalogueSync(): Promise<Figure[]> {
  await using shop = await openTestShop();
  await importRows(shop.backend, generateProducts(PRODUCTS));
  const baselineBytes = gzipSync(await allRowsAsJson(shop), { level: 6 }).length;
  await using line = await openLine(shop.url);
  const counter = line.addFaults(GZIP_ONLY);
  const remote = catalogueRemote({ url: line.url });
  const db = await openInMemory();
  const memory = { hasSeenOwnFormat: false };

  async function pull(): Promise<Traffic> {
    const failure = await pullCatalogue(
      { db, remote, now: Date.now, hesitate: async () => undefined, memory },
      AbortSignal.timeout(60_000),
    );
    await recordResult(db, failure === 'aborted' ? null : failure);
    if (failure) throw new Error(`the catalogue was not pulled: ${JSON.stringify(failure)}`);
    return counter.trafficSinceLastCall();
  }
  const first = await pull();
  await expectSame(shop, db);
  const changed = await lowerPrices(shop, await spreadCodes(shop));
  const changes = await pull();
  await expectSame(shop, db);
  const nothingChanged = await pull();

  console.log(`${PRODUCTS} products, gzip, counted in a proxy, once (bytes do not vary)`);
  return [
    figure('all rows as one JSON array, gzip level 6', baselineBytes, 'bytes'),
    ...trafficFigures('first load', first),
    figure('first load to baseline', first.bodyBytes / baselineBytes, 'times', FIRST_LOAD_LIMIT),
    figure('changed', changed, 'products'),
    ...trafficFigures('changes', changes),
    figure('changes to baseline', changes.bodyBytes / baselineBytes, 'times', CHANGES_LIMIT),
    figure('nothing changed: headers', nothingChanged.headerBytes, 'bytes'),
    figure('nothing changed: requests', nothingChanged.requests, 'requests', 1),
    figure('nothing changed: bodies', nothingChanged.bodyBytes, 'bytes', NO_CHANGES_LIMIT_BYTES),
  ];
}

function trafficFigures(name: string, { requests, bodyBytes, headerBytes }: Traffic): Figure[] {
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
  for (let offset = 0; offset < PRODUCTS; offset += PAGE_ROWS) {
    const query = new URLSearchParams({
      select,
      order: 'SKC,id',
      limit: `${PAGE_ROWS}`,
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

/** Takes a tenth off the prices of these products; a product without a price gets 45.00. Returns how many it changed. */
async function lowerPrices(shop: TestShop, codes: readonly string[]): Promise<number> {
  const changed = await shop.backend.query(
    `update public.products set "Retail Price" = round(coalesce("Retail Price", 50) * 0.9, 2)
     where "SKC" = any ($1) returning id`,
    [codes],
  );
  return changed.length;
}

/** Evenly spaced stock codes, the fewest that have at least 1 % of the products. */
async function spreadCodes(shop: TestShop): Promise<string[]> {
  const codes = await shop.backend.query(
    'select "SKC" as code, count(*)::int as sizes from public.products group by 1 order by 1',
  );
  for (let count = 1; ; count++) {
    const chosen = Array.from(
      { length: count },
      (_, i) => codes[Math.floor((i * codes.length) / count)],
    );
    const products = chosen.reduce((sum, row) => sum + Number(row?.['sizes']), 0);
    if (products >= CHANGED_PRODUCTS) return chosen.map((row) => String(row?.['code']));
  }
}

/** Fails when the device and the shop differ, because an incomplete sync would receive fewer bytes. */
async function expectSame(shop: TestShop, db: WeftDatabase): Promise<void> {
  const index = new CatalogueIndex();
  const state = await readState(db);
  for (const chunk of await readChunks(db, state?.generation ?? 0, 0)) index.apply(chunk);
  const idColumn = PRODUCT_COLUMNS.indexOf('id');
  const priceColumn = PRODUCT_COLUMNS.indexOf('Retail Price');
  const prices = index.rows().map((row) => [row[idColumn], row[priceColumn]]);
  const inShop = await shop.backend.query(
    `select json_agg(json_build_array(id, "Retail Price") order by "SKC", id) as prices
     from public.products`,
  );
  if (JSON.stringify(prices) !== JSON.stringify(inShop[0]?.['prices'])) {
    throw new Error('the device and the shop do not hold the same products');
  }
}
