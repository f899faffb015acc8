import { shopperStore } from '../db/shopper-store.ts';
import type { CartLine, ChangeAction } from '../domain/change.ts';
import type { NoticeAction } from '../ui/notices.ts';

/**
 * A button that puts lines back into the cart of the shopper who is signed in now. Call it before the lines
 * are removed: the phone may have another shopper when the removal is stored, or when the button is tapped.
 */
export function undoFor(
  lines: readonly CartLine[],
  put: (actions: readonly ChangeAction[]) => Promise<unknown>,
): NoticeAction {
  const uid = shopperStore.snapshot()?.shopper.uid;
  return {
    label: 'Undo',
    uid,
    run() {
      if (shopperStore.snapshot()?.shopper.uid !== uid) return;
      void put(
        lines.map(({ productId, quantity }) => ({
          kind: 'cart.set',
          args: { productId, quantity },
        })),
      );
    },
  };
}
