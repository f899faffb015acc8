import { useMemo, useState } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';

/** A product on this device; null when the shop does not have it, undefined until that is known. */
export function useProductPage(
  catalogue: CatalogueSnapshot | undefined,
  skc: string | null,
): ProductPage | null | undefined {
  const found = useMemo(
    () => (catalogue && skc !== null ? productPageOf(catalogue.index.ofCode(skc)) : null),
    [catalogue, skc],
  );
  // On a first visit the product arrives before the catalogue, whose first page may be without it: the
  // product stays until the whole catalogue has arrived.
  const [last, setLast] = useState(found);
  if (found && found !== last) setLast(found);
  if (found) return found;
  return skc === null || catalogue?.isComplete ? null : (last ?? undefined);
}
