import { useEffect } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { nameOf, type Product } from '../domain/product.ts';
import { siteUrl } from '../ui/head.ts';

/** A product and its place in the list on screen, counted from 1. */
export interface ListedProduct {
  readonly product: Product;
  readonly position: number;
}

/**
 * Products as schema.org's ItemList of Product with Offer, for search engines. The shop does not know
 * its stock, so the list does not name it; a product without a price has no offer and is left out.
 */
export function structuredData(listed: readonly ListedProduct[], site: string): string {
  const list = {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: listed.flatMap(({ product, position }) => {
      const { skc, picture, price } = product;
      if (price === null) return [];
      const url = `${site}/?${new URLSearchParams({ q: skc })}`;
      const item = {
        '@type': 'Product',
        name: nameOf(product),
        sku: skc,
        ...(picture !== null && { image: new URL(picture, site).href }),
        url,
        offers: { '@type': 'Offer', price: (price / 100).toFixed(2), priceCurrency: 'USD', url },
      };
      return [{ '@type': 'ListItem', position, item }];
    }),
  };
  // Without `<` no `</script>` or `<!--` can end the element that holds this text.
  return JSON.stringify(list).replaceAll('<', String.raw`\u003c`);
}

/** Longer than the pause between two letters or scrolls, so that typing and scrolling stay fast. */
const REST_MS = 1000;

/** Keeps the found products from `first` to before `end` in the document's head. */
export function useStructuredData(
  index: CatalogueIndex,
  found: readonly number[],
  first: number,
  end: number,
): void {
  useEffect(() => {
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    const timer = setTimeout(() => {
      const listed = found.slice(first, end).flatMap((place, i) => {
        const product = index.at(place);
        return product ? [{ product, position: first + i + 1 }] : [];
      });
      script.textContent = structuredData(listed, siteUrl());
      document.head.append(script);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      script.remove();
    };
  }, [index, found, first, end]);
}
