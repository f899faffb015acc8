import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth/session.ts';
import { auth } from './auth.ts';
import { concludeLink, isRecovery } from './link.ts';
import { allowRecovery } from './recovery.ts';

/** The longest wait for an idle moment. */
const IDLE_WITHIN_MS = 5000;

/**
 * Signs the shopper in with the tokens in the address that the page was opened at, at once; without
 * them, with the stored session, when the tab is idle.
 *
 * @param onStorageError is called when the session store fails
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
