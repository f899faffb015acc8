import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readChunks, readState, recordResult } from '../../src/db/catalogue-log.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { openInMemory } from '../../src/db/open.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS } from '../../src/domain/product.ts';
import { catalogueRemote } from '../../src/remote/catalogue.ts';
import { pullCatalogue } from '../../src/sync/pull-catalogue.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { importRows } from '../../supabase/local/sample.ts';
import { openTestShop, type TestShop } from '../supabase/shop.ts';
import { type Figure, figure } from './report.ts';

const PRODUCTS = 10_000;
/** Both limits are multiples of the size of all rows as one gzipped JSON array. */
const FIRST_LOAD_LIMIT = 0.4;
const CHANGES_LIMIT = 0.0133;
/** The response bodies of a pull when nothing has changed. */
const NO_CHANGES_LIMIT_BYTES = 300;

/** What a device has received. */
interface Traffic {
  requests: number;
  /** Still compressed, without the framing of chunks. */
  bodyBytes: number;
}

/**
 * Bytes that a device receives in its first load, after 1 % of the products changed, and after
 * nothing changed; against gzip of all rows as one JSON array. Bytes do not vary, so one round is
 * enough.
 */
export async function measureCatalogueSync(): Promise<Figure[]> {
  await using shop = await openTestShop();
  await importRows(shop.backend, generateProducts(PRODUCTS));
  const baselineBytes = gzipSync(await allRowsAsJson(shop), { level: 6 }).length;
  let traffic: Traffic;
  /** Asks for gzip, because every browser receives gzip, and counts before unpacking. */
  const countingFetch: typeof fetch = async (url) => {
    const request = get(url as string, { headers: { 'accept-encoding': 'gzip' } }); // the remote passes texts
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await answer.toArray());
    traffic.requests += 1;
    traffic.bodyBytes += body.length;
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    const headers = { 'content-type': answer.headers['content-type'] ?? '' };
    return new Response(isPacked ? gunzipSync(body) : body, { headers });
  };
  const remote = catalogueRemote({ url: shop.url, fetch: countingFetch });
  const db = await openInMemory();
  const memory = { hasSeenOwnFormat: false };

  async function pull(): Promise<Traffic> {
    traffic = { requests: 0, bodyBytes: 0 };
    const failure = await pullCatalogue(
      { db, remote, now: Date.now, hesitate: async () => undefined, memory },
      AbortSignal.timeout(60_000),
    );
    await recordResult(db, failure === 'aborted' ? null : failure);
    if (failure) throw new Error(`the catalogue was not pulled: ${JSON.stringify(failure)}`);
    return traffic;
  }
  const first = await pull();
  await expectSame(shop, db);
  const changed = await lowerPrices(shop);
  const changes = await pull();
  await expectSame(shop, db);
  const nothingChanged = await pull();

  console.log(`${PRODUCTS} products, gzip, counted once (bytes do not vary)`);
  return [
    figure('all rows as one JSON array, gzip level 6', baselineBytes, 'bytes'),
    ...trafficFigures('first load', first),
    figure('first load to baseline', first.bodyBytes / baselineBytes, 'times', FIRST_LOAD_LIMIT),
    figure('changed', changed, 'products'),
    ...trafficFigures('changes', changes),
    figure('changes to baseline', changes.bodyBytes / baselineBytes, 'times', CHANGES_LIMIT),
    figure('nothing changed: requests', nothingChanged.requests, 'requests', 1),
    figure('nothing changed: bodies', nothingChanged.bodyBytes, 'bytes', NO_CHANGES_LIMIT_BYTES),
  ];
}

function trafficFigures(name: string, { requests, bodyBytes }: Traffic): Figure[] {
  return [
    figure(`${name}: requests`, requests, 'requests'),
    figure(`${name}: bodies`, bodyBytes, 'bytes'),
  ];
}

/** The rows with their column names, as PostgREST would send them in one answer. */
async function allRowsAsJson(shop: TestShop): Promise<string> {
  const columns = PRODUCT_COLUMNS.map((column) => `"${column}"`).join(',');
  const [answer] = await shop.backend.query(
    `select json_agg(r order by "SKC", id)::text as rows
     from (select ${columns} from public.products) r`,
  );
  return String(answer?.['rows']);
}

/**
 * Takes a tenth off the prices of every hundredth garment in all its sizes; a product without a price gets 45.00.
 * Returns how many products it changed.
 */
async function lowerPrices(shop: TestShop): Promise<number> {
  const changed = await shop.backend.query(
    `with codes as (select "SKC", row_number() over (order by "SKC") as place
       from public.products group by "SKC")
     update public.products set "Retail Price" = round(coalesce("Retail Price", 50) * 0.9, 2)
     where "SKC" in (select "SKC" from codes where place % 100 = 1) returning id`,
  );
  return changed.length;
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
