import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { RowValues } from '../../csv/rows.ts';
import { BitSet, KeyTable, NumberList } from './key-table.ts';
import { PriceMoveCounts } from './price-moves.ts';
import { type StoredProducts, UNCHANGED } from './stored-products.ts';
import { TextHash } from './text-hash.ts';

/**
 * What the last row of a product would do, as a number:
 *
 * - `SAME`         nothing
 * - `CHANGED` + n  change the product, and empty n of its stored values (8 at most)
 * - `NEW` + bits   add the product, which lacks what the bits below say
 */
const SAME = 0;
const CHANGED = 1;
const NEW = 16;

/** Bits: what a new product lacks for its card in the catalogue. */
const NO_PRICE = 1;
const NO_CATEGORY = 2;
const NO_PICTURE = 4;

const SKC = IMPORT_COLUMNS.indexOf('SKC');
const SIZE = IMPORT_COLUMNS.indexOf('Size');
const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');
const CATEGORY = IMPORT_COLUMNS.indexOf('Category 1');
const PICTURE = IMPORT_COLUMNS.indexOf('Images link');

/**
 * The products in a file. Of several rows for one product the last one counts: `FileProducts` marks the
 * others and subtracts them from the counts. About 30 bytes a product.
 */
export class FileProducts {
  replaced = 0;
  readonly replacedRows = new BitSet();
  added = 0;
  changed = 0;
  unchanged = 0;
  /** How many stored values the import would empty. */
  cleared = 0;
  /** How many new products have no price, no category, no picture. */
  readonly lacking = { price: 0, category: 0, picture: 0 };
  readonly prices = new PriceMoveCounts();
  #stored: StoredProducts;
  #key = new TextHash();
  /** Numbers the products of the file; the lists below are by that number. */
  #products = new KeyTable();
  /** The last row of the product, and its effect. */
  #rows = new NumberList();
  #effects = new NumberList();

  constructor(stored: StoredProducts) {
    this.#stored = stored;
  }

  /**
   * @param row as `TakeRow` counts
   * @returns the product's number in the file
   */
  add(values: RowValues, row: number): number {
    const { high, low } = this.#key.of(values[SKC] ?? '', values[SIZE] ?? '');
    const { size: productsBefore } = this.#products;
    const product = this.#products.enter(high, low);
    if (product < productsBefore) {
      this.replaced += 1;
      this.replacedRows.add(this.#rows.at(product));
      this.#count(this.#effects.at(product), -1);
    }
    const stored = this.#stored.find(this.#key);
    const effect = this.#effectOf(stored, values);
    this.#count(effect, 1);
    this.prices.set(product, stored < 0 ? null : this.#stored.priceOf(stored), values);
    this.#rows.set(product, row);
    this.#effects.set(product, effect);
    return product;
  }

  /** @param stored the product's number in the catalogue; -1 for a new one */
  #effectOf(stored: number, values: RowValues): number {
    if (stored < 0) return NEW + lackingIn(values);
    const effect = this.#stored.effectOn(stored, values);
    return effect === UNCHANGED ? SAME : CHANGED + effect;
  }

  #count(effect: number, change: 1 | -1): void {
    if (effect === SAME) this.unchanged += change;
    else if (effect >= NEW) {
      this.added += change;
      if (effect & NO_PRICE) this.lacking.price += change;
      if (effect & NO_CATEGORY) this.lacking.category += change;
      if (effect & NO_PICTURE) this.lacking.picture += change;
    } else {
      this.changed += change;
      this.cleared += change * (effect - CHANGED);
    }
  }
}

/** The bits of what a new product lacks. */
function lackingIn(values: RowValues): number {
  return (
    (values[PRICE] ? 0 : NO_PRICE) |
    (values[CATEGORY] ? 0 : NO_CATEGORY) |
    (values[PICTURE] ? 0 : NO_PICTURE)
  );
}
