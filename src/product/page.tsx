import { useEffect, useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { fetchCatalogue } from '../catalogue/mutations.ts';
import { useCatalogue } from '../catalogue/queries.ts';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { productData, type ProductPage, stockCodeIn, summaryOf } from '../domain/product-page.ts';
import { productPath } from '../domain/routes.ts';
import { hrefOf } from '../domain/shop-note.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import { siteUrl } from '../ui/use-head.ts';
import { setHead } from '../ui/page-head.ts';
import thread from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';
import { Garment } from './garment.tsx';
import { goesWith } from './goes-with.ts';
import { Others } from './others.tsx';
import styles from './page.module.css';
import { RecentlyViewed } from './recently-viewed.tsx';
import { useProductPage } from './queries.ts';
import { UnknownProduct } from './unknown.tsx';

/** For `shell/product-screen.tsx`, which loads this module. */
export { screenTransition } from './screen-transition.ts';

/** `/product/<stock code>`, read from the catalogue on this device. */
export function ProductDetails() {
  const { pathname } = useLocation();
  return <Product key={pathname} skc={stockCodeIn(pathname)} />;
}

function Product({ skc }: { readonly skc: string | null }) {
  const catalogue = useCatalogue();
  const { page, was } = useProductPage(catalogue, skc);
  if (page && catalogue) return <LoadedProduct page={page} index={catalogue.index} />;
  if (page === null) return <UnknownProduct {...{ skc, was, catalogue }} />;
  if (catalogue?.failure) return <LoadFailed />;
  return (
    <div className={styles['page']} data-arriving>
      <div className={styles['frame']} aria-hidden="true" />
      <output className={styles['about']}>Loading products...</output>
    </div>
  );
}

interface LoadedProductProps {
  readonly page: ProductPage;
  readonly index: CatalogueIndex;
}

const RETURNS = hrefOf(import.meta.env.VITE_SHOP_RETURNS);

function LoadedProduct({ page, index }: LoadedProductProps) {
  const others = useMemo(() => goesWith(index, page), [index, page]);
  useEffect(() => {
    const head = { description: summaryOf(page), canonical: productPath(page.skc), isListed: true };
    setHead(head, siteUrl());
    return addStructuredData(productData(page, { site: siteUrl(), returns: RETURNS }));
  }, [page]);
  return (
    <>
      <Garment page={page} />
      <Others id="goes-with-it" heading="Goes well with" pages={others} />
      <RecentlyViewed index={index} page={page} />
    </>
  );
}

/**
 * Puts structured data into the document's head, in place of what the host has written there. Returns a
 * function that removes them.
 */
function addStructuredData(text: string): () => void {
  document.head.querySelector('script[type="application/ld+json"]')?.remove();
  const script = document.createElement('script');
  script.type = 'application/ld+json';
  script.textContent = text;
  document.head.append(script);
  return () => script.remove();
}

function LoadFailed() {
  return (
    <div className={thread['page']}>
      <PageTitle>Couldn’t load this product</PageTitle>
      <ErrorBox action={{ label: 'Try again', run: () => void fetchCatalogue() }}>
        Check your connection, then try again.
      </ErrorBox>
    </div>
  );
}
