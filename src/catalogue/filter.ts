import { useNavigate, useSearchParams } from 'react-router-dom';
import type { CatalogueFilter } from '../domain/catalogue-index.ts';

/** The filter of the catalogue page. */
export interface PageFilter extends CatalogueFilter {
  readonly onlyFavourites: boolean;
}

/** Reads the filter from the address, so that the user can share it, reload it and go back to it. */
export function useFilter(): PageFilter {
  const [params] = useSearchParams();
  return filterOf(params);
}

function filterOf(params: URLSearchParams): PageFilter {
  return {
    category: params.get('category') || null,
    search: params.get('q') ?? '',
    onlyFavourites: params.has('favourites'),
  };
}

/** The address that shows a filter. */
export function filterHref({ category, search, onlyFavourites }: PageFilter): string {
  const params = new URLSearchParams();
  if (onlyFavourites) params.set('favourites', '');
  if (category !== null) params.set('category', category);
  if (search.trim() !== '') params.set('q', search);
  const query = params.toString();
  return query === '' ? '/' : `/?${query}`;
}

/** The search in the window's address, which is ahead of the rendered one while the user types. */
export function addressedSearch(): string {
  const { pathname, search } = window.location;
  return pathname === '/' ? (new URLSearchParams(search).get('q') ?? '') : '';
}

/**
 * Sets the search term. The first letter adds a history entry, the letters after it replace that
 * entry. On another screen it opens the catalogue.
 */
export function useSetSearch(): (search: string) => void {
  const navigate = useNavigate();
  return (search) => {
    // The window's address: the user may type the second letter before React has rendered the first.
    const { pathname, search: query } = window.location;
    const params = new URLSearchParams(pathname === '/' ? query : '');
    const isFurtherLetter = addressedSearch() !== '' && search !== '';
    void navigate(filterHref({ ...filterOf(params), search }), {
      replace: isFurtherLetter,
    });
  };
}
