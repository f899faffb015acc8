import { useEffect, useMemo, useState } from 'react';
import { useShopperView } from '../cart/queries.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';
import { noteViewed, viewedCodes } from '../ui/viewed.ts';
import { Others } from './others.tsx';

interface RecentlyViewedProps {
  readonly index: CatalogueIndex;
  readonly page: ProductPage;
}

/** A row of the products that this device has shown before this one. */
export function RecentlyViewed({ index, page: { skc } }: RecentlyViewedProps) {
  // Reads anew when the shopper of this tab changes: after a logout there are none.
  const uid = useShopperView()?.shopper.uid;
  const [read, setRead] = useState(() => ({ uid, codes: viewedCodes() }));
  if (read.uid !== uid) setRead({ uid, codes: viewedCodes() });
  const pages = useMemo(
    () =>
      read.codes
        .filter((code) => code !== skc)
        .flatMap((code) => productPageOf(index.ofCode(code)) ?? []),
    [read.codes, skc, index],
  );
  useEffect(() => noteViewed(skc), [skc]);
  return <Others id="recently-viewed" heading="Recently viewed" pages={pages} />;
}
