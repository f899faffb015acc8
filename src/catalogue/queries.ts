import { useMemo } from 'react';
import { type CatalogueSnapshot, catalogueStore } from '../db/catalogue-store.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { useFavourites } from '../favourites/queries.ts';
import { useSelected, useStore } from '../ui/use-store.ts';
import type { PageFilter } from './filter.ts';

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

/** Whether a shopper is signed in on this phone; also true after the server has ended the session. */
export function useIsSignedIn(): boolean {
  return useSelected(shopperStore, Boolean);
}

/** Every category in use, sorted. */
export function useCategories(catalogue: CatalogueSnapshot | undefined): readonly string[] {
  return useMemo(() => catalogue?.index.categories() ?? [], [catalogue]);
}
