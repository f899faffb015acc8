import { useMemo, useState } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';
import { useStore } from '../ui/use-store.ts';

/**
 * A product on this device; null when the shop does not have it, undefined while this device cannot tell. `was` is what
 * this device last saw of it: on this page, or in the shopper's cart or favourites.
 */
export function useProductPage(catalogue: CatalogueSnapshot | undefined, skc: string | null) {
  const { page, last } = usePage(catalogue, skc);
  const seen = useStore(shopperStore)?.seen.find((product) => product.skc === skc);
  return { page, was: last ?? seen ?? null };
}

function usePage(
  catalogue: CatalogueSnapshot | undefined,
  skc: string | null,
): { readonly page: ProductPage | null | undefined; readonly last: ProductPage | null } {
  const page = useMemo(
    () => (catalogue && skc !== null ? productPageOf(catalogue.index.ofCode(skc)) : null),
    [catalogue, skc],
  );
  // On a first visit this device asks for the product alone, and then loads the catalogue in parts. The first
  // of these may lack the product, so the product stays on screen until the whole catalogue is here.
  const [lastPage, setLastPage] = useState(page);
  if (page && page !== lastPage) setLastPage(page);
  if (page) return { page, last: page };
  if (skc === null || catalogue?.isComplete) return { page: null, last: lastPage };
  return { page: lastPage ?? undefined, last: lastPage };
}
