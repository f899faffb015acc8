import { connection } from './connection.ts';
import type { Mutation } from './shopper-log.ts';
import type { Tap } from './late-change.ts';
import { shopperStore } from './shopper-store.ts';
import type { ChangeOutcome } from './write-change.ts';

/** Loaded after the first screen, because it needs Dexie. */
type Writer = typeof import('./write-change.ts');
/** Cached, because `import()` is asynchronous even for a loaded module. */
let writer: Writer | null = null;

/** The user reads within a second that a change waits; the remaining 200 ms are for drawing the notice. */
const PATIENCE_MS = 800;

let announceLate: (isKept: boolean) => void = () => undefined;

/** Sets the listener for a change that waits for IndexedDB. `isKept`: `localStorage` has it meanwhile. */
export function onLateChange(listener: (isKept: boolean) => void): void {
  announceLate = listener;
}

/**
 * Adds the signed-in shopper's changes to the outbox, all or none.
 *
 * @param deferredId only for a tap from before the login: the id of the single change that `mutation` makes.
 *   A second call with the same id changes nothing.
 */
export async function change(mutation: Mutation, deferredId?: string): Promise<ChangeOutcome> {
  const view = shopperStore.snapshot();
  const ids = deferredId === undefined ? [] : [deferredId];
  const tap: Tap = { view, mutation, ids, isKept: false, isDeferred: ids.length > 0 };
  let isOver = false;
  const keepIfLate = async () => {
    if (isOver) return;
    const { keepLate } = await import('./late-change.ts');
    if (!isOver) announceLate(keepLate(tap));
  };
  setTimeout(() => void keepIfLate(), PATIENCE_MS);
  const outcome = await runWriter(({ writeChange }) => writeChange(tap));
  isOver = true;
  return outcome;
}

/** Puts a rejected change back into the outbox. */
export function changeAgain(rejectedId: string): Promise<ChangeOutcome> {
  return runWriter(({ writeAgain }) => writeAgain(rejectedId));
}

/** Deletes a rejected change whose reason the shopper has seen. */
export function dismiss(rejectedId: string): Promise<ChangeOutcome> {
  return runWriter(({ writeDismissal }) => writeDismissal(rejectedId));
}

/** Waits for the database, and lets the writer write. Failures are reported. */
async function runWriter(
  write: (writer: Writer) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  // Nobody is signed in, so nothing would be written once the database has opened.
  if (connection.kept === null && shopperStore.snapshot() === null) return 'signed-out';
  try {
    await connection.opened();
    writer ??= await import('./write-change.ts');
    const outcome = await write(writer);
    if (outcome === 'done') askToPersist();
    return outcome;
  } catch (error) {
    reportError(error);
    return 'not-stored';
  }
}

let wasAsked = false;

/** Asks the browser, once after the first change, not to clear this site when space runs short. */
function askToPersist(): void {
  if (wasAsked) return;
  wasAsked = true;
  // Safari clears a site that was not visited for seven days. If the browser declines, nothing changes.
  void navigator.storage?.persist?.().catch(() => false);
}
