/**
 * Drops the data of an account that its owner has deleted, perhaps on another phone. This phone sees only that
 * the session has ended. A session may also end for other reasons, and then the changes that wait for the next
 * sign-in must stay. So the tab asks the shop whether the account was deleted.
 */
import { onWakeUp } from '../browser/page-events.ts';
import { pageTiming } from '../browser/page-timing.ts';
import { pollEvery, type PollOutcome } from '../browser/poll.ts';
import type { FailureBudget } from '../domain/failure.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { notify } from '../ui/notices.ts';
import { forgetAccount, STILL_HERE, wasDeleted } from './mutations.ts';

/**
 * Asks when a session has ended. While the shop has not answered, asks again after a pause, and whenever the
 * network or the shopper comes back.
 */
export function followDeletions(budget: FailureBudget): void {
  /** The account about which the shop has answered this tab since the session ended. */
  let answeredUid: string | null = null;

  async function ask(): Promise<PollOutcome> {
    const shopper = shopperStore.snapshot()?.shopper;
    if (shopper?.session !== 'ended') answeredUid = null;
    if (shopper?.session !== 'ended' || shopper.uid === answeredUid) return 'done';
    const { uid } = shopper;
    if (!budget.take('background')) return 'no-room';
    const answer = await wasDeleted(uid);
    budget.settle(!answer.ok);
    if (!answer.ok) return 'failed';
    answeredUid = uid;
    if (answer.value) await forget(uid);
    return 'done';
  }

  const { wake } = pollEvery(ask, Infinity, pageTiming);
  shopperStore.subscribe(wake);
  onWakeUp(wake);
}

async function forget(uid: string): Promise<void> {
  const isForgotten = await forgetAccount(uid);
  // Another shopper who has signed in meanwhile would take the notice to be about their own account.
  const shownUid = shopperStore.snapshot()?.shopper.uid;
  if (shownUid !== undefined && shownUid !== uid) return;
  if (isForgotten) {
    notify('status', 'This account was deleted. Nothing of it is left on this device.');
  } else notify('alert', `This account was deleted. ${STILL_HERE}`);
}
