/** Reads the catalogue on this device from end to end without holding it in memory. */
import Dexie from 'dexie';
import { readState } from '../../db/catalogue-log.ts';
import type { RowValues } from '../../csv/rows.ts';
import type { CatalogueState, WeftDatabase } from '../../db/database.ts';
import { linesOf } from '../../domain/catalogue-chunk.ts';
import { parseMinor } from '../../domain/money.ts';
import type { ProductRow } from '../../domain/product.ts';
import { KeyTable } from './key-table.ts';

/** How much of the shop's catalogue the device holds; `partial` until its first load has ended. */
export type Extent = 'none' | 'partial' | 'whole';

/** @param line the product's newest `ProductRow` as JSON */
export type TakeProduct = (row: ProductRow, line: string) => void;

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
  const seen = new KeyTable();
  /** Returns whether the id had not been seen before. */
  const markSeen = (id: number): boolean => {
    const { size } = seen;
    return seen.enter(Math.floor(id / 2 ** 32), id >>> 0) === size;
  };
  // From the newest chunk to the oldest, because the newest record of a product counts, also a deletion.
  await log.reverse().each((chunk) => {
    for (const id of chunk.removed) markSeen(id);
    for (const [i, line] of linesOf(chunk, 'rows').entries()) {
      // `encodeChunk` wrote the line on this device, so `parseProductRow` need not check it.
      if (markSeen(chunk.ids[i] ?? -1)) take(JSON.parse(line) as ProductRow, line);
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

/** A product's values by `keyTextOf`, in the order of `IMPORT_COLUMNS`, '' for a missing one. */
export type StoredValues = ReadonlyMap<string, readonly string[]>;

/** The key of `StoredValues`. */
export function keyTextOf([skc = '', size = '']: RowValues): string {
  return `${skc}\0${size}`;
}

/** The values that will be stored. Those that a row leaves as they are come from `valuesOfProducts`. */
export async function withKeptValues(
  rows: readonly RowValues[],
  valuesOfProducts: (keys: ReadonlySet<string>) => Promise<StoredValues>,
): Promise<(readonly string[])[]> {
  const keys = new Set(rows.filter((values) => values.includes(undefined)).map(keyTextOf));
  const kept = keys.size > 0 ? await valuesOfProducts(keys) : null;
  return rows.map((values) => {
    const stored = kept?.get(keyTextOf(values));
    return values.map((value, i) => value ?? stored?.[i] ?? '');
  });
}
