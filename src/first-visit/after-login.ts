/** Makes the change that a visitor tapped before the login, once they have logged in (`ui/deferred-change.ts`). */
import { announceFull, isLineFull } from '../cart/mutations.ts';
import { catalogueStore } from '../db/catalogue-store.ts';
import { enqueue } from '../db/enqueue.ts';
import { shopperStore } from '../db/shopper-store.ts';
import type { ChangeAction } from '../domain/change.ts';
import { deferredChange, forgetDeferred, onDeferredReady } from '../ui/deferred-change.ts';
import type { DeferredChange } from '../ui/log-in-first.ts';
import { announceNotStored } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';

/** Makes the waiting change once its shopper is signed in: looks now, at each change of the shopper, and after a form. */
export function followDeferred(): void {
  let underWay: string | null = null;

  async function addForOwner(): Promise<void> {
    const deferred = deferredChange(Date.now());
    const shopper = shopperStore.snapshot()?.shopper;
    if (shopper?.session !== 'live') return;
    if (!deferred || deferred.id === underWay) return;
    if (deferred.email !== shopper.email.toLowerCase()) return;
    underWay = deferred.id;
    await add(deferred);
    // If the tab ends before this, the next page makes the change again under the same id.
    forgetDeferred(deferred.id);
  }

  shopperStore.subscribe(() => void addForOwner());
  onDeferredReady(() => void addForOwner());
  void addForOwner();
}

/** Adds the product to the cart or the favourites. A product that is a favourite already stays one. */
async function add(deferred: DeferredChange): Promise<void> {
  const { id, kind, productId, productName } = deferred;
  const catalogue = catalogueStore.snapshot();
  if (catalogue?.isComplete && !catalogue.index.byId(productId)) {
    notify('alert', `${productName} is no longer in the shop, so we didn’t add it.`);
    return;
  }
  let isFull = false;
  const outcome = await enqueue(({ cart, favourites }): ChangeAction[] => {
    if (kind === 'cart.add') {
      isFull = isLineFull(cart, productId);
      return isFull ? [] : [{ kind, args: { productId, by: 1 } }];
    }
    return favourites.includes(productId) ? [] : [{ kind, args: { productId } }];
  }, id);
  if (outcome === 'not-stored') announceNotStored();
  // After a logout meanwhile the change is dropped without a notice.
  if (outcome !== 'done') return;
  if (isFull) announceFull(productName);
  else if (kind === 'cart.add') notify('status', `Added to cart: ${productName}.`);
  else notify('status', `Added to favourites: ${productName}.`);
}
