import { whenIdle } from '../browser/when-idle.ts';
import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth/session.ts';
import { auth } from './auth.ts';
import { concludeLink } from './link-outcome.ts';
import { allowRecovery } from './recovery.ts';

/** The longest wait for an idle moment, and the pause in Safari, which cannot say when the tab is idle. */
const IDLE_WITHIN_MS = 5000;
const SAFARI_PAUSE_MS = 1000;

/**
 * Uses the tokens in the address that the page was opened at, at once. Without tokens it signs the shopper
 * in with the stored session when the tab is idle.
 *
 * @param onStorageError is called when the session store fails
 */
export function startAccount(href: string, onStorageError: (error: unknown) => void): void {
  const begin = () => startAuth(href).catch(onStorageError);
  if (linkTokens(href)) void begin();
  else void whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_WITHIN_MS }).then(begin);
}

async function startAuth(href: string): Promise<void> {
  const outcome = await auth.start(href, ask);
  if (outcome === 'recovery') {
    const shopper = await readShopper(connection.db);
    if (shopper) allowRecovery(shopper.uid, Date.now());
  }
  concludeLink(outcome);
}

/** If the script of the question does not arrive, the outcome is `offline`, and a reload tries again. */
async function ask(email: string): Promise<boolean> {
  const { askToSignIn } = await import('./link-question.tsx');
  return askToSignIn(email);
}
