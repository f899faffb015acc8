import { openBenchPage } from './bench-page.ts';
import { generateRows } from './products.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const PRODUCTS = 50_000;
const WRITES = 3;
const READS = 15;
/** Reading to an index may take this many times as long as `toArray`. */
const READ_LIMIT = 0.3;

/**
 * Reading the catalogue from the device, against Dexie's `toArray` on one record per product. Every
 * reading happens in a new page, which opens the database and compiles the code as at a start.
 */
export async function measureCatalogueStore(): Promise<Figure[]> {
  await using page = await openBenchPage<typeof import('./catalogue-store-in-page.ts')>(
    new URL('./catalogue-store-in-page.ts', import.meta.url),
    generateRows(PRODUCTS),
  );
  const times = { writeChunks: [], writeRows: [], readIndex: [], readRows: [] } as Record<
    'writeChunks' | 'writeRows' | 'readIndex' | 'readRows',
    number[]
  >;
  async function measureOnce(name: keyof typeof times, round: number) {
    const { products, ms } = await page.call(name);
    if (products !== PRODUCTS) throw new Error(`${name}: ${products} products`);
    if (round >= 0) times[name].push(ms);
  }
  for (let round = 0; round < WRITES; round++) {
    await measureOnce('writeChunks', round);
    await measureOnce('writeRows', round);
  }
  // Round -1 warms up and is not counted.
  for (let round = -1; round < READS; round++) {
    await measureOnce('readIndex', round);
    await measureOnce('readRows', round);
  }
  console.log(
    `${PRODUCTS} products in Chromium, median of ${READS} reads and ${WRITES} writes, each in a new page`,
  );
  return [
    figure('read to a searchable index', median(times.readIndex), 'ms'),
    figure('toArray, row per product', median(times.readRows), 'ms'),
    figure('index to toArray', ratioOf(times.readIndex, times.readRows), 'times', READ_LIMIT),
    figure('write in pages', median(times.writeChunks), 'ms'),
    figure('bulkAdd in pages, row per product', median(times.writeRows), 'ms'),
  ];
}
