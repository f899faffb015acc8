/**
 * How screens add the shopper's changes to the outbox. The outbox needs Dexie, so its module is loaded after the
 * first screen. Taps wait for it; when the user leaves the page meanwhile, they go into `localStorage`.
 */
import type { Mutation } from '../domain/change.ts';
import { connection } from './connection.ts';
import type { ChangeOutcome } from './outbox.ts';
import { shopperStore } from './shopper-store.ts';
import { addWaiting, type Tap } from './waiting-taps.ts';

type Outbox = typeof import('./outbox.ts');
/** Cached, because `import()` is asynchronous even for a loaded module. */
let outbox: Outbox | null = null;

/** The user reads within a second that a change is not saved yet; a slow phone draws the notice in the remaining time. */
const PATIENCE_MS = 600;

const waiting = new Set<Tap>();

// When the user leaves the page, the browser may drop writes that have not ended. Tests have no `addEventListener`.
globalThis.addEventListener?.('pagehide', () => waiting.forEach(addWaiting));

let announceWait: (wait: 'long' | 'over') => void = () => undefined;

/** Sets the listener for waiting taps: `long` when one has waited for `PATIENCE_MS`, `over` when none waits any more. */
export function onWait(listener: (wait: 'long' | 'over') => void): void {
  announceWait = listener;
}

/**
 * Adds the signed-in shopper's changes to the outbox, all or none.
 *
 * @param id only for a tap from before the login, which has its id already: of the single change that `mutation`
 *   makes. The server applies it once, however often this is called.
 */
export async function enqueue(mutation: Mutation, id?: string): Promise<ChangeOutcome> {
  const view = shopperStore.snapshot();
  if (view === null) return 'signed-out';
  const tap: Tap = { view, mutation, ids: id === undefined ? [] : [id], isInLocalStorage: false };
  waiting.add(tap);
  let isAnnounced = false;
  const timer = setTimeout(() => {
    isAnnounced = true;
    announceWait('long');
  }, PATIENCE_MS);
  const outcome = await inOutbox(({ enqueueTap }) => enqueueTap(tap));
  clearTimeout(timer);
  waiting.delete(tap);
  if (outcome === 'done' && isAnnounced && waiting.size === 0) announceWait('over');
  return outcome;
}

/** Deletes a rejected change whose reason the shopper has seen. */
export function dismiss(rejectedId: string): Promise<ChangeOutcome> {
  return inOutbox(({ dismissRejected }) => dismissRejected(rejectedId));
}

/** Failures are reported. */
async function inOutbox(write: (outbox: Outbox) => Promise<ChangeOutcome>): Promise<ChangeOutcome> {
  try {
    await connection.opened();
    // In the chunk that has opened the database, so this needs no network.
    outbox ??= await import('./outbox.ts');
    const outcome = await write(outbox);
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
