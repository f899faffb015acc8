import { lazy, Suspense, useMemo } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { countOf } from '../domain/count.ts';
import { FACETS, NOTHING_CHOSEN } from '../domain/filter.ts';
import { useFavourites } from '../favourites/queries.ts';
import { Hanger } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { focusHeading } from '../ui/page-title.tsx';
import { facetValueWords } from './facet-words.ts';
import { facetsOf } from './facets-of.ts';
import { FACET_NAMES, filterHref, type PageFilter } from './filter.ts';

interface WaysOutProps {
  readonly catalogue: CatalogueSnapshot;
  /** A filter that finds nothing. */
  readonly filter: PageFilter;
}

/** Loaded when nothing was found. Without its script the other ways out are enough. */
const DidYouMean = lazy(() =>
  import('./did-you-mean.tsx').then(
    ({ DidYouMean: Loaded }) => ({ default: Loaded }),
    () => ({ default: () => null }),
  ),
);

/** A hanger, and links that each remove a part of the filter, with how many products that leaves. */
export function WaysOut({ catalogue: { index }, filter }: WaysOutProps) {
  const favourites = useFavourites();
  const ways = useMemo(() => {
    const all = partsOf(filter).map(([name, part]) => {
      const wider = { ...filter, ...part };
      const found = facetsOf(index).narrow(index.find(wider), wider.chosen, null);
      const isShown = (place: number) => !wider.onlyFavourites || favourites.has(index.idAt(place));
      return { name, href: filterHref(wider), count: found.filter(isShown).length };
    });
    // Removing a part that the filter does not have still finds nothing (count 0). If only one facet has
    // chosen values, `All filters` has the same address as that facet.
    const hrefs = all.map(({ href }) => href);
    return all.filter(({ href, count }, i) => count > 0 && hrefs.indexOf(href) === i);
  }, [index, filter, favourites]);

  return (
    <>
      <Hanger />
      <Suspense fallback={null}>
        <DidYouMean index={index} filter={filter} />
      </Suspense>
      {/* Without the only part of a filter the shop shows everything, which the page offers anyway. */}
      {ways.length > 1 && (
        <section aria-label="Try without">
          <h2>Try without</h2>
          {ways.map(({ name, href, count }) => (
            <Link key={href} to={href} onClick={focusHeading}>
              <bdi>{name}</bdi> <small>{countOf(count, 'product')}</small>
            </Link>
          ))}
        </section>
      )}
    </>
  );
}

/** The parts that a filter can have: the name of each part, and the changed fields of a filter without it. */
function partsOf({ search, category, chosen }: PageFilter) {
  const parts: (readonly [name: string, without: Partial<PageFilter>])[] = [
    [`“${search.trim()}”`, { search: '' }],
    [category ?? '', { category: null }],
    ['Favourites', { onlyFavourites: false }],
  ];
  for (const facet of FACETS) {
    const words = chosen[facet].map((value) => facetValueWords(facet, value)).join(' or ');
    parts.push([`${FACET_NAMES[facet]} ${words}`, { chosen: { ...chosen, [facet]: [] } }]);
  }
  return [...parts, ['All filters', { chosen: NOTHING_CHOSEN }] as const];
}
