import { piecesIn } from '../cart/queries.ts';
import { shopperStore } from '../db/shopper-store.ts';

/** Shows on the app's icon, where the platform does, how many pieces are in the cart. */
export function showBadge(): void {
  if (!('setAppBadge' in navigator)) return;
  let shown: number | null = null;
  const show = () => {
    const view = shopperStore.snapshot();
    const count = piecesIn(view);
    if (view === undefined || count === shown) return;
    shown = count;
    // Only an installed app has a badge; elsewhere some browsers reject.
    void navigator.setAppBadge(count).catch(() => undefined);
  };
  shopperStore.subscribe(show);
  show();
}
