import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-log.ts';
import { linkTokens } from '../remote/auth-session.ts';
import { auth } from './auth.ts';
import { concludeLink, isRecovery, landingOf, setLink } from './link.ts';
import { shopperKnown } from './queries.ts';
import { allowRecovery } from './recovery.ts';

/** The tokens in the address are taken up at once; a stored session when nothing else is to do. */
const IDLE_WITHIN_MS = 5000;

/**
 * Resolves when it is known who is signed in, from this device alone. Needs the open database and
 * runs before the router, because it may change the address. `onStorageError` hears of a store
 * that failed.
 */
export async function startAccount(onStorageError: (error: unknown) => void): Promise<void> {
  const landing = landingOf(location.href);
  if (landing !== null) history.replaceState(history.state, '', landing);
  const { href } = location;
  const begin = () => take(href).catch(onStorageError);
  if (linkTokens(href)) {
    setLink('checking');
    void begin();
  } else {
    whenIdle(() => void begin());
  }
  await shopperKnown();
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
