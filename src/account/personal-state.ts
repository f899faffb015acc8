import { shopperStore } from '../db/shopper-store.ts';
import { dismissNotice, noticeStore } from '../ui/notices.ts';
import { endRecovery } from './recovery.ts';

/**
 * Takes from this tab what belonged to a shopper who has logged out or signed in as another, here or in
 * another tab: an Undo that names what they removed, and the leave to choose a new password.
 */
export function forgetStateOfOthers(): void {
  shopperStore.subscribe(() => {
    const shopper = shopperStore.snapshot();
    const uid = noticeStore.snapshot()?.action?.uid;
    if (uid && uid !== shopper?.shopper.uid) dismissNotice();
    if (shopper === null) endRecovery();
  });
}
