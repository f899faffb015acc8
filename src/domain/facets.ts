/**
 * The filters and sorts over an index: size, price and material.
 *
 * Each value of a product has a number, its code. An array beside the index holds the codes; the first use fills
 * this array from the rows. A tap on a filter is then a loop over numbers and decodes no product. When the index
 * has changed, rows that are still there are recognised by their text, and only new rows are decoded.
 */
import { decodeRow } from './catalogue-chunk.ts';
import type { CatalogueIndex } from './catalogue-index.ts';
import { type Chosen, type Facet, FACETS, NOTHING_CHOSEN, type PriceSort } from './filter.ts';
import { priceSteps, rangesBetween } from './price-ranges.ts';
import { compareKeys, keyOf, type ProductRow } from './product.ts';

/** Indices in a `ProductRow` of the values of `FACETS`, in that order. */
const FIELDS = [2, 8, 9] as const;
const WIDTH = FIELDS.length;
/** The index of the price in `FIELDS`. */
const PRICE = FACETS.indexOf('price');

type Value = ProductRow[(typeof FIELDS)[number]];

/** Gives each value of a field a number, its code; 0 stands for none. */
class Dictionary {
  readonly #codes = new Map<Value, number>([['', 0]]);
  /** By code. */
  readonly values: Value[] = [null];

  codeOf(value: Value): number {
    let code = this.#codes.get(value ?? '');
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.#codes.set(value, code);
    }
    return code;
  }
}

/** The products that have been read, in the order of the index: their rows, and `WIDTH` codes for each. */
interface ReadProducts {
  readonly lines: string[];
  readonly codes: number[];
}

/** How many products a value of a facet would leave if the other facets stay as they are chosen. */
export type Counts = (facet: Facet, value: string) => number;

export class Facets {
  readonly #index: CatalogueIndex;
  readonly #dictionaries = FIELDS.map(() => new Dictionary());
  /** The revision of the index that `#products` is read from. */
  #revision = -1;
  #products: ReadProducts = { lines: [], codes: [] };
  /** While `#products` is incomplete, the products of the revision before: their codes are read from here. */
  #before = this.#products;
  /** How many rows of `#before` `#findBefore` has passed. */
  #passed = 0;
  /** All places of the index, in each sorting that was asked for. */
  readonly #sorted = new Map<PriceSort, Uint32Array>();

  constructor(index: CatalogueIndex) {
    this.#index = index;
  }

  /**
   * Reads the products of the index that have not been read yet.
   *
   * @param most how many products at most, so that an idle page can read in slices
   * @returns whether all products have been read
   */
  read(most = Infinity): boolean {
    const index = this.#index;
    if (this.#revision !== index.revision) {
      this.#revision = index.revision;
      this.#before = this.#products;
      this.#products = { lines: [], codes: [] };
      this.#passed = 0;
      this.#sorted.clear();
    }
    const { lines, codes } = this.#products;
    const end = Math.min(lines.length + most, index.size);
    while (lines.length < end) {
      const line = index.lineAt(lines.length);
      lines.push(line);
      const placeBefore = this.#findBefore(line);
      const row = placeBefore < 0 ? decodeRow(line) : null;
      for (let i = 0; i < WIDTH; i++) {
        // The indices are below WIDTH, and a row without a place before has been decoded.
        const code = row
          ? this.#dictionaries[i]!.codeOf(row[FIELDS[i]!])
          : this.#before.codes[placeBefore * WIDTH + i]!;
        codes.push(code);
      }
    }
    if (lines.length < index.size) return false;
    this.#before = this.#products; // frees the memory of the revision before
    return true;
  }

  /** The places that have a chosen value of each facet, sorted by `sort`; null keeps the order of `places`. */
  narrow(places: readonly number[], chosen: Chosen, sort: PriceSort | null): readonly number[] {
    this.read();
    const failedFacets = this.#failedFacets(chosen);
    const isFiltered = FACETS.some((facet) => chosen[facet].length > 0);
    const kept = isFiltered ? places.filter((place) => failedFacets(place) === 0) : places;
    if (sort === null) return kept;
    const isKept = new Uint8Array(this.#index.size);
    for (const place of kept) isKept[place] = 1;
    const sorted: number[] = [];
    for (const place of this.#sortBy(sort)) if (isKept[place]) sorted.push(place);
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

  /** Counts in one pass how many of these products each choice would leave. */
  counts(places: readonly number[], chosen: Chosen): Counts {
    this.read();
    const failedFacets = this.#failedFacets(chosen);
    const { codes } = this.#products;
    const tallies = FACETS.map((facet) => new Uint32Array(this.#dictionaryOf(facet).values.length));
    for (const place of places) {
      const failed = failedFacets(place);
      for (const [i, tally] of tallies.entries()) {
        // All bits but that of the facet counted here.
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

  /** The place that a row had before, or -1. Both lists are in the shop's order. */
  #findBefore(line: string): number {
    const { lines } = this.#before;
    for (; this.#passed < lines.length; this.#passed++) {
      const before = lines[this.#passed]!; // the loop's condition has tested it
      if (before === line) return this.#passed++;
      if (compareKeys(keyOf(decodeRow(before)), keyOf(decodeRow(line))) > 0) break;
    }
    return -1;
  }

  /** Returns a function that says which facets the product at a place fails: bit i for facet i of `FACETS`. */
  #failedFacets(chosen: Chosen): (place: number) => number {
    const { codes } = this.#products;
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

  /** All places of the index in this sorting. */
  #sortBy(sort: PriceSort): Uint32Array {
    let places = this.#sorted.get(sort);
    if (!places) {
      const sign = sort === 'price-asc' ? 1 : -1;
      const prices = this.#prices().map((price) => (price === null ? Infinity : sign * price));
      places = Uint32Array.from(prices.keys());
      places.sort((a, b) => (prices[a] === prices[b] ? a - b : prices[a]! - prices[b]!));
      this.#sorted.set(sort, places);
    }
    return places;
  }

  /** The prices of all products, in dollars. */
  #prices(): (number | null)[] {
    const { lines, codes } = this.#products;
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
