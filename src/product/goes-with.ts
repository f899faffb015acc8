import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';

/** One row on a wide screen, two on a phone. */
const MAX_PRODUCTS = 4;

/**
 * The products to show below a product. They have a price, share a category with it and are other kinds of
 * garment, one of each kind; if these are too few, more of its own kind follow. A product's kind is its first category, which
 * is also its title. In each category the products that follow in the shop's order come first, then the earlier
 * ones.
 */
export function goesWith(index: CatalogueIndex, page: ProductPage): readonly ProductPage[] {
  const codes = new Set<string>();
  const kinds = new Set([page.title]);
  const ownPlace = index.placeOf(page.skc);
  const [ownKind, ...others] = page.categories;
  const categories = ownKind === undefined ? [] : [...others, ownKind];
  for (const category of categories) {
    const places = index.find({ category, search: '' });
    const start = places.findIndex((place) => place >= ownPlace);
    for (const place of [...places.slice(start), ...places.slice(0, start)]) {
      if (codes.size === MAX_PRODUCTS) break;
      const product = index.at(place);
      if (!product || product.skc === page.skc || product.price === null) continue;
      if (category !== ownKind && kinds.has(product.title)) continue;
      codes.add(product.skc);
      kinds.add(product.title);
    }
  }
  return [...codes].flatMap((skc) => productPageOf(index.ofCode(skc)) ?? []);
}
