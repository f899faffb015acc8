import type { ShopperRow } from '../db/database.ts';
import { shopperStore, type ShopperView } from '../db/shopper-store.ts';
import { useSelected } from '../ui/use-store.ts';

let lastRow: ShopperRow | null | undefined;

/** The shopper of this phone, also when their session has ended; null without one, undefined until read. */
export function useShopper(): ShopperRow | null | undefined {
  return useSelected(shopperStore, rowOf);
}

/** Returns the same object until the row changes: each tap makes a new view, for which screens need not render. */
function rowOf(view: ShopperView | null | undefined): ShopperRow | null | undefined {
  const next = view && view.shopper;
  if (!lastRow || !next || !isSame(lastRow, next)) lastRow = next;
  return lastRow;
}

function isSame(a: ShopperRow, b: ShopperRow): boolean {
  return a.uid === b.uid && a.email === b.email && a.session === b.session && a.role === b.role;
}
