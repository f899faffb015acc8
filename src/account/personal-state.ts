import { shopperStore } from '../db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../ui/notices.ts';
import { matchesKey } from './personal-keys.ts';
import { endRecovery } from './recovery.ts';
import { viewedKey } from '../ui/viewed.ts';

/**
 * Takes away what belonged to a shopper when that shopper logs out or another one signs in, here or in
 * another tab. This tab dismisses an Undo, which names what the shopper removed. The device deletes the matches
 * of columns from the shopper's imports, and the list of viewed products.
 */
export function forgetStateOfOthers(): void {
  let last = shopperStore.snapshot()?.shopper.uid;
  shopperStore.subscribe(() => {
    const now = shopperStore.snapshot()?.shopper.uid;
    // Undefined: the notice is for any user. Null: it is for a visitor who is not signed in.
    const offeredTo = noticeStore.snapshot()?.action?.uid;
    if (offeredTo !== undefined && offeredTo !== (now ?? null)) dismissNotice();
    // Only at a logout: the permission to choose a new password holds for no other shopper anyway.
    if (shopperStore.snapshot() === null) endRecovery();
    if (last !== undefined && last !== now) {
      matchesKey.clear();
      viewedKey.clear();
    }
    last = now;
  });
}
