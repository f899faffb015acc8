/** What the search bench runs in the browser. */
import { suggestionFor } from '../../src/catalogue/suggestion.ts';
import { CatalogueIndex, type CatalogueFilter } from '../../src/domain/catalogue-index.ts';
import { CHUNK_ROWS, encodeChunk, linesOf } from '../../src/domain/catalogue-chunk.ts';
import { NOTHING_CHOSEN } from '../../src/domain/filter.ts';
import { categoriesOf, type ProductRow } from '../../src/domain/product.ts';
import { termsOf } from '../../src/domain/search.ts';

/** One search, measured in the shop's index and in a bare loop. */
export interface SearchCase {
  readonly name: string;
  /** How many words the search has; a blank search has none. */
  readonly words: number;
  readonly resultCount: number;
  /** Milliseconds of each round in the index, and in the loop. */
  readonly indexMs: readonly number[];
  readonly loopMs: readonly number[];
}

/** Measures each search in `rounds` rounds, after `warmUps` rounds that do not count. */
export async function measure(rounds: number, warmUps: number): Promise<SearchCase[]> {
  const rows = (await (await fetch('/data.json')).json()) as ProductRow[]; // what `generateRows` made
  const { index, haystacks } = load(rows);
  return Object.entries(filtersFor(rows, haystacks)).map(([name, filter]) => {
    const terms = termsOf(filter.search);
    const indexMs: number[] = [];
    const loopMs: number[] = [];
    let resultCount = 0;
    for (let round = -warmUps; round < rounds; round++) {
      const byIndex = () => index.find(filter).length;
      const byLoop = () => searchByLoop(haystacks, terms).length;
      // The search that runs first finds the CPU's caches cold, so they take turns.
      const isIndexFirst = round % 2 === 0;
      const [first, second] = isIndexFirst ? [byIndex, byLoop] : [byLoop, byIndex];
      const firstTimed = timed(first);
      const secondTimed = timed(second);
      const [ofIndex, ofLoop] = isIndexFirst
        ? [firstTimed, secondTimed]
        : [secondTimed, firstTimed];
      if (filter.category === null && ofIndex.resultCount !== ofLoop.resultCount) {
        throw new Error(
          `${name}: ${ofIndex.resultCount} found, the bare loop has ${ofLoop.resultCount}`,
        );
      }
      if (round < 0) continue;
      resultCount = ofIndex.resultCount;
      indexMs.push(ofIndex.ms);
      loopMs.push(ofLoop.ms);
    }
    return { name, words: terms.length, resultCount, indexMs, loopMs };
  });
}

/** Milliseconds until something is offered for each of `typos` different words of the products, with a letter too few. */
export async function measureTypos(typos: number): Promise<number[]> {
  const rows = (await (await fetch('/data.json')).json()) as ProductRow[]; // what `generateRows` made
  const { index, haystacks } = load(rows);
  const words = [...new Set(haystacks.flatMap((haystack) => haystack.match(/\p{L}{6,}/gu) ?? []))];
  const filter = { category: null, onlyFavourites: false, sort: null, chosen: NOTHING_CHOSEN };
  const times: number[] = [];
  for (const word of words) {
    const search = word.slice(0, 2) + word.slice(3);
    if (haystacks.some((haystack) => haystack.includes(search))) continue;
    const { resultCount, ms } = timed(() =>
      suggestionFor(index, { ...filter, search }) === null ? 0 : 1,
    );
    if (resultCount === 0) throw new Error(`nothing is offered for ${search}`);
    times.push(ms);
    if (times.length === typos) return times;
  }
  throw new Error(`the products have words for ${times.length} typos only`);
}

/** Builds the index from chunks as IndexedDB returns them, and lists the same search texts. */
function load(rows: readonly ProductRow[]) {
  const index = new CatalogueIndex();
  const haystacks: string[] = [];
  for (let offset = 0; offset < rows.length; offset += CHUNK_ROWS) {
    const chunk = structuredClone(encodeChunk(rows.slice(offset, offset + CHUNK_ROWS)));
    index.apply(chunk);
    for (const haystack of linesOf(chunk, 'haystacks')) haystacks.push(haystack);
  }
  return { index, haystacks };
}

/** Searches that find many, few and no products, by name; their words are from the products. */
function filtersFor(
  rows: readonly ProductRow[],
  haystacks: readonly string[],
): Record<string, CatalogueFilter> {
  const counts = new Map<string, number>();
  for (const haystack of haystacks) {
    for (const word of new Set(haystack.split(/[^\p{L}]+/u))) {
      if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  const middle = Math.floor(rows.length / 2);
  const words = (haystacks[middle] ?? '').split(/[^\p{L}]+/u).filter((word) => word.length > 2);
  const category = categoriesOf(rows[middle]!).at(-1) ?? ''; // the middle row exists
  const [, stockCode] = rows[middle]!;
  const threeWords = [...words.slice(0, 2), frequent[0]!].join(' ');
  return {
    blank: { category: null, search: '' },
    'one letter': { category: null, search: frequent[0]!.slice(0, 1) },
    'many hits': { category: null, search: frequent[0]! },
    'some hits': { category: null, search: frequent[Math.floor(frequent.length / 4)]! },
    'few hits (stock code)': { category: null, search: stockCode },
    'no hits': { category: null, search: 'qqqq' },
    'many hits, category': { category, search: frequent[0]! },
    'few hits, category': { category, search: stockCode },
    'three words': { category: null, search: threeWords },
    'three words, category': { category, search: threeWords },
  };
}

/** The simplest search, for one term or three. It ignores categories, and so collects more results. */
function searchByLoop(haystacks: readonly string[], terms: readonly string[]): number[] {
  const [first = '', second, third] = terms;
  const found: number[] = [];
  if (second === undefined || third === undefined) {
    for (let i = 0; i < haystacks.length; i++) if (haystacks[i]!.includes(first)) found.push(i);
    return found;
  }
  for (let i = 0; i < haystacks.length; i++) {
    const haystack = haystacks[i]!; // the index is below the length
    if (haystack.includes(first) && haystack.includes(second) && haystack.includes(third))
      found.push(i);
  }
  return found;
}

/** @param search returns the number of its results */
function timed(search: () => number): { resultCount: number; ms: number } {
  const start = performance.now();
  const resultCount = search();
  return { resultCount, ms: performance.now() - start };
}
