import { shopperStore, type ShopperView } from '../db/shopper-store.ts';
import { useSelected } from '../ui/use-store.ts';

const NO_FAVOURITES: ReadonlySet<number> = new Set();
/** The last result, which is returned again while the ids are the same. */
let lastRead: { readonly ids: readonly number[]; readonly set: ReadonlySet<number> } | undefined;

/** The ids of the shopper's favourites; the same object until they change. */
export function useFavourites(): ReadonlySet<number> {
  return useSelected(shopperStore, favouritesIn);
}

export function useIsFavourite(productId: number): boolean {
  return useSelected(shopperStore, (view) => favouritesIn(view).has(productId));
}

function favouritesIn(view: ShopperView | null | undefined): ReadonlySet<number> {
  const ids = view?.data.favourites;
  if (!ids) return NO_FAVOURITES;
  if (!lastRead || !isSame(lastRead.ids, ids)) lastRead = { ids, set: new Set(ids) };
  return lastRead.set;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a === b || (a.length === b.length && a.every((id, i) => id === b[i]));
}
