import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';

/** How many products stand below a product. */
const MOST = 4;

/**
 * Products that go with one: the next in the shop's order, and from the beginning again at its end, that
 * share a category but are another kind of garment, each kind once. A kind is what the first category
 * says. If they are too few, others of its own kind follow.
 */
export function goesWith(index: CatalogueIndex, page: ProductPage): readonly ProductPage[] {
  const codes = new Set<string>();
  const kinds = new Set([page.title]);
  const own = index.placeOf(page.skc);
  const [kind, ...others] = page.categories;
  for (const category of [...others, ...(kind === undefined ? [] : [kind])]) {
    const places = index.find({ category, search: '' });
    const after = places.findIndex((place) => place >= own);
    for (const place of [...places.slice(after), ...places.slice(0, after)]) {
      if (codes.size === MOST) break;
      const { skc, title } = index.at(place) ?? page;
      if (skc === page.skc || (category !== kind && kinds.has(title))) continue;
      codes.add(skc);
      kinds.add(title);
    }
  }
  return [...codes].flatMap((skc) => productPageOf(index.ofCode(skc)) ?? []);
}
