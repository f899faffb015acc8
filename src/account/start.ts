import { whenIdle } from '../browser/when-idle.ts';
import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth/session.ts';
import { auth } from './auth.ts';
import { concludeLink } from './link-outcome.ts';
import { allowRecovery } from './recovery.ts';

/** The longest wait for the tab to be idle. */
const IDLE_TIMEOUT_MS = 5000;
/** The wait in Safari, which does not tell when a tab is idle. */
const SAFARI_PAUSE_MS = 1000;

/**
 * Uses the tokens in the address that the page was opened at. Without tokens it waits until the tab is idle,
 * and then signs the shopper in with the stored session.
 *
 * @param onStorageError is called when the session store fails
 */
export function startAccount(href: string, onStorageError: (error: unknown) => void): void {
  const begin = () => startAuth(href).catch(onStorageError);
  if (linkTokens(href)) void begin();
  else void whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS }).then(begin);
}

async function startAuth(href: string): Promise<void> {
  const outcome = await auth.start(href, ask);
  if (outcome === 'recovery') {
    const shopper = await readShopper(connection.db);
    if (shopper) allowRecovery(shopper.uid, Date.now());
  }
  concludeLink(outcome);
}

/** If the dialog's script does not arrive, the outcome is `offline`, and a reload tries again. */
async function ask(email: string): Promise<boolean> {
  const { askToSignIn } = await import('./link-question.tsx');
  return askToSignIn(email);
}
