import { useMemo } from 'react';
import { type CatalogueSnapshot, catalogueStore } from '../db/catalogue-store.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { useFavourites } from '../favourites/queries.ts';
import { useSelected, useStore } from '../ui/use-store.ts';
import { chosenCount, type PageFilter } from './filter.ts';
import { useFindingParts, usePrepareParts } from './finding.ts';

/** The catalogue on this device; undefined until it has been read. */
export function useCatalogue(): CatalogueSnapshot | undefined {
  return useStore(catalogueStore);
}

/** Places in the index that match category, search and favourites of the filter, in the shop's order. */
export function useBeforeFacets(
  catalogue: CatalogueSnapshot | undefined,
  { category, search, onlyFavourites }: PageFilter,
): readonly number[] {
  const favourites = useFavourites();
  const places = useMemo(
    () => catalogue?.index.find({ category, search }) ?? [],
    [catalogue, category, search],
  );
  return useMemo(() => {
    if (!onlyFavourites || !catalogue) return places;
    const { index } = catalogue;
    return places.filter((place) => favourites.has(index.idAt(place)));
  }, [catalogue, places, favourites, onlyFavourites]);
}

/**
 * Places in the index that match the whole filter, in the order that the filter names; undefined while the filter
 * needs `finding-parts.ts` and that module is not loaded.
 */
export function useFound(
  catalogue: CatalogueSnapshot | undefined,
  filter: PageFilter,
): readonly number[] | undefined {
  const places = useBeforeFacets(catalogue, filter);
  const parts = useFindingParts();
  const { chosen, order } = filter;
  const isNarrowed = order !== null || chosenCount(filter) > 0;
  usePrepareParts(catalogue, isNarrowed);
  return useMemo(() => {
    if (!isNarrowed || !catalogue) return places;
    return parts?.facetsOf(catalogue.index).narrow(places, chosen, order);
  }, [catalogue, places, parts, isNarrowed, chosen, order]);
}

/** Whether a shopper is signed in on this phone; also true after the server has ended the session. */
export function useIsSignedIn(): boolean {
  return useSelected(shopperStore, Boolean);
}

/** Every category in use, sorted. */
export function useCategories(catalogue: CatalogueSnapshot | undefined): readonly string[] {
  return useMemo(() => catalogue?.index.categories() ?? [], [catalogue]);
}
