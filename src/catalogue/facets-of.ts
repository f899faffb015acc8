import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Facets } from '../domain/facets.ts';
import { NOTHING_CHOSEN, PRICE_SORTS } from '../domain/filter.ts';

const facetsByIndex = new WeakMap<CatalogueIndex, Facets>();
/** How many products are read at once: a slow phone needs a few milliseconds for them. */
const SLICE_PRODUCTS = 2000;
/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 50;

/** The facets of an index. All callers get the same object, which remembers what it has read. */
export function facetsOf(index: CatalogueIndex): Facets {
  let facets = facetsByIndex.get(index);
  if (!facets) {
    facets = new Facets(index);
    facetsByIndex.set(index, facets);
  }
  return facets;
}

/** Reads all that filters and sorting need, in slices while the page is idle. */
export async function readAhead(index: CatalogueIndex): Promise<void> {
  const facets = facetsOf(index);
  while (!facets.read(SLICE_PRODUCTS)) await whenIdle(SAFARI_PAUSE_MS);
  for (const sort of PRICE_SORTS) {
    await whenIdle(SAFARI_PAUSE_MS);
    // Narrows an empty list only to have all products sorted: `facets` remembers the order.
    facets.narrow([], NOTHING_CHOSEN, sort);
  }
}
