import type { CatalogueIndex } from '../domain/catalogue-index.ts';

/** A shop numbers garments of a kind alike; a shorter beginning may be chance. */
const COMMON_CHARACTERS = 3;

/**
 * Places of the products that are near to one that the shop does not have: those of its kind, or else of the kind of
 * the product whose stock code begins the most like its own.
 *
 * @param kind its first category; null if that is not known
 */
export function nearTo(index: CatalogueIndex, skc: string, kind: string | null): number[] {
  const place = index.placeOf(skc);
  const neighbours = [index.at(place - 1), index.at(place)].flatMap((product) => product ?? []);
  const [nearest] = neighbours.toSorted((a, b) => alike(b.skc, skc) - alike(a.skc, skc));
  const isAlike = nearest !== undefined && alike(nearest.skc, skc) >= COMMON_CHARACTERS;
  const kinds = [kind, isAlike ? nearest.title : null].filter((each) => each !== null);
  const found = kinds.map((category) => index.find({ category, search: '' }));
  return found.find(({ length }) => length > 0) ?? [];
}

/** With how many equal characters two texts begin. */
function alike(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
