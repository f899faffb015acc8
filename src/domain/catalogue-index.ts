import { type CatalogueChunk, decodeRow, haystacksOf, linesOf } from './catalogue-chunk.ts';
import {
  compareKeys,
  keyOf,
  type Product,
  type ProductKey,
  productOf,
  type ProductRow,
} from './product.ts';
import { termsOf } from './search.ts';

/** Which products the shopper wants to see: a null category and a blank search stand for all. */
export interface CatalogueFilter {
  readonly category: string | null;
  readonly search: string;
}

/** How many decoded products are kept: more than a screen draws. Beyond it all are dropped. */
const MOST_DECODED = 2000;

/**
 * The whole catalogue in memory, in the shop's order, with its search text.
 *
 * A product's place is its index into parallel arrays. `apply` takes chunks in the order of the log. A
 * search is one loop of `includes` over the haystacks. `revision` grows with every applied chunk, and
 * places are valid only for the revision at which they were found.
 */
export class CatalogueIndex {
  revision = 0;
  #ids: number[] = [];
  #rows: string[] = [];
  #haystacks: string[] = [];
  /** Four per product, one for each category field: 1 + the index in `#categories`; 0 for an empty field. */
  #codes: number[] = [];
  #categories: string[] = [];
  #categoryCodes = new Map<string, number>();
  /** Place by id; null after a merge until the next lookup. */
  #places: Map<number, number> | null = new Map();
  /** Decoded products by their row. */
  #decoded = new Map<string, Product>();

  get size(): number {
    return this.#ids.length;
  }

