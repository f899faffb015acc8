import { PRODUCT_COLUMNS, type ProductRow } from '../../src/domain/product.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { openBenchPage } from './bench-page.ts';
import { type Figure, figure, inTurns, median, ratioOf } from './report.ts';

const PRODUCTS = 50_000;
const READS = 15;
/** Reading into a searchable index may take this many times as long as `toArray`. */
const READ_LIMIT = 0.3;

/**
 * Reading the catalogue from the device, against Dexie's `toArray` on one record per product. Every
 * read happens in a new page, which opens the database and compiles the code as at a start.
 */
export async function measureCatalogueStore(): Promise<Figure[]> {
  await using page = await openBenchPage<typeof import('./catalogue-store-in-page.ts')>(
    new URL('./catalogue-store-in-page.ts', import.meta.url),
    generateRows(PRODUCTS),
  );
  const timed = (name: 'readIndex' | 'readRows') => async () => {
    const { products, ms } = await page.call(name);
    if (products !== PRODUCTS) throw new Error(`${name}: ${products} products`);
    return ms;
  };
  await page.call('writeChunks');
  await page.call('writeRows');
  const reads = await inTurns(
    { rounds: READS, warmUps: 1 },
    { index: timed('readIndex'), rows: timed('readRows') },
  );
  console.log(`${PRODUCTS} products in Chromium, median of ${READS} reads, each in a new page`);
  return [
    figure('read to a searchable index', median(reads.index), 'ms'),
    figure('toArray, row per product', median(reads.rows), 'ms'),
    figure('index to toArray', ratioOf(reads.index, reads.rows), 'times', READ_LIMIT),
  ];
}

/**
 * Generated products in the form in which a phone receives them, with ids from 1 as the database would
 * assign.
 */
function generateRows(count: number): ProductRow[] {
  return generateProducts(count).map((product, i) => {
    const cells = { ...product, id: i + 1, Size: product.Size ?? '' };
    const row = PRODUCT_COLUMNS.map((column) => cells[column] ?? null);
    return row as unknown as ProductRow; // in the order of the columns
  });
}
