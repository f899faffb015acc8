import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { CatalogueFilter } from '../domain/catalogue-index.ts';
import {
  type Chosen,
  type Facet,
  FACETS,
  NOTHING_CHOSEN,
  PRICE_SORTS,
  PRICE_RANGE,
  type PriceSort,
} from '../domain/filter.ts';

/** The filter of the catalogue page. */
export interface PageFilter extends CatalogueFilter {
  readonly onlyFavourites: boolean;
  readonly chosen: Chosen;
  /** Null for the shop's own order, new arrivals. */
  readonly sort: PriceSort | null;
}

export const FACET_NAMES: Readonly<Record<Facet, string>> = {
  size: 'Size',
  price: 'Price',
  material: 'Material',
};

/** The filter that shows every product. */
export const ALL: PageFilter = {
  category: null,
  search: '',
  onlyFavourites: false,
  chosen: NOTHING_CHOSEN,
  sort: null,
};

/**
 * Reads the filter from the address, so that the user can share it, reload it and go back to it. It is
 * the same object until the address changes.
 */
export function useFilter(): PageFilter {
  const { pathname, search } = useLocation();
  return useMemo(() => filterAt({ pathname, search }), [pathname, search]);
}

/** The filter in the window's address. While the user types or taps, React may not have rendered it yet. */
export function addressedFilter(): PageFilter {
  return filterAt(window.location);
}

/** On other screens the same parameters mean something else: a product's address has a `size`. */
function filterAt({ pathname, search }: Pick<Location, 'pathname' | 'search'>): PageFilter {
  return pathname === '/' ? filterOf(new URLSearchParams(search)) : ALL;
}

export function filterOf(params: URLSearchParams): PageFilter {
  const valuesOf = (facet: Facet) => {
    const values = [...new Set(params.getAll(facet))];
    return values.filter((value) => (facet === 'price' ? isRange(value) : value !== ''));
  };
  return {
    category: params.get('category') || null,
    search: params.get('q') ?? '',
    onlyFavourites: params.has('favourites'),
    chosen: { size: valuesOf('size'), price: valuesOf('price'), material: valuesOf('material') },
    sort: PRICE_SORTS.find((sort) => sort === params.get('sort')) ?? null,
  };
}

/** The address that shows a filter. */
export function filterHref({ category, search, onlyFavourites, chosen, sort }: PageFilter) {
  const params = new URLSearchParams();
  if (onlyFavourites) params.set('favourites', '');
  if (category !== null) params.set('category', category);
  if (search.trim() !== '') params.set('q', search);
  for (const facet of FACETS) for (const value of chosen[facet]) params.append(facet, value);
  if (sort !== null) params.set('sort', sort);
  const query = params.toString();
  return query === '' ? '/' : `/?${query}`;
}

/** How many values are chosen in all facets together. */
export function chosenCount({ chosen }: PageFilter): number {
  return FACETS.reduce((sum, facet) => sum + chosen[facet].length, 0);
}

/** The filter without one of its chosen values. */
export function without(filter: PageFilter, facet: Facet, value: string): PageFilter {
  const values = filter.chosen[facet].filter((chosenValue) => chosenValue !== value);
  return { ...filter, chosen: { ...filter.chosen, [facet]: values } };
}

/**
 * Sets the search term. The first letter and an emptied field add a history entry. Further letters replace
 * that entry, so that Back does not take letters away one by one. On another screen this opens the catalogue.
 */
export function useSetSearch(): (search: string) => void {
  const navigate = useNavigate();
  return (search) => {
    const filter = addressedFilter();
    const isFurtherLetter = filter.search !== '' && search !== '';
    void navigate(filterHref({ ...filter, search }), { replace: isFurtherLetter });
  };
}

/**
 * For a control of the filter that the user changes several times in a row: the first change adds a history entry,
 * and later ones replace it, so that Back undoes all of them.
 *
 * @returns `apply` changes the filter; after `endRow` the next change adds an entry again
 */
export function useChangesInARow() {
  const navigate = useNavigate();
  const isInRow = useRef(false);
  const apply = useCallback(
    (next: PageFilter) => {
      void navigate(filterHref(next), { replace: isInRow.current });
      isInRow.current = true;
    },
    [navigate],
  );
  const endRow = useCallback(() => {
    isInRow.current = false;
  }, []);
  useEffect(() => {
    // After Back the entry on screen is not this control's, so the next change must not replace it.
    window.addEventListener('popstate', endRow);
    return () => window.removeEventListener('popstate', endRow);
  }, [endRow]);
  return { apply, endRow };
}

/** Whether the text is a range of prices, and not an empty one such as `80-50`. */
function isRange(text: string): boolean {
  const [from, below] = text.split('-');
  return PRICE_RANGE.test(text) && (below === '' || Number(below) > Number(from));
}
