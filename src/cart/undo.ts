import { shopperStore } from '../db/shopper-store.ts';
import type { CartLine, ChangeAction } from '../domain/change.ts';
import type { NoticeAction } from '../ui/notices.ts';

/**
 * A button that puts lines back into the cart of the present shopper. Call it before the lines are removed,
 * because the phone may have another shopper when the removal is stored. For another shopper the button does
 * nothing.
 */
export function undoFor(
  lines: readonly CartLine[],
  apply: (actions: readonly ChangeAction[]) => Promise<unknown>,
): NoticeAction {
  const uid = shopperStore.snapshot()?.shopper.uid;
  return {
    label: 'Undo',
    uid,
    run() {
      if (shopperStore.snapshot()?.shopper.uid !== uid) return;
      void apply(
        lines.map(({ productId, quantity }) => ({
          kind: 'cart.set',
          args: { productId, quantity },
        })),
      );
    },
  };
}
