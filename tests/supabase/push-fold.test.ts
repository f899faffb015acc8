/** The server applies changes as the phone does when it folds them into what it shows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeAction, ShopperData } from '../../src/domain/change.ts';
import { foldChanges, NOTHING } from '../../src/domain/change.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, changeOf, liftQuota, pull, push, sell } from './shoppers.ts';
import { quickOrFull } from '../full-run.ts';

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
await liftQuota(shop);
const products = Object.values(await sell(shop, { A: 10, B: 19.99, C: null, D: 0 }));

/** A random change. Few products make changes interact; small amounts keep every line below 999. */
const anyAction = (): fc.Arbitrary<ChangeAction> => {
  const productId = fc.constantFrom(...products);
  const amount = fc.integer({ min: 1, max: 9 });
  const productOnly = fc.record({ productId });
  return fc.oneof(
    { weight: 4, arbitrary: actionOf('cart.add', fc.record({ productId, by: amount })) },
    { weight: 3, arbitrary: actionOf('cart.reduce', fc.record({ productId, by: amount })) },
    { weight: 2, arbitrary: actionOf('cart.set', fc.record({ productId, quantity: amount })) },
    { weight: 2, arbitrary: actionOf('cart.remove', productOnly) },
    { weight: 1, arbitrary: actionOf('cart.clear', fc.constant({})) },
    { weight: 2, arbitrary: actionOf('favourite.add', productOnly) },
    { weight: 2, arbitrary: actionOf('favourite.remove', productOnly) },
  ) as fc.Arbitrary<ChangeAction>;
};
/** Actions of this kind with drawn arguments. */
const actionOf = <T>(name: ChangeAction['kind'], args: fc.Arbitrary<T>) =>
  args.map((value) => ({ kind: name, args: value }));

/** What a phone shows: the cart's lines in order, and the favourites, whose order does not matter. */
const shownOf = ({ cart, favourites }: ShopperData) => ({
  cart: cart.map(({ productId, quantity }) => [productId, quantity]),
  favourites: favourites.toSorted((a, b) => a - b),
});

test('after random changes the server stores the cart and favourites that the phone shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction(), { maxLength: 50 }), async (actions) => {
      await shop.backend.query('truncate public.cart_items, public.favorites');
      expect((await push(ada, actions.map(changeOf))).error).toBeNull();
      const { cart, favourites } = await pull(ada);
      expect({
        cart: cart?.map(([productId, quantity]) => [productId, quantity]),
        favourites,
      }).toEqual(shownOf(foldChanges(NOTHING, actions)));
    }),
    { numRuns: quickOrFull(16, 150) },
  );
});
