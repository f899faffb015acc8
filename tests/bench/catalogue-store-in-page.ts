/** What the bench `catalogue-store` runs in the browser. */
import Dexie, { type Table } from 'dexie';
import { readChunks, readState } from '../../src/db/catalogue-log.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { CHUNK_ROWS } from '../../src/domain/catalogue-chunk.ts';
import { CatalogueIndex } from '../../src/domain/catalogue-index.ts';
import { PRODUCT_COLUMNS, type ProductRow } from '../../src/domain/product.ts';
import { END_OF_LOAD, storePages } from '../db/catalogue.ts';

/** How many products were read, and how long it took. */
export interface Timed {
  readonly products: number;
  readonly ms: number;
}

/** A database that stores each product as one record: the baseline. */
class RowDatabase extends Dexie {
  declare readonly products: Table<Readonly<Record<string, unknown>>, number>;

  constructor() {
    super('rows');
    this.version(1).stores({ products: 'id' });
  }
}

/** Stores the bench's products as the shop's first load does. */
export async function writeChunks(): Promise<void> {
  using db = disposable(new WeftDatabase());
  await storePages(db, 1, [await readData(), END_OF_LOAD]);
}

/** Writes the bench's products with one record for each. */
export async function writeRows(): Promise<void> {
  const rows = await readData();
  const products = rows.map((row) =>
    Object.fromEntries(PRODUCT_COLUMNS.map((column, i) => [column, row[i]])),
  );
  using db = disposable(new RowDatabase());
  for (let offset = 0; offset < products.length; offset += CHUNK_ROWS) {
    await db.products.bulkAdd(products.slice(offset, offset + CHUNK_ROWS));
  }
}

/** Measures from a closed database to an index that can be searched. */
export async function readIndex(): Promise<Timed> {
  const start = performance.now();
  using db = disposable(new WeftDatabase());
  const state = await readState(db);
  const index = new CatalogueIndex();
  for (const chunk of await readChunks(db, state?.generation ?? 0, 0)) index.apply(chunk);
  const ms = performance.now() - start;
  return { products: index.find({ category: null, search: '' }).length, ms };
}

/** Measures from a closed database to an array of products, which has no search index yet. */
export async function readRows(): Promise<Timed> {
  const start = performance.now();
  using db = disposable(new RowDatabase());
  const products = await db.products.toArray();
  return { products: products.length, ms: performance.now() - start };
}

async function readData(): Promise<ProductRow[]> {
  return (await (await fetch('/data.json')).json()) as ProductRow[]; // what `generateRows` made
}

function disposable<T extends Dexie>(db: T): T & Disposable {
  return Object.assign(db, { [Symbol.dispose]: () => db.close() });
}
