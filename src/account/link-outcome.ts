import type { LinkOutcome } from '../remote/auth/link.ts';
import { type NoticeAction, notify } from '../ui/notices.ts';
import { linkStore } from './link.ts';

/**
 * Tells the user the outcome of the tokens in the page's URL, and removes them from the URL unless a reload
 * could try again.
 */
export function concludeLink(outcome: LinkOutcome): void {
  linkStore.set(outcome);
  if (outcome === 'none') return;
  if (outcome !== 'offline') {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  // The screen for a new password shows the outcome itself, and a user who has declined needs no notice.
  if (location.pathname === '/reset-password' || outcome === 'declined') return;
  if (outcome === 'recovery') {
    location.replace('/reset-password');
    return;
  }
  const [role, text, action] = WORDS[outcome];
  notify(role, text, action);
}

const SIGN_IN: NoticeAction = { label: 'Sign in', href: '/login' };

type Words = readonly [role: 'status' | 'alert', text: string, action?: NoticeAction];

const WORDS: Readonly<Record<Exclude<LinkOutcome, 'none' | 'declined' | 'recovery'>, Words>> = {
  confirmed: ['status', 'Your email is confirmed. Sign in with your password.', SIGN_IN],
  elsewhere: [
    'alert',
    'Your link was asked for in another browser. If it was to confirm your email, that is done: sign in with your password.',
    SIGN_IN,
  ],
  rejected: ['alert', 'The link no longer works. Your email may be confirmed: try to sign in.'],
  offline: ['alert', 'The link could not be checked without a connection. Reload to retry.'],
  other: ['status', 'The email is confirmed. You are still signed in with another account.'],
};
