/**
 * Drops the data of an account that its owner has deleted, maybe on another phone. The auth service
 * ends the session of such an account as it ends others, so the shop is asked which of the two it is:
 * after a lost session, or one that a restored backup does not know, what waits must stay.
 */
import { onWakeUp } from '../browser/page-events.ts';
import type { FailureBudget } from '../domain/failure.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { notify } from '../ui/notices.ts';
import { forgetAccount, wasDeleted } from './mutations.ts';

/** Asks once when a session has ended; where no answer came, when the network or the shopper is back. */
export function followDeletions(budget: FailureBudget): void {
  let asked: string | null = null;
  let isAnswered = true;

  async function look(): Promise<void> {
    const shopper = shopperStore.snapshot()?.shopper;
    if (shopper?.session !== 'ended') asked = null;
    else if (shopper.uid !== asked) await ask(shopper.uid);
  }

  async function ask(uid: string): Promise<void> {
    asked = uid;
    isAnswered = false;
    if (!budget.take('background')) return;
    const answer = await wasDeleted(uid);
    budget.settle(!answer.ok);
    isAnswered = answer.ok;
    if (!answer.ok || !answer.value) return;
    await forgetAccount(uid);
    notify('status', 'This account was deleted. Nothing of it is left on this device.');
  }

  shopperStore.subscribe(() => void look());
  onWakeUp(() => {
    if (!isAnswered) asked = null;
    void look();
  });
  void look();
}
