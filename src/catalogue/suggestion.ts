import uFuzzy from '@leeoniya/ufuzzy';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { termsOf } from '../domain/search.ts';
import { facetsOf } from './facets-of.ts';
import type { PageFilter } from './filter.ts';

/** Forgives in a word one letter too many, too few, or another, and two that are swapped, at any place (`intraSlice`). */
const ONE_TYPO = new uFuzzy({ intraMode: 1, intraSlice: [0, Infinity] });
/** Fields of a search text end with U+001F. */
// eslint-disable-next-line no-control-regex
const BETWEEN_WORDS = /[\s\u001f]+/;
/** Nearly every product has a word that is like a shorter one. */
const SHORTEST_WORD = 3;
/** How many of the products with a similar word are searched for that word. */
const MOST_PRODUCTS = 200;

/** The search with each unknown word replaced by a similar word of the products; null if that finds nothing either. */
export function suggestionFor(index: CatalogueIndex, filter: PageFilter): string | null {
  const texts = index.haystacks();
  const words = termsOf(filter.search).map((term) =>
    texts.some((text) => text.includes(term)) ? term : wordLike(term, texts),
  );
  if (words.length === 0 || words.includes(null)) return null;
  const search = words.join(' ');
  const found = index.find({ ...filter, search });
  return facetsOf(index).narrow(found, filter.chosen, null).length > 0 ? search : null;
}

/** The word of the products that is most like this one: longer words may merely contain a similar one. */
function wordLike(term: string, texts: readonly string[]): string | null {
  if (term.length < SHORTEST_WORD) return null;
  const products = ONE_TYPO.filter([...texts], term)?.slice(0, MOST_PRODUCTS) ?? [];
  const words = [...new Set(products.flatMap((place) => texts[place]!.split(BETWEEN_WORDS)))]; // a place of `texts`
  const alike = ONE_TYPO.filter(words, term)?.map((place) => words[place]!) ?? []; // a place of `words`
  const differenceOf = (word: string) => Math.abs(word.length - term.length);
  return alike.toSorted((a, b) => differenceOf(a) - differenceOf(b))[0] ?? null;
}
