import { useEffect, useMemo } from 'react';
import { Chips } from '../catalogue/chips.tsx';
import { ALL } from '../catalogue/filter.ts';
import { Grid } from '../catalogue/grid.tsx';
import { useBeforeFacets, useCategories } from '../catalogue/queries.ts';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { nameOf, type Product } from '../domain/product.ts';
import { productPath } from '../domain/routes.ts';
import { siteUrl } from '../ui/use-head.ts';
import { setHead } from '../ui/page-head.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { nearTo } from './near-to.ts';
import styles from './page.module.css';

interface UnknownProductProps {
  /** Null for an address that holds no stock code. */
  readonly skc: string | null;
  /** What it was when this device last saw it; null if it never did. */
  readonly was: Pick<Product, 'title' | 'material'> | null;
  readonly catalogue: CatalogueSnapshot | undefined;
}

/** Says that the shop does not have a product, and shows what is near it, or else all that it has. */
export function UnknownProduct({ skc, was, catalogue }: UnknownProductProps) {
  const categories = useCategories(catalogue);
  const all = useBeforeFacets(catalogue, ALL);
  const near = useMemo(
    () => (catalogue && skc !== null ? nearTo(catalogue.index, skc, was?.title ?? null) : []),
    [catalogue, skc, was],
  );
  const places = near.length > 0 ? near : all;
  useEffect(() => {
    const canonical = productPath(skc ?? '');
    setHead(
      { description: 'This product isn’t available.', canonical, isListed: false },
      siteUrl(),
    );
  }, [skc]);
  return (
    <>
      <div className={styles['unknown']}>
        <PageTitle>This product isn’t available</PageTitle>
        <p>
          <span>
            {skc === null
              ? 'There’s no product at this address.'
              : was
                ? `${nameOf({ ...was, size: '' })} isn’t available.`
                : `We don’t have “${skc}”. It may have sold out, or the address may be wrong.`}
          </span>
          {places.length > 0 && (
            <span>{near.length > 0 ? ' Here’s what is near it.' : ' Here’s everything else.'}</span>
          )}
        </p>
      </div>
      {catalogue && places.length > 0 && (
        <>
          <Chips categories={categories} />
          <Grid index={catalogue.index} found={places} />
        </>
      )}
    </>
  );
}
