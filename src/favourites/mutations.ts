import { change } from '../db/shopper-change.ts';
import { notify } from '../ui/notices.ts';
import { tellNotStored } from '../ui/not-stored.ts';

/**
 * If present it is removed, if absent it is added, whatever has been drawn by then. The words are
 * the specification's, section 6.
 */
export async function toggleFavourite(productId: number): Promise<void> {
  const outcome = await change(({ favourites }) => {
    const kind = favourites.includes(productId) ? 'favourite.remove' : 'favourite.add';
    return [{ kind, args: { productId } }];
  });
  if (outcome === 'signed-out') notify('alert', 'Please log in to manage favorites.');
  if (outcome === 'not-stored') tellNotStored();
}
