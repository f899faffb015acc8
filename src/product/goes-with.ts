import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { type ProductPage, productPageOf } from '../domain/product-page.ts';

/** The most products below a product. */
const MOST_BELOW = 4;

/**
 * Products that go with one: they share a category with it, but are other kinds of garment, each kind once.
 * Where these are too few, others of its own kind follow. The first category, which is the title, names
 * the kind. The next ones in the shop's order come first; the order begins anew at its end.
 */
export function goesWith(index: CatalogueIndex, page: ProductPage): readonly ProductPage[] {
  const codes = new Set<string>();
  const kinds = new Set([page.title]);
  const own = index.placeOf(page.skc);
  const [kind, ...others] = page.categories;
  for (const category of [...others, ...(kind === undefined ? [] : [kind])]) {
    const places = index.find({ category, search: '' });
    const start = places.findIndex((place) => place >= own);
    for (const place of [...places.slice(start), ...places.slice(0, start)]) {
      if (codes.size === MOST_BELOW) break;
      const { skc, title } = index.at(place) ?? page;
      if (skc === page.skc || (category !== kind && kinds.has(title))) continue;
      codes.add(skc);
      kinds.add(title);
    }
  }
  return [...codes].flatMap((skc) => productPageOf(index.ofCode(skc)) ?? []);
}
