import { piecesIn } from '../cart/queries.ts';
import { shopperStore } from '../db/shopper-store.ts';

/** Shows the number of pieces in the cart on the app's icon, where the platform can. */
export function showBadge(): void {
  if (!('setAppBadge' in navigator)) return;
  let shown: number | null = null;
  const show = () => {
    const view = shopperStore.snapshot();
    const count = piecesIn(view);
    if (view === undefined || count === shown) return;
    shown = count;
    // Only an installed app has a badge; in other cases some browsers reject the call.
    void navigator.setAppBadge(count).catch(() => undefined);
  };
  shopperStore.subscribe(show);
  show();
}
