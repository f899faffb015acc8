import type { ShopperView } from '../src/db/shopper-store.ts';

/** What the screens see of a signed-in shopper who has an empty cart and nothing unsaved. */
export const viewOf = (uid: string): ShopperView => ({
  shopper: { key: 'shopper', uid, email: `${uid}@weft.test`, session: 'live' },
  data: { cart: [], favourites: [] },
  isKnown: true,
  seen: [],
  unsaved: 0,
  saving: 'saved',
  rejected: [],
});