  apply(chunk: CatalogueChunk): void {
    this.revision += 1;
    const rows = linesOf(chunk, 'rows');
    const haystacks = haystacksOf(chunk);
    /** From a code of the chunk to the index's code for the same category. */
    const globalCode = [0, ...chunk.categories.map((category) => this.#codeOf(category))];
    if (!this.#canAppend(chunk, rows[0]) || !this.#appendIds(chunk.ids)) {
      this.#merge(chunk, rows, haystacks, globalCode);
      return;
    }
    // Spread instead of a loop, which is slow over 50,000 rows before the browser has compiled it.
    this.#rows.push(...rows);
    this.#haystacks.push(...haystacks);
    const codes = this.#codes;
    for (let i = 0; i < chunk.codes.length; i++) codes.push(globalCode[chunk.codes[i] ?? 0] ?? 0);
  }

  /** Every category in use, sorted as in English, the page's language. */
  categories(): string[] {
    const used = new Uint8Array(this.#categories.length + 1);
    for (const code of this.#codes) used[code] = 1;
    return this.#categories.filter((_, i) => used[i + 1] === 1).sort(compareNames);
  }

  /** Places of the products that match, in the shop's order. */
  find(filter: CatalogueFilter): number[] {
    const terms = termsOf(filter.search);
    // -1 is no product's code, so an unknown category finds nothing.
    const code = filter.category === null ? null : (this.#categoryCodes.get(filter.category) ?? -1);
    const found: number[] = [];
    const haystacks = this.#haystacks;
    const [first = '', ...others] = terms;
    for (let place = 0; place < haystacks.length; place++) {
      const haystack = haystacks[place] ?? '';
      if (!haystack.includes(first)) continue;
      if (code !== null && !this.#hasCode(place, code)) continue;
      if (others.length > 0 && !others.every((term) => haystack.includes(term))) continue;
      found.push(place);
    }
    return found;
  }

  /** The product at a place. The same row gives the same object, so a card can skip its redraw. */
  at(place: number): Product | undefined {
    const line = this.#rows[place];
    if (line === undefined) return undefined;
    let product = this.#decoded.get(line);
    if (product === undefined) {
      if (this.#decoded.size > MOST_DECODED) this.#decoded.clear();
      product = productOf(decodeRow(line));
      this.#decoded.set(line, product);
    }
    return product;
  }

  /** The search text of each product, by its place. */
  haystacks(): readonly string[] {
    return this.#haystacks;
  }

  /** The row of the product at a place that `find` has named, as text. */
  lineAt(place: number): string {
    return this.#rows[place]!;
  }

  /** The id of the product at a place that `find` has named. */
  idAt(place: number): number {
    return this.#ids[place]!;
  }

  /** The product with this id, if it is in the catalogue. */
  byId(id: number): Product | undefined {
    const place = this.#placeById().get(id);
    return place === undefined ? undefined : this.at(place);
  }

  /** The rows of a stock code, one for each size, in the order of their ids. */
  ofCode(skc: string): ProductRow[] {
    const found: ProductRow[] = [];
    for (let place = this.placeOf(skc); place < this.#rows.length; place++) {
      const row = decodeRow(this.#rows[place]!); // the loop's condition has tested it
      if (row[1] !== skc) break;
      found.push(row);
    }
    return found;
  }

  /** The place of the first row of a stock code, or the place where that row would be inserted. */
  placeOf(skc: string): number {
    return this.#lowerBound({ skc, id: 0 });
  }

  /** All rows in the shop's order, from which a compacted log is written. */
  rows(): ProductRow[] {
    return this.#rows.map(decodeRow);
  }

  #hasCode(place: number, code: number): boolean {
    const codes = this.#codes;
    const first = place * 4;
    return (
      codes[first] === code ||
      codes[first + 1] === code ||
      codes[first + 2] === code ||
      codes[first + 3] === code
    );
  }

  #codeOf(category: string): number {
    let code = this.#categoryCodes.get(category);
    if (code === undefined) {
      code = this.#categories.push(category);
      this.#categoryCodes.set(category, code);
    }
    return code;
  }

  #placeById(): Map<number, number> {
    this.#places ??= new Map(this.#ids.map((id, place) => [id, place]));
    return this.#places;
  }

  /** Whether the chunk removes nothing and its rows come after those of the index: usual in a first load. */
  #canAppend(chunk: CatalogueChunk, firstRow: string | undefined): boolean {
    if (chunk.removed.length > 0 || !chunk.sorted) return false;
    const lastRow = this.#rows.at(-1);
    if (firstRow === undefined || lastRow === undefined) return true;
    return compareKeys(keyOf(decodeRow(lastRow)), keyOf(decodeRow(firstRow))) < 0;
  }

  /** Appends ids. False, with nothing changed, when the index already has one of them. */
  #appendIds(ids: readonly number[]): boolean {
    const places = this.#placeById();
    let place = this.#ids.length;
    for (const id of ids) places.set(id, place++);
    if (places.size !== place) {
      this.#places = null;
      return false;
    }
    this.#ids.push(...ids);
    return true;
  }

  /** Applies a batch of changes: removes old versions and removed products, inserts the new versions. */
  #merge(
    chunk: CatalogueChunk,
    rows: readonly string[],
    haystacks: readonly string[],
    globalCode: readonly number[],
  ): void {
    const places = this.#placeById();
    const gone = new Set<number>();
    for (const id of [...chunk.ids, ...chunk.removed]) {
      const place = places.get(id);
      if (place !== undefined) gone.add(place);
    }
    const removed = new Set(chunk.removed);
    const added = rows
      .map((row, i) => ({ row, i, key: keyOf(decodeRow(row)) }))
      .filter(({ key }) => !removed.has(key.id))
      .sort((a, b) => compareKeys(a.key, b.key))
      // `before` is the place of the old product in front of which the row goes.
      .map(({ row, i, key }) => ({ row, i, key, before: this.#lowerBound(key) }));

    const old = {
      ids: this.#ids,
      rows: this.#rows,
      haystacks: this.#haystacks,
      codes: this.#codes,
    };
    this.#ids = [];
    this.#rows = [];
    this.#haystacks = [];
    this.#codes = [];
    let next = 0;
    for (let place = 0; place <= old.ids.length; place++) {
      for (; added[next]?.before === place; next++) {
        const { row, i, key } = added[next]!; // the loop's condition has tested it
        this.#ids.push(key.id);
        this.#rows.push(row);
        this.#haystacks.push(haystacks[i] ?? '');
        for (let j = 0; j < 4; j++) this.#codes.push(globalCode[chunk.codes[i * 4 + j] ?? 0] ?? 0);
      }
      if (place === old.ids.length || gone.has(place)) continue;
      this.#ids.push(old.ids[place] ?? 0);
      this.#rows.push(old.rows[place] ?? '');
      this.#haystacks.push(old.haystacks[place] ?? '');
      for (let j = 0; j < 4; j++) this.#codes.push(old.codes[place * 4 + j] ?? 0);
    }
    this.#places = null;
  }

  /** The first place whose key is not before `key`. Binary search: a batch of 1,000 decodes a few thousand rows. */
  #lowerBound(key: ProductKey): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(keyOf(decodeRow(this.#rows[middle]!)), key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const PLAIN = /^[a-z0-9 ]*$/i;

/**
 * Compares names as English sorts them. Plain names without `localeCompare`: its first use alone costs a slow phone
 * more time than a frame has.
 */
function compareNames(a: string, b: string): number {
  if (!PLAIN.test(a) || !PLAIN.test(b)) return a.localeCompare(b, 'en');
  const [foldedA, foldedB] = [a.toLowerCase(), b.toLowerCase()];
  if (foldedA !== foldedB) return foldedA < foldedB ? -1 : 1;
  // Small letters come first.
  return a < b ? 1 : -1;
}
