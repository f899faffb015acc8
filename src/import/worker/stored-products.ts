import { IMPORT_COLUMNS, KEY_COLUMNS } from '../../csv/columns.ts';
import type { RowValues } from '../../csv/rows.ts';
import { type Minor, parseMinor } from '../../domain/money.ts';
import type { ProductRow } from '../../domain/product.ts';
import { valuesOf } from './device-catalogue.ts';
import { KeyTable, NumberList } from './key-table.ts';
import { shortHash, TextHash } from './text-hash.ts';

/** How many values a product has beside its key. */
const FIELDS = IMPORT_COLUMNS.length - KEY_COLUMNS;
const EMPTY_HASH = shortHash('');
/** The index of `retailPrice` in a `ProductRow`. */
const PRICE = 8;
const MILLION = 1_000_000;

/** What a row would do to a stored product: `UNCHANGED`, or the number of its values that the change empties. */
export type Effect = number;
export const UNCHANGED: Effect = -1;

/**
 * The catalogue on this device as a hash per value, and the price: 60 bytes a product. That is enough to
 * forecast what a file would change. The server decides what it stores.
 */
export class StoredProducts {
  #keys = new KeyTable();
  #values = new NumberList();
  /**
   * Two numbers for each product, because cents can exceed 32 bits: 1 + the millions of cents (0 for no
   * price), and the cents below a million.
   */
  #prices = new NumberList();
  #hash = new TextHash();

  get size(): number {
    return this.#keys.size;
  }

  add(row: ProductRow): void {
    const values = valuesOf(row);
    const [skc = '', size = ''] = values;
    const { high, low } = this.#hash.of(skc, size);
    const product = this.#keys.enter(high, low);
    for (let i = 0; i < FIELDS; i++) {
      this.#values.set(product * FIELDS + i, shortHash(values[i + KEY_COLUMNS] ?? ''));
    }
    const price = parseMinor(row[PRICE]);
    this.#prices.set(product * 2, price === null ? 0 : Math.floor(price / MILLION) + 1);
    this.#prices.set(product * 2 + 1, (price ?? 0) % MILLION);
  }

  /** The stored price; null where the product has none. */
  priceOf(product: number): Minor | null {
    const millions = this.#prices.at(product * 2) - 1;
    return millions < 0 ? null : millions * MILLION + this.#prices.at(product * 2 + 1);
  }

  /** The product's number in the catalogue, by the hash of its key; -1 for an unknown one. */
  find(key: TextHash): number {
    return this.#keys.find(key.high, key.low);
  }

  effectOn(product: number, values: RowValues): Effect {
    let isChanged = false;
    let emptied = 0;
    for (let i = 0; i < FIELDS; i++) {
      const value = values[i + KEY_COLUMNS];
      if (value === undefined) continue;
      const hash = value === '' ? EMPTY_HASH : shortHash(value);
      if (hash === this.#values.at(product * FIELDS + i)) continue;
      isChanged = true;
      if (value === '') emptied += 1;
    }
    return isChanged ? emptied : UNCHANGED;
  }
}
