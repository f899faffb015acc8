/**
 * The filters and orders over an index: size, price, material, and the fields of the categories.
 *
 * They are numbers beside the index, read from its rows when they are first needed. A tap on a filter is
 * then a loop over numbers, without a product being decoded. When the index has changed, the rows that
 * are still there are recognised by their text, and only new ones are decoded.
 */
import { decodeRow } from './catalogue-chunk.ts';
import type { CatalogueIndex } from './catalogue-index.ts';
import { type Chosen, type Facet, FACETS, NOTHING_CHOSEN, type PriceOrder } from './filter.ts';
import { priceSteps, rangesBetween } from './price-ranges.ts';
import { compareKeys, keyOf, type ProductRow } from './product.ts';

/** Where a row has the values of `FACETS`, in that order, and then its categories. */
const FIELDS = [2, 8, 9, 4, 5, 6, 7] as const;
const WIDTH = FIELDS.length;
const PRICE = FACETS.indexOf('price');
/** Where the four fields of categories stand in `FIELDS`. */
const CATEGORIES = [3, 4, 5, 6];

type Value = ProductRow[(typeof FIELDS)[number]];

/** Gives each value of a field a number, its code; 0 stands for none. */
class Dictionary {
  readonly #codes = new Map<Value, number>([['', 0]]);
  /** By code. */
  readonly values: Value[] = [null];

  codeOf(value: Value): number {
    let code = this.#codes.get(value ?? '');
    if (code === undefined) this.#codes.set(value, (code = this.values.push(value) - 1));
    return code;
  }
}

/** What is known of the products, in the order of the index: their rows, and `WIDTH` codes for each. */
interface Known {
  readonly lines: string[];
  readonly codes: number[];
}

/** How many products there would be for a value of a facet, the other facets held. */
export type Counts = (facet: Facet, value: string) => number;

export class Facets {
  readonly #index: CatalogueIndex;
  readonly #dictionaries = FIELDS.map(() => new Dictionary());
  /** The revision of the index that `#known` is read from. */
  #revision = -1;
  #known: Known = { lines: [], codes: [] };
  /** What was known of the revision before, and how many of its rows `#findBefore` has passed. */
  #before = this.#known;
  #seen = 0;
  readonly #orders = new Map<PriceOrder, Uint32Array>();

  constructor(index: CatalogueIndex) {
    this.#index = index;
  }

  /**
   * Reads what is new in the index.
   *
   * @param most so many products at most, so that an idle page can read in slices
   * @returns whether everything has been read
   */
  read(most = Infinity): boolean {
    const index = this.#index;
    if (this.#revision !== index.revision) {
      this.#revision = index.revision;
      this.#before = this.#known;
      this.#known = { lines: [], codes: [] };
      this.#seen = 0;
      this.#orders.clear();
    }
    const { lines, codes } = this.#known;
    for (const end = lines.length + most; lines.length < Math.min(end, index.size);) {
      const line = index.lineAt(lines.length);
      lines.push(line);
      const before = this.#findBefore(line) * WIDTH;
      const row = before < 0 ? decodeRow(line) : null;
      for (let i = 0; i < WIDTH; i++) {
        // The indices are below WIDTH, and `before` has been found.
        codes.push(
          row ? this.#dictionaries[i]!.codeOf(row[FIELDS[i]!]) : this.#before.codes[before + i]!,
        );
      }
    }
    if (lines.length < index.size) return false;
    this.#before = this.#known;
    return true;
  }

