import { whenIdle } from '../browser/when-idle.ts';
import { connection } from '../db/connection.ts';
import { readShopper } from '../db/shopper-data.ts';
import type { LinkOutcome } from '../remote/auth/link.ts';
import { type NoticeAction, notify } from '../ui/notices.ts';
import { auth } from './auth.ts';
import { linkParameters, linkStore } from './link.ts';
import { allowRecovery } from './recovery.ts';

/** The longest wait for the tab to be idle. */
const IDLE_TIMEOUT_MS = 5000;
/** The wait in Safari, which does not tell when a tab is idle. */
const SAFARI_PAUSE_MS = 1000;

/**
 * Uses the link that the page was opened with. Without a link it waits until the tab is idle,
 * and then signs the shopper in with the stored session.
 *
 * @param onStorageError is called when the session store fails
 */
export function startAccount(href: string, onStorageError: (error: unknown) => void): void {
  const link = linkParameters(href);
  const begin = () => startAuth(link).catch(onStorageError);
  if (link) void begin();
  else void whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS }).then(begin);
}

async function startAuth(link: ReturnType<typeof linkParameters>): Promise<void> {
  const outcome = await auth.start(link);
  if (outcome === 'recovery') {
    const shopper = await readShopper(connection.db);
    if (shopper) allowRecovery(shopper.uid, Date.now());
  }
  concludeLink(outcome);
}

/**
 * Tells the user the outcome of a link, and removes its code from the URL unless a reload
 * could try again.
 */
function concludeLink(outcome: LinkOutcome): void {
  linkStore.set(outcome);
  if (outcome === 'none') return;
  if (outcome !== 'offline') {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  // The screen for a new password shows the outcome itself.
  if (location.pathname === '/reset-password') return;
  if (outcome === 'recovery') {
    // The link led to `/`, because the project does not allow this address.
    location.replace('/reset-password');
    return;
  }
  const [role, text, action] = WORDS[outcome];
  notify(role, text, action);
}

const LOG_IN: NoticeAction = { label: 'Log in', href: '/login' };

type Words = readonly [role: 'status' | 'alert', text: string, action?: NoticeAction];

const WORDS: Readonly<Record<Exclude<LinkOutcome, 'none' | 'recovery'>, Words>> = {
  confirmed: ['status', 'Your email is confirmed. Log in with your password.', LOG_IN],
  elsewhere: [
    'alert',
    'You asked for this link in another browser. If it was a confirmation link, it worked: log in with your password.',
    LOG_IN,
  ],
  rejected: [
    'alert',
    'This link has expired or was already used. Your email may be confirmed already: try logging in.',
    LOG_IN,
  ],
  offline: ['alert', 'You’re offline, so we couldn’t check your link. Reload to try again.'],
  other: ['status', 'That email is confirmed. You’re still logged in with another account.'],
};
