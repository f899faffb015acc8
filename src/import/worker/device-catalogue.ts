/** Reads the catalogue on this device from end to end. */
import Dexie from 'dexie';
import { readState } from '../../db/catalogue-log.ts';
import type { RowValues } from '../../csv/row-validator.ts';
import type { CatalogueState, WeftDatabase } from '../../db/database.ts';
import { linesOf } from '../../domain/catalogue-chunk.ts';
import { parseMinor } from '../../domain/money.ts';
import { compareKeys, keyOf, type ProductRow } from '../../domain/product.ts';
import { csvLine, escapedLine } from '../../csv/write.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';

/** How much of the shop's catalogue the device holds; `partial` until its first load has ended. */
export type Extent = 'none' | 'partial' | 'whole';

export type TakeProduct = (row: ProductRow) => void;

/** Calls `take` with every product once, in no particular order. Returns how much of the catalogue that was. */
export async function readProducts(db: WeftDatabase, take: TakeProduct): Promise<Extent> {
  for (;;) {
    const state = await readState(db);
    if (!state) return 'none';
    // Not in one transaction with the state: a shopper's tap writes to the state's table and would have to wait.
    const isRead = await db.transaction('r', db.chunks, () => readGeneration(db, state, take));
    if (isRead) return state.version ? 'whole' : 'partial';
  }
}

/** False, without calling `take`, when the sync has replaced the generation meanwhile. */
async function readGeneration(
  db: WeftDatabase,
  { generation, nextSeq }: CatalogueState,
  take: TakeProduct,
): Promise<boolean> {
  const log = db.chunks
    .where('[generation+seq]')
    .between([generation, Dexie.minKey], [generation, nextSeq]);
  if ((await log.count()) < nextSeq) return false;
  const seen = new Set<number>();
  // From the newest chunk to the oldest, because the newest record of a product counts, also a deletion.
  await log.reverse().each((chunk) => {
    for (const id of chunk.removed) seen.add(id);
    for (const [i, line] of linesOf(chunk, 'rows').entries()) {
      const id = chunk.ids[i] ?? -1;
      // `encodeChunk` wrote the line on this device, so `parseProductRow` need not check it.
      if (!seen.has(id)) take(JSON.parse(line) as ProductRow);
      seen.add(id);
    }
  });
  return true;
}

/** Formats a stored price as the import writes it: `12.50`; '' for one that is no amount. */
function priceText(price: number): string {
  const minor = parseMinor(price);
  if (minor === null) return '';
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

/** A product's values in the order of `IMPORT_COLUMNS`, '' for a missing one. */
export function valuesOf(row: ProductRow): string[] {
  const [, ...values] = row;
  return values.map((value) => (typeof value === 'number' ? priceText(value) : (value ?? '')));
}

/** Identifies a product by the first two of `IMPORT_COLUMNS`. No stock code holds `\0`: the validator rejects it. */
export function keyTextOf([skc = '', size = '']: RowValues): string {
  return `${skc}\0${size}`;
}

/**
 * The catalogue on this device as a product file, by stock code as the shop sorts. Importing the file changes
 * nothing; in an empty shop it makes the same table, whose export is the same file.
 */
export async function exportCatalogue(db: WeftDatabase): Promise<Blob> {
  const products: ProductRow[] = [];
  await readProducts(db, (row) => products.push(row));
  products.sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const lines = products.map((row) => escapedLine(valuesOf(row)));
  return csvBlob([csvLine(IMPORT_COLUMNS), ...lines]);
}

/** @param lines each with its line break */
export function csvBlob(lines: readonly string[]): Blob {
  // Without the byte order mark Excel takes the file for Windows-1252.
  return new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' });
}
