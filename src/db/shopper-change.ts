import { connection } from './connection.ts';
import type { Mutation } from './shopper-log.ts';
import type { Tap } from './late-change.ts';
import { shopperStore } from './shopper-store.ts';

/** What came of a change that was asked for. It is never rejected: each is to be told in words. */
export type ChangeOutcome = 'done' | 'signed-out' | 'not-stored';

/** What writes changes: it comes with Dexie, after the first screen. */
type Writer = typeof import('./write-change.ts');
/** Kept, because `import()` takes a turn of the page even for what is there already. */
let writer: Writer | null = null;

/** Whoever taps is told what holds it up after this time: within a second, drawing included. */
const PATIENCE_MS = 800;

let announceLate: (isKept: boolean) => void = () => undefined;

/** Calls back when a change waits for the storage. `isKept`: it outlives this page meanwhile. */
export function onLateChange(tell: (isKept: boolean) => void): void {
  announceLate = tell;
}

/**
 * Makes changes in the name of the signed-in shopper, all or none. `done` means durable on this
 * phone; the sync takes it from there. `not-stored`: the phone did not keep it.
 */
export async function change(mutation: Mutation): Promise<ChangeOutcome> {
  const tap: Tap = { view: shopperStore.snapshot(), mutation, ids: [], isKept: false };
  let isOver = false;
  const keep = async () => {
    if (isOver) return;
    const { keepLate } = await import('./late-change.ts');
    if (!isOver) announceLate(keepLate(tap));
  };
  setTimeout(() => void keep(), PATIENCE_MS);
  const outcome = await stored(({ writeChange }) => writeChange(tap));
  isOver = true;
  return outcome;
}

/** The same for a change that was rejected once, by its id. */
export function changeAgain(rejectedId: string): Promise<ChangeOutcome> {
  return stored(({ writeAgain }) => writeAgain(rejectedId));
}

/** The shopper has seen why it was rejected: it is over. */
export function dismiss(rejectedId: string): Promise<ChangeOutcome> {
  return stored(({ writeDismissal }) => writeDismissal(rejectedId));
}

async function stored(write: (writer: Writer) => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
  // Nobody is signed in here: nothing could come of waiting for the database.
  if (connection.kept === null && shopperStore.snapshot() === null) return 'signed-out';
  try {
    await connection.opened();
    writer ??= await import('./write-change.ts');
    const outcome = await write(writer);
    if (outcome === 'done') keepForGood();
    return outcome;
  } catch (error) {
    reportError(error);
    return 'not-stored';
  }
}

let wasAsked = false;

/** Asks the browser, after the first change, not to clear this site when space runs short. */
function keepForGood(): void {
  if (wasAsked) return;
  wasAsked = true;
  // Safari clears a site that was not visited for seven days; a rejection changes nothing for us.
  void navigator.storage?.persist?.().catch(() => false);
}
