/**
 * Stores on this device what the products of the cart, the favourites and the rejected changes look like, so that
 * they keep name and picture after they have left the shop, even while no tab was open.
 */
import type { Product } from '../domain/product.ts';
import { catalogueStore } from './catalogue-store.ts';
import { connection } from './connection.ts';
import type { WeftDatabase } from './database.ts';
import { shopperStore } from './shopper-store.ts';

/** Follows cart, favourites and catalogue. Call it before the sync starts, which may delete a product. */
export function keepSeenProducts(): void {
  let last: readonly unknown[] = [];

  function update(): void {
    const view = shopperStore.snapshot();
    const catalogue = catalogueStore.snapshot();
    if (!view?.isKnown || !catalogue) return;
    const { index } = catalogue;
    const { uid } = view.shopper;
    const { cart, favourites } = view.data;
    // The list of rejected changes names their products.
    const rejected = view.rejected.flatMap(({ change: { args } }) =>
      'productId' in args ? [args.productId] : [],
    );
    const ids = [
      ...new Set([...cart.map(({ productId }) => productId), ...favourites, ...rejected]),
    ];
    // Goes on only for new inputs. Another tab's write of `seen` is not one of them: otherwise two tabs with different
    // catalogues would overwrite each other for ever.
    const inputs = [index, index.revision, uid, ids.join()];
    if (inputs.every((input, i) => input === last[i])) return;
    last = inputs;
    // A product that has left the shop stays here when its line is removed: Undo brings the line back.
    const gone = view.seen.filter(({ id }) => !index.byId(id));
    const seen = [...ids.flatMap((id) => index.byId(id) ?? []), ...gone];
    if (JSON.stringify(seen) === JSON.stringify(view.seen)) return;
    keepSeen(connection.db, uid, seen).catch((error: unknown) => connection.recoverFrom(error));
  }

  shopperStore.subscribe(update);
  catalogueStore.subscribe(update);
  update();
}

/** Does nothing before the server has answered for this shopper, or after a logout. */
async function keepSeen(db: WeftDatabase, uid: string, seen: readonly Product[]): Promise<void> {
  await db.transaction('rw', db.bases, async () => {
    const base = await db.bases.get(uid);
    if (base) await db.bases.put({ ...base, seen });
  });
}
