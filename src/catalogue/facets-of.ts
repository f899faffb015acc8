import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Facets } from '../domain/facets.ts';
import { NOTHING_CHOSEN, PRICE_ORDERS } from '../domain/filter.ts';

const known = new WeakMap<CatalogueIndex, Facets>();
/** How many products are read at once, in a few milliseconds on a slow phone. */
const SLICE = 2000;
/** The pause instead of an idle moment in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 50;

/** The facets of an index. All callers get the same object, which remembers what it has read. */
export function facetsOf(index: CatalogueIndex): Facets {
  let facets = known.get(index);
  if (!facets) known.set(index, (facets = new Facets(index)));
  return facets;
}

/** Reads all that filters and orders need, in slices while the page is idle. */
export async function readAhead(index: CatalogueIndex): Promise<void> {
  const facets = facetsOf(index);
  while (!facets.read(SLICE)) await whenIdle(SAFARI_PAUSE_MS);
  for (const order of PRICE_ORDERS) {
    await whenIdle(SAFARI_PAUSE_MS);
    // Finds nothing, but sorts all products for that, and `facets` remembers the order.
    facets.narrow([], NOTHING_CHOSEN, order);
  }
}
