import { BitSet, KeyTable, NumberList } from './key-table.ts';
import { PriceMovesOfFile } from './price-moves.ts';
import { type StoredProducts, UNCHANGED } from './stored-products.ts';
import { TextHash } from './text-hash.ts';

/** A row that a later row of the same product replaces. */
export interface Replacement {
  readonly line: number;
  readonly byLine: number;
  readonly skc: string;
  readonly size: string;
}

/**
 * What the last row of a product would do: nothing, add it, or change it. What exceeds `CHANGED` is
 * how many stored values the row would empty.
 */
const SAME = 0;
const NEW = 1;
const CHANGED = 2;

/**
 * The products in a file. Of several rows for one product the last one counts: `FileProducts` marks the
 * others and subtracts them from the counts. About 35 bytes a product.
 */
export class FileProducts {
  replaced = 0;
  readonly replacedRows = new BitSet();
  firstReplaced: Replacement | null = null;
  added = 0;
  changed = 0;
  unchanged = 0;
  /** How many stored values the import would empty. */
  cleared = 0;
  readonly prices = new PriceMovesOfFile();
  #stored: StoredProducts;
  #key = new TextHash();
  #products = new KeyTable();
  #rows = new NumberList();
  #lines = new NumberList();
  #effects = new NumberList();

  constructor(stored: StoredProducts) {
    this.#stored = stored;
  }

  add(values: readonly (string | undefined)[], row: number, line: number): void {
    const skc = values[0] ?? '';
    const size = values[1] ?? '';
    const { high, low } = this.#key.of(skc, size);
    const { size: known } = this.#products;
    const product = this.#products.enter(high, low);
    if (product < known) {
      this.replaced += 1;
      this.replacedRows.add(this.#rows.at(product));
      const replaced = { line: this.#lines.at(product), byLine: line };
      this.firstReplaced ??= { ...replaced, skc, size };
      this.#count(this.#effects.at(product), -1);
    }
    const place = this.#stored.find(this.#key);
    const effect = this.#effectOf(place, values);
    this.#count(effect, 1);
    this.prices.set(product, place < 0 ? null : this.#stored.priceOf(place), values);
    this.#rows.set(product, row);
    this.#lines.set(product, line);
    this.#effects.set(product, effect);
  }

  #effectOf(place: number, values: readonly (string | undefined)[]): number {
    if (place < 0) return NEW;
    const effect = this.#stored.effectOn(place, values);
    return effect === UNCHANGED ? SAME : CHANGED + effect;
  }

  #count(effect: number, by: 1 | -1): void {
    if (effect === SAME) this.unchanged += by;
    else if (effect === NEW) this.added += by;
    else {
      this.changed += by;
      this.cleared += by * (effect - CHANGED);
    }
  }
}
