import { nameOf, type Product } from '../domain/product.ts';
import { productHref } from '../domain/routes.ts';
import { absoluteAddress, scriptText } from '../domain/structured-data.ts';

/** A product and its place in the list on screen, counted from 1. */
export interface ListedProduct {
  readonly product: Product;
  readonly position: number;
}

/**
 * Products as schema.org's ItemList of Product with Offer, for search engines. The shop does not know
 * its stock, so offers say nothing about availability. A product without a price has no offer and is left out.
 *
 * @param site the shop's address without a slash at its end
 */
export function structuredData(listed: readonly ListedProduct[], site: string): string {
  const list = {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: listed.flatMap(({ product, position }) => {
      const { skc, picture, price } = product;
      if (price === null) return [];
      const url = site + productHref(product);
      const item = {
        '@type': 'Product',
        name: nameOf(product),
        sku: skc,
        ...(picture !== null && { image: absoluteAddress(picture, site) }),
        url,
        offers: { '@type': 'Offer', price: (price / 100).toFixed(2), priceCurrency: 'USD', url },
      };
      return [{ '@type': 'ListItem', position, item }];
    }),
  };
  return scriptText(list);
}

/**
 * Puts structured data into the document's head, in place of what the host has written there. Returns a
 * function that removes them.
 */
export function addStructuredData(text: string): () => void {
  document.head.querySelector(STRUCTURED_DATA)?.remove();
  const script = document.createElement('script');
  script.type = 'application/ld+json';
  script.textContent = text;
  document.head.append(script);
  return () => script.remove();
}

const STRUCTURED_DATA = 'script[type="application/ld+json"]';
