import { enqueue } from '../db/enqueue.ts';
import { askToLogIn, type Wanted } from '../ui/log-in-first.ts';
import { announceNotStored } from '../ui/not-stored.ts';

/** Toggles the favourite as it is stored, whatever the screen shows. */
export function toggleFavourite(productId: number, productName: string): Promise<void> {
  return changeFavourite(productId, productName, (isFavourite) => !isFavourite);
}

/** Sets the favourite to the state that a tap asked for before React ran, whatever is stored. */
export function setFavourite(
  productId: number,
  productName: string,
  isWanted: boolean,
): Promise<void> {
  return changeFavourite(productId, productName, () => isWanted);
}

/** The sentence for a visitor is the specification's. Only an addition is done after the login. */
async function changeFavourite(
  productId: number,
  productName: string,
  isWantedAfter: (isFavourite: boolean) => boolean,
): Promise<void> {
  const outcome = await enqueue(({ favourites }) => {
    const isFavourite = favourites.includes(productId);
    const isWanted = isWantedAfter(isFavourite);
    if (isWanted === isFavourite) return [];
    return [{ kind: isWanted ? 'favourite.add' : 'favourite.remove', args: { productId } }];
  });
  if (outcome === 'not-stored') announceNotStored();
  else if (outcome === 'signed-out') {
    const addition: Wanted = { kind: 'favourite.add', productId, productName };
    // A visitor has no favourites yet.
    askToLogIn('Please log in to manage favorites.', isWantedAfter(false) ? addition : null);
  }
}
