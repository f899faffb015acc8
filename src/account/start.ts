import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth/session.ts';
import { auth } from './auth.ts';
import { concludeLink, isRecovery } from './link.ts';
import { allowRecovery } from './recovery.ts';

/** The tokens in the address are taken up at once; a stored session when nothing else is to do. */
const IDLE_WITHIN_MS = 5000;

/**
 * Takes up the session, from the address that the page was opened at or from the open database.
 * `onStorageError` hears of a store that failed.
 */
export function startAccount(href: string, onStorageError: (error: unknown) => void): void {
  const begin = () => take(href).catch(onStorageError);
  if (linkTokens(href)) void begin();
  else whenIdle(() => void begin());
}

async function take(href: string): Promise<void> {
  const outcome = await auth.start(href);
  if (outcome === 'signed-in' && isRecovery(href)) {
    const shopper = await readShopper(connection.db);
    if (shopper) allowRecovery(shopper.uid, Date.now());
  }
  concludeLink(outcome);
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, 1000);
}
