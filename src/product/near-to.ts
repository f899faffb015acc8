import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { sharedLength } from '../domain/product-columns.ts';

/** A shop numbers garments of a kind alike; a shorter beginning may be chance. */
const COMMON_CHARACTERS = 3;

/**
 * Places of the products to show instead of one that the shop does not have: all of its kind, or else all of the kind
 * of the product whose stock code begins most like `skc`.
 *
 * @param kind the missing product's first category; null if unknown
 */
export function nearTo(index: CatalogueIndex, skc: string, kind: string | null): number[] {
  const place = index.placeOf(skc);
  const neighbours = [index.at(place - 1), index.at(place)].flatMap((product) => product ?? []);
  const [nearest] = neighbours.toSorted(
    (a, b) => sharedLength(b.skc, skc) - sharedLength(a.skc, skc),
  );
  const isAlike = nearest !== undefined && sharedLength(nearest.skc, skc) >= COMMON_CHARACTERS;
  const kinds = [kind, isAlike ? nearest.title : null].filter((each) => each !== null);
  const found = kinds.map((category) => index.find({ category, search: '' }));
  return found.find(({ length }) => length > 0) ?? [];
}
