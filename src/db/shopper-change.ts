import type { ChangeAction } from '../domain/change.ts';
import { connection } from './connection.ts';
import { isStorageFailure } from './open.ts';
import { enqueue } from './shopper-log.ts';
import { shopperStore } from './shopper-store.ts';

/** What came of a change that was asked for. */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

/**
 * Makes changes in the name of the signed-in shopper, all or none. `done` means durable on this
 * phone; the sync takes it from there. `not-stored`: the phone's storage refused it.
 */
export async function change(actions: readonly ChangeAction[]): Promise<ChangeOutcome> {
  const uid = shopperStore.snapshot()?.shopper.uid;
  if (uid === undefined) return 'signed-out';
  try {
    const isDone = await enqueue(connection.db, uid, actions, {
      newId: () => crypto.randomUUID(),
      now: () => new Date(),
    });
    if (isDone) keepForGood();
    return isDone ? 'done' : 'signed-out';
  } catch (error) {
    connection.recoverFrom(error);
    if (isStorageFailure(error)) return 'not-stored';
    throw error;
  }
}

let wasAsked = false;

/** Asks the browser, after the first change, not to clear this site when space runs short. */
function keepForGood(): void {
  if (wasAsked) return;
  wasAsked = true;
  // Safari clears a site that was not visited for seven days; a refusal changes nothing for us.
  void navigator.storage?.persist?.().catch(() => false);
}
