import { change } from '../db/shopper-change.ts';
import { notify } from '../ui/notices.ts';
import { announceNotStored } from '../ui/not-stored.ts';

/** Toggles the favourite as it is stored, whatever the screen shows. */
export function toggleFavourite(productId: number): Promise<void> {
  return changeFavourite(productId, (isFavourite) => !isFavourite);
}

/** Sets the favourite to what the tapped heart promised, even if the heart showed an old state. */
export function setFavourite(productId: number, isWanted: boolean): Promise<void> {
  return changeFavourite(productId, () => isWanted);
}

// The sentence for a signed-out visitor is the specification's.
async function changeFavourite(
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
