import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { RowValues } from '../../csv/rows.ts';
import type { Minor } from '../../domain/money.ts';
import type { PriceJump, PriceMoves } from '../protocol.ts';
import { NumberList } from './key-table.ts';

const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');
/** A decimal mark read wrongly moves a price a hundredfold; a sale hardly ever moves it fivefold. */
const JUMP_FACTOR = 5;
const MOST_EXAMPLES = 5;

/** What the last row of a product does to its price. */
const STAYS = 0;
const MOVES = 1;
const JUMPS = 2;

/** The price in a row; null where the row does not set one. */
function priceIn(values: RowValues): Minor | null {
  const text = values[PRICE];
  return text === undefined || text === '' ? null : Math.round(Number(text) * 100);
}

/** Counts, over the last rows of all products in a file, how stored prices change. */
export class PriceMoveCounts {
  /** By product: the effect of its last row. */
  #effects = new NumberList();
  #moved = 0;
  #jumps = 0;
  /** By product. An example is removed when a later row of its product has no jump. */
  #examples = new Map<number, PriceJump>();

  /**
   * Counts a row, in place of an earlier one of the same product.
   *
   * @param product its number in the file
   * @param stored null where the product is new or has no price
   */
  set(product: number, stored: Minor | null, values: RowValues): void {
    if (stored === null) return; // then it is null for every row of the product
    const price = priceIn(values);
    const effect = price === null ? STAYS : effectOf(stored, price);
    this.#count(this.#effects.at(product), -1);
    this.#count(effect, 1);
    this.#effects.set(product, effect);
    if (effect !== JUMPS || price === null) {
      this.#examples.delete(product);
    } else if (this.#examples.size < MOST_EXAMPLES || this.#examples.has(product)) {
      // The first two columns. Copies them, because a substring keeps the whole slice of the file in memory.
      const [skc = '', size = ''] = structuredClone(values.slice(0, 2));
      this.#examples.set(product, { skc, size, from: stored, to: price });
    }
  }

  summary(): PriceMoves {
    return { moved: this.#moved, jumps: this.#jumps, examples: [...this.#examples.values()] };
  }

  #count(effect: number, change: 1 | -1): void {
    if (effect !== STAYS) this.#moved += change;
    if (effect === JUMPS) this.#jumps += change;
  }
}

function effectOf(from: Minor, to: Minor): number {
  if (from === to) return STAYS;
  return Math.max(from, to) >= JUMP_FACTOR * Math.min(from, to) ? JUMPS : MOVES;
}
