import { connection } from './connection.ts';
import type { Deed } from './shopper-log.ts';
import { shopperStore } from './shopper-store.ts';

/** What came of a change that was asked for. */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

/** What writes changes: it comes with Dexie, after the first screen. */
type Log = typeof import('./shopper-log.ts');
/** Kept, because `import()` takes a turn of the page even for what is there already. */
let log: Promise<Log> | null = null;

const making = { newId: () => crypto.randomUUID(), now: () => new Date() };

/**
 * Makes changes in the name of the signed-in shopper, all or none. `done` means durable on this
 * phone; the sync takes it from there. `not-stored`: the phone's storage refused it.
 */
export function change(deed: Deed): Promise<ChangeOutcome> {
  return stored(async ({ readShopper, enqueue }) => {
    const uid = (await readShopper(connection.db))?.uid;
    return uid !== undefined && enqueue(connection.db, uid, deed, making);
  });
}

/** The same for a change that was refused once, by its id. */
export function changeAgain(refusedId: string): Promise<ChangeOutcome> {
  return stored(({ askAgain }) => askAgain(connection.db, refusedId, making));
}

async function stored(write: (log: Log) => Promise<boolean>): Promise<ChangeOutcome> {
  // Nobody is signed in here: nothing could come of waiting for the database.
  if (connection.kept === null && shopperStore.snapshot() === null) return 'signed-out';
  await connection.opened();
  try {
    log ??= import('./shopper-log.ts');
    const isDone = await write(await log);
    if (isDone) keepForGood();
    return isDone ? 'done' : 'signed-out';
  } catch (error) {
    connection.recoverFrom(error);
    if ((await import('./open.ts')).isStorageFailure(error)) return 'not-stored';
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
