import { useMemo } from 'react';
import { type CatalogueSnapshot, catalogueStore } from '../db/catalogue-store.ts';
import { shopperStore } from '../db/shopper-store.ts';
import type { CatalogueFilter } from '../domain/catalogue-index.ts';
import { useFavourites } from '../favourites/queries.ts';
import { useStore } from '../ui/use-store.ts';

/** The catalogue on this device; undefined until it has been read. */
export function useCatalogue(): CatalogueSnapshot | undefined {
  return useStore(catalogueStore);
}

/** Places in the index that match the filter, in the shop's order. */
export function useFound(
  catalogue: CatalogueSnapshot | undefined,
  { category, search }: CatalogueFilter,
  onlyFavourites: boolean,
): readonly number[] {
  const favourites = useFavourites();
  const found = useMemo(
    () => catalogue?.index.find({ category, search }) ?? [],
    [catalogue, category, search],
  );
  return useMemo(() => {
    if (!onlyFavourites || !catalogue) return found;
    return found.filter((place) => {
      const product = catalogue.index.at(place);
      return product !== undefined && favourites.has(product.id);
    });
  }, [catalogue, found, favourites, onlyFavourites]);
}

/** Whether a shopper is signed in on this phone; also true after the server has ended the session. */
export function useIsSignedIn(): boolean {
  return useStore({
    subscribe: shopperStore.subscribe,
    snapshot: () => Boolean(shopperStore.snapshot()),
  });
}

/** Every category in use, sorted. */
export function useCategories(catalogue: CatalogueSnapshot | undefined): readonly string[] {
  return useMemo(() => catalogue?.index.categories() ?? [], [catalogue]);
}
