import { connection } from './connection.ts';
import { isStorageFailure } from './open.ts';
import { askAgain, type Deed, enqueue, readShopper } from './shopper-log.ts';

/** What came of a change that was asked for. */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

const making = { newId: () => crypto.randomUUID(), now: () => new Date() };

/**
 * Makes changes in the name of the signed-in shopper, all or none. `done` means durable on this
 * phone; the sync takes it from there. `not-stored`: the phone's storage refused it.
 */
export function change(deed: Deed): Promise<ChangeOutcome> {
  return stored(async () => {
    const uid = (await readShopper(connection.db))?.uid;
    return uid !== undefined && enqueue(connection.db, uid, deed, making);
  });
}

/** The same for a change that was refused once, by its id. */
export function changeAgain(refusedId: string): Promise<ChangeOutcome> {
  return stored(() => askAgain(connection.db, refusedId, making));
}

async function stored(write: () => Promise<boolean>): Promise<ChangeOutcome> {
  try {
    const isDone = await write();
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
