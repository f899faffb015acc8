/**
 * Drops the data of an account that its owner has deleted, perhaps on another phone. This phone sees only that
 * the session has ended. A session may also end for other reasons, and then the changes that wait for the next
 * sign-in must stay. So the tab asks the shop whether the account was deleted.
 */
import { onWakeUp } from '../browser/page-events.ts';
import type { FailureBudget } from '../domain/failure.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { notify } from '../ui/notices.ts';
import { forgetAccount, STILL_HERE, wasDeleted } from './mutations.ts';

/**
 * Asks when a session has ended. While the shop has not answered, asks again whenever the network or the
 * shopper comes back.
 */
export function followDeletions(budget: FailureBudget): void {
  /** The account about which this tab has asked; null when it has yet to ask, or to ask again. */
  let askedUid: string | null = null;
  /** Whether the last question got no answer; false while the tab waits for one. */
  let hasFailed = false;

  async function askIfEnded(): Promise<void> {
    const shopper = shopperStore.snapshot()?.shopper;
    if (shopper?.session !== 'ended') askedUid = null;
    else if (shopper.uid !== askedUid) await ask(shopper.uid);
  }

  async function ask(uid: string): Promise<void> {
    askedUid = uid;
    hasFailed = !budget.take('background');
    if (hasFailed) return;
    const answer = await wasDeleted(uid);
    budget.settle(!answer.ok);
    hasFailed = !answer.ok;
    if (!answer.ok || !answer.value) return;
    const isForgotten = await forgetAccount(uid);
    // Another shopper who has signed in meanwhile would take the notice to be about their own account.
    const shownUid = shopperStore.snapshot()?.shopper.uid;
    if (shownUid !== undefined && shownUid !== uid) return;
    if (isForgotten) {
      notify('status', 'This account was deleted. Nothing of it is left on this device.');
    } else notify('alert', `This account was deleted. ${STILL_HERE}`);
  }

  shopperStore.subscribe(() => void askIfEnded());
  onWakeUp(() => {
    if (hasFailed) askedUid = null;
    void askIfEnded();
  });
  void askIfEnded();
}
