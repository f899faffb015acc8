import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { Minor } from '../../domain/money.ts';
import { parseMinor } from '../../domain/money.ts';
import type { ProductRow } from '../../domain/product.ts';
import { valuesOf } from './device-catalogue.ts';
import { KeyTable, NumberList } from './key-table.ts';
import { shortHash, TextHash } from './text-hash.ts';

/** The columns that identify a product: stock code and size. */
const KEYS = 2;
const FIELDS = IMPORT_COLUMNS.length - KEYS;
const EMPTY = shortHash('');
const MILLION = 1_000_000;

/**
 * What a row would do to a stored product: `UNCHANGED`, or change it, and then the number says how many
 * of its values it would empty.
 */
export type Effect = number;
export const UNCHANGED: Effect = -1;

/**
 * The catalogue on this device as a hash per value, and the price: 60 bytes a product. That is enough to
 * forecast what a file would change. The server decides what it stores.
 */
export class StoredProducts {
  #keys = new KeyTable();
  #values = new NumberList();
  /** Two numbers a product, because a price exceeds 32 bits: millions of cents and 1, and the rest. */
  #prices = new NumberList();
  #hash = new TextHash();

  get size(): number {
    return this.#keys.size;
  }

  add(row: ProductRow): void {
    const values = valuesOf(row);
    const { high, low } = this.#hash.of(values[0] ?? '', values[1] ?? '');
    const place = this.#keys.enter(high, low);
    for (let i = 0; i < FIELDS; i++) {
      this.#values.set(place * FIELDS + i, shortHash(values[i + KEYS] ?? ''));
    }
    const price = parseMinor(row[8]);
    this.#prices.set(place * 2, price === null ? 0 : Math.floor(price / MILLION) + 1);
    this.#prices.set(place * 2 + 1, (price ?? 0) % MILLION);
  }

  /** Null where the product has none. */
  priceOf(place: number): Minor | null {
    const millions = this.#prices.at(place * 2) - 1;
    return millions < 0 ? null : millions * MILLION + this.#prices.at(place * 2 + 1);
  }

  /** @param key the hash of stock code and size */
  find(key: TextHash): number {
    return this.#keys.find(key.high, key.low);
  }

  /** @param values by `IMPORT_COLUMNS`, undefined for a value that the row does not change */
  effectOn(place: number, values: readonly (string | undefined)[]): Effect {
    let effect: Effect = UNCHANGED;
    for (let i = 0; i < FIELDS; i++) {
      const value = values[i + KEYS];
      if (value === undefined) continue;
      const hash = value === '' ? EMPTY : shortHash(value);
      if (hash === this.#values.at(place * FIELDS + i)) continue;
      effect = Math.max(effect, 0) + (value === '' ? 1 : 0);
    }
    return effect;
  }
}
