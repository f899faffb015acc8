import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Facets } from '../domain/facets.ts';
import { NOTHING_CHOSEN, PRICE_ORDERS } from '../domain/filter.ts';

const known = new WeakMap<CatalogueIndex, Facets>();
/** Products read at once: a few milliseconds on a slow phone. */
const SLICE = 2000;
/** Safari cannot say when a page is idle. */
const OTHERWISE_MS = 50;

/** The filters over an index; one for each, however many ask. */
export function facetsOf(index: CatalogueIndex): Facets {
  let facets = known.get(index);
  if (!facets) known.set(index, (facets = new Facets(index)));
  return facets;
}

/** Reads what filters and orders need, in slices while the page is idle. */
export async function readAhead(index: CatalogueIndex): Promise<void> {
  const facets = facetsOf(index);
  while (!facets.read(SLICE)) await whenIdle(OTHERWISE_MS);
  for (const order of PRICE_ORDERS) {
    await whenIdle(OTHERWISE_MS);
    // Sorts all products, which `facets` remembers.
    facets.narrow([], NOTHING_CHOSEN, order);
  }
}
