/** What a file does to prices: how many it changes, and how many of those move far. */
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { Minor } from '../../domain/money.ts';
import type { FarPrice, PriceMoves } from '../protocol.ts';
import { NumberList } from './key-table.ts';

const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');
/** A decimal mark read wrongly moves a price a hundredfold; a sale hardly ever moves it this far. */
const FAR_TIMES = 5;
const MOST_EXAMPLES = 5;

/** What the last row of a product does to its price. */
const STAYS = 0;
const MOVES = 1;
const MOVES_FAR = 2;

/** The price in a row; null where the row does not set one. */
export function priceIn(values: readonly (string | undefined)[]): Minor | null {
  const text = values[PRICE];
  return text === undefined || text === '' ? null : Math.round(Number(text) * 100);
}

export class PriceMovesOfFile {
  #effects = new NumberList();
  #moved = 0;
  #far = 0;
  /** By product. A product whose later row takes the far price back is removed again. */
  #examples = new Map<number, FarPrice>();

  /**
   * Counts a row instead of an earlier one of the same product.
   *
   * @param product its number in the file
   * @param stored null where the product is new or has no price
   */
  set(product: number, stored: Minor | null, values: readonly (string | undefined)[]): void {
    const price = priceIn(values);
    const effect = stored === null || price === null ? STAYS : effectOf(stored, price);
    this.#count(this.#effects.at(product), -1);
    this.#count(effect, 1);
    this.#effects.set(product, effect);
    if (effect !== MOVES_FAR || stored === null || price === null) {
      this.#examples.delete(product);
    } else if (this.#examples.size < MOST_EXAMPLES || this.#examples.has(product)) {
      // Copies, because a substring keeps the whole slice of the file in memory.
      const [skc = '', size = ''] = structuredClone(values.slice(0, 2));
      this.#examples.set(product, { skc, size, from: stored, to: price });
    }
  }

  all(): PriceMoves {
    return { moved: this.#moved, far: this.#far, examples: [...this.#examples.values()] };
  }

  #count(effect: number, by: 1 | -1): void {
    if (effect !== STAYS) this.#moved += by;
    if (effect === MOVES_FAR) this.#far += by;
  }
}

function effectOf(from: Minor, to: Minor): number {
  if (from === to) return STAYS;
  return Math.max(from, to) >= FAR_TIMES * Math.min(from, to) ? MOVES_FAR : MOVES;
}
