import { change } from '../db/shopper-change.ts';
import { notify } from '../ui/notices.ts';
import { announceNotStored } from '../ui/not-stored.ts';

/** If present it is removed, if absent it is added, whatever has been drawn by then. */
export function toggleFavourite(productId: number): Promise<void> {
  return makeFavourite(productId, (isFavourite) => !isFavourite);
}

/** For a tap on what may not have been the truth: it gets what it meant. */
export function setFavourite(productId: number, isWanted: boolean): Promise<void> {
  return makeFavourite(productId, () => isWanted);
}

/** The words are the specification's, section 6. */
async function makeFavourite(
  productId: number,
  wantedOf: (isFavourite: boolean) => boolean,
): Promise<void> {
  const outcome = await change(({ favourites }) => {
    const isFavourite = favourites.includes(productId);
    const isWanted = wantedOf(isFavourite);
    if (isWanted === isFavourite) return [];
    return [{ kind: isWanted ? 'favourite.add' : 'favourite.remove', args: { productId } }];
  });
  if (outcome === 'signed-out') notify('alert', 'Please log in to manage favorites.');
  if (outcome === 'not-stored') announceNotStored();
}
