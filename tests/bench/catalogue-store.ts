import { openBenchPage } from './bench-page.ts';
import { generateRows } from './products.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

const PRODUCTS = 50_000;
const WRITES = 3;
const READS = 15;
/** Reading into a searchable index may take this many times as long as `toArray`. */
const READ_LIMIT = 0.3;

/**
 * Reading the catalogue from the device, against Dexie's `toArray` on one record per product. Every
 * read and write happens in a new page, which opens the database and compiles the code as at a start.
 */
export async function measureCatalogueStore(): Promise<Figure[]> {
  await using page = await openBenchPage<typeof import('./catalogue-store-in-page.ts')>(
    new URL('./catalogue-store-in-page.ts', import.meta.url),
    generateRows(PRODUCTS),
  );
  const timed = (name: 'writeChunks' | 'writeRows' | 'readIndex' | 'readRows') => async () => {
    const { products, ms } = await page.call(name);
    if (products !== PRODUCTS) throw new Error(`${name}: ${products} products`);
    return ms;
  };
  const writes = await inTurns(
    // No limit applies to writes, so they need no warm-up.
    { rounds: WRITES, warmUps: 0 },
    { chunks: timed('writeChunks'), rows: timed('writeRows') },
  );
  const reads = await inTurns(
    { rounds: READS, warmUps: 1 },
    { index: timed('readIndex'), rows: timed('readRows') },
  );
  console.log(
    `${PRODUCTS} products in Chromium, median of ${READS} reads and ${WRITES} writes, each in a new page`,
  );
  return [
    figure('read to a searchable index', median(reads.index), 'ms'),
    figure('toArray, row per product', median(reads.rows), 'ms'),
    figure('index to toArray', ratioOf(reads.index, reads.rows), 'times', READ_LIMIT),
    figure('write in pages', median(writes.chunks), 'ms'),
    figure('bulkAdd in pages, row per product', median(writes.rows), 'ms'),
  ];
}