  /** The places that have a chosen value of each facet, in this order; null keeps the order of `places`. */
  narrow(places: readonly number[], chosen: Chosen, order: PriceOrder | null): readonly number[] {
    this.read();
    const failing = this.#failing(chosen);
    const isFiltered = FACETS.some((facet) => chosen[facet].length > 0);
    const kept = isFiltered ? places.filter((place) => failing(place) === 0) : places;
    if (order === null) return kept;
    const isKept = new Uint8Array(this.#index.size);
    for (const place of kept) isKept[place] = 1;
    const sorted: number[] = [];
    for (const place of this.#orderBy(order)) if (isKept[place]) sorted.push(place);
    return sorted;
  }

  /**
   * The values of a facet that these products have: sizes and materials with the most frequent first,
   * prices as ranges from the cheapest.
   */
  values(facet: Facet, places: readonly number[]): readonly string[] {
    const counts = this.counts(places, NOTHING_CHOSEN);
    const all = facet === 'price' ? this.#priceRanges() : this.#dictionaryOf(facet).values;
    const used = all.filter((value) => typeof value === 'string' && counts(facet, value) > 0);
    const values = used as readonly string[]; // the line above has tested it
    if (facet === 'price') return values;
    return values.toSorted((a, b) => counts(facet, b) - counts(facet, a));
  }

  /** Counts in one pass what each choice would leave of these products. */
  counts(places: readonly number[], chosen: Chosen): Counts {
    this.read();
    const failing = this.#failing(chosen);
    const { codes } = this.#known;
    const tallies = FACETS.map((facet) => new Uint32Array(this.#dictionaryOf(facet).values.length));
    for (const place of places) {
      const failed = failing(place);
      for (const [i, tally] of tallies.entries()) {
        const failsAnother = (failed & ~(1 << i)) !== 0;
        if (!failsAnother) tally[codes[place * WIDTH + i]!]! += 1; // both have this place
      }
    }
    return (facet, value) => {
      const tally = tallies[FACETS.indexOf(facet)]!; // one for each facet
      const { values } = this.#dictionaryOf(facet);
      if (facet !== 'price') return tally[this.#dictionaryOf(facet).codeOf(value)] ?? 0;
      const isIn = testOf(facet, value);
      return tally.reduce((sum, count, code) => (isIn(values[code]) ? sum + count : sum), 0);
    };
  }

  /** The categories in use by the first field in which they stand, from `Category 1` on. */
  categoriesByField(): readonly (readonly Value[])[] {
    this.read();
    const { codes } = this.#known;
    const named = new Set<Value | undefined>([null]);
    return CATEGORIES.map((field) => {
      const used = new Set<number>();
      for (let at = field; at < codes.length; at += WIDTH) used.add(codes[at]!); // below the length
      const values = [...used].map((code) => this.#dictionaries[field]!.values[code]!);
      const newlyNamed = values.filter((value) => !named.has(value));
      for (const value of newlyNamed) named.add(value);
      return newlyNamed;
    });
  }

  /** The place that a row had before, or -1. Both lists are in the shop's order. */
  #findBefore(line: string): number {
    const { lines } = this.#before;
    for (; this.#seen < lines.length; this.#seen++) {
      const before = lines[this.#seen]!; // the loop's condition has tested it
      if (before === line) return this.#seen++;
      if (compareKeys(keyOf(decodeRow(before)), keyOf(decodeRow(line))) > 0) break;
    }
    return -1;
  }

  /** Returns which facets a product fails, as a sum of a bit for each. */
  #failing(chosen: Chosen): (place: number) => number {
    const { codes } = this.#known;
    const masks = FACETS.map((facet) => {
      const tests = chosen[facet].map((value) => testOf(facet, value));
      const isChosen = (value: Value) => tests.length === 0 || tests.some((test) => test(value));
      return Uint8Array.from(this.#dictionaryOf(facet).values, (value) =>
        isChosen(value) ? 0 : 1,
      );
    });
    return (place) => {
      let failed = 0;
      for (let i = 0; i < masks.length; i++) failed |= masks[i]![codes[place * WIDTH + i]!]! << i;
      return failed;
    };
  }

  #orderBy(order: PriceOrder): Uint32Array {
    let places = this.#orders.get(order);
    if (!places) {
      const sign = order === 'price-asc' ? 1 : -1;
      const prices = this.#prices().map((price) => (price === null ? Infinity : sign * price));
      places = Uint32Array.from(prices.keys());
      places.sort((a, b) => (prices[a] === prices[b] ? a - b : prices[a]! - prices[b]!));
      this.#orders.set(order, places);
    }
    return places;
  }

  /** Of all products, in dollars. */
  #prices(): (number | null)[] {
    const { lines, codes } = this.#known;
    const { values } = this.#dictionaryOf('price');
    return lines.map((_, place) => values[codes[place * WIDTH + PRICE]!] as number | null); // the field's type
  }

  #priceRanges(): readonly string[] {
    return rangesBetween(priceSteps(this.#prices().filter((price) => price !== null)));
  }

  #dictionaryOf(facet: Facet): Dictionary {
    return this.#dictionaries[FACETS.indexOf(facet)]!; // one for each field
  }
}

/** Whether a value of a row is what the filter names. */
function testOf(facet: Facet, wanted: string): (value: Value | undefined) => boolean {
  if (facet !== 'price') return (value) => value === wanted;
  const [from, below] = wanted.split('-').map(Number); // 0 for a missing end
  return (price) => typeof price === 'number' && price >= from! && price < (below || Infinity);
}
