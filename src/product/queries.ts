import { useMemo, useState } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';

/** A product on this device; null when the shop does not have it, undefined while this device cannot tell. */
export function useProductPage(
  catalogue: CatalogueSnapshot | undefined,
  skc: string | null,
): ProductPage | null | undefined {
  const page = useMemo(
    () => (catalogue && skc !== null ? productPageOf(catalogue.index.ofCode(skc)) : null),
    [catalogue, skc],
  );
  // On a first visit this device asks for the product alone, and then loads the catalogue in parts. The first
  // of these may lack the product, so the product stays on screen until the whole catalogue is here.
  const [lastPage, setLastPage] = useState(page);
  if (page && page !== lastPage) setLastPage(page);
  if (page) return page;
  if (skc === null || catalogue?.isComplete) return null;
  return lastPage ?? undefined;
}
