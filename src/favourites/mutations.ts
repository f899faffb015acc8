import { change } from '../db/shopper-change.ts';
import { notify } from '../ui/notices.ts';
import { tellNotStored } from '../ui/not-stored.ts';

/** Sets whether a product is a favourite; the words are the specification's, section 6. */
export async function setFavourite(productId: number, isFavourite: boolean): Promise<void> {
  const kind = isFavourite ? 'favourite.add' : 'favourite.remove';
  const outcome = await change([{ kind, args: { productId } }]);
  if (outcome === 'signed-out') notify('alert', 'Please log in to manage favorites.');
  if (outcome === 'not-stored') tellNotStored();
}
