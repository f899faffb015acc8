/**
 * Links from mails. The auth server checks such a link and redirects the browser to the shop, with
 * tokens or an error in the fragment: to `/` after a registration, to `/reset-password` after a
 * forgotten password (also to `/` when the project does not allow that address).
 */
import { createStore } from '../browser/store.ts';
import { notify } from '../ui/notices.ts';
import type { LinkOutcome } from '../remote/auth/link.ts';

/**
 * The path to open instead of the address that such a link opened; null where the address is right.
 * `?link=` tells the screen that can send another link why this one failed.
 */
export function addressWithoutTokens(href: string): string | null {
  const { pathname, hash } = new URL(href);
  const fragment = fragmentOf(href);
  if (fragment.has('error') || fragment.has('error_code')) {
    const screen = pathname === '/reset-password' ? '/forgot-password' : '/login';
    const isExpired = fragment.get('error_code') === 'otp_expired';
    return `${screen}?link=${isExpired ? 'expired' : 'failed'}`;
  }
  return isRecovery(href) && pathname !== '/reset-password' ? `/reset-password${hash}` : null;
}

/** Whether the address holds the tokens of a link for a new password. */
export function isRecovery(href: string): boolean {
  const fragment = fragmentOf(href);
  return fragment.get('type') === 'recovery' && fragment.has('access_token');
}

function fragmentOf(href: string): URLSearchParams {
  return new URLSearchParams(new URL(href).hash.slice(1));
}

/** `checking` while the tab waits for the auth server's answer about the tokens in the address. */
export type LinkState = LinkOutcome | 'checking';

export const linkStore = createStore<LinkState>('none');

/** Announces the outcome, and removes the tokens from the address unless a reload could try again. */
export function concludeLink(outcome: LinkOutcome): void {
  linkStore.set(outcome);
  if (outcome === 'none') return;
  if (outcome !== 'offline') {
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  if (location.pathname === '/reset-password') return; // that screen shows the outcome itself
  const [role, text] = WORDS[outcome];
  notify(role, text);
}

const WORDS = {
  'signed-in': ['status', 'Your email is confirmed and you are signed in.'],
  rejected: ['alert', 'The link no longer works. Your email may be confirmed: try to sign in.'],
  offline: [
    'alert',
    'Your email is confirmed, but signing in needs a connection. Reload to retry.',
  ],
  other: ['status', 'The email is confirmed. You are still signed in with another account.'],
} as const;
