import { whenIdle } from '../browser/when-idle.ts';
import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth/session.ts';
import { auth } from './auth.ts';
import { concludeLink } from './link-outcome.ts';
import { allowRecovery } from './recovery.ts';

/** The longest wait for an idle moment. */
const IDLE_WITHIN_MS = 5000;

/**
 * Looks at the tokens in the address that the page was opened at, at once; without them, signs the
 * shopper in with the stored session, when the tab is idle.
 *
 * @param onStorageError is called when the session store fails
 */
export function startAccount(href: string, onStorageError: (error: unknown) => void): void {
  const begin = () => take(href).catch(onStorageError);
  if (linkTokens(href)) void begin();
  else void whenIdle(1000, { timeout: IDLE_WITHIN_MS }).then(begin);
}

async function take(href: string): Promise<void> {
  const outcome = await auth.start(href, ask);
  if (outcome === 'recovery') {
    const shopper = await readShopper(connection.db);
    if (shopper) allowRecovery(shopper.uid, Date.now());
  }
  concludeLink(outcome);
}

/** Without the question's script nobody is signed in, and a reload tries again. */
async function ask(email: string): Promise<boolean> {
  const { askToSignIn } = await import('./link-question.tsx');
  return askToSignIn(email);
}
