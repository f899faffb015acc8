/**
 * Links from mails. The auth server checks such a link and redirects the browser to the shop, with a
 * code, tokens or an error in the address: to `/` after a registration, to `/reset-password` after a
 * forgotten password (also to `/` when the project does not allow that address).
 */
import { createStore } from '../browser/store.ts';
import type { LinkOutcome } from '../remote/auth/link.ts';

/**
 * The address to show in place of the one that such a link has opened; null where the opened address can stay. The
 * code moves from the query, which the router reads, to the fragment, which `startAccount` reads.
 */
export function addressForLink(href: string): string | null {
  const { pathname, search, searchParams, hash } = new URL(href);
  if (searchParams.has('code')) return `${pathname}#${search.slice(1)}`;
  // The auth server writes an error into both query and fragment.
  return searchParams.has('error') ? pathname + hash : null;
}

/** The parameters that a link from a mail has put into the URL's fragment; null without a code, tokens or an error. */
export function linkParameters(href: string): Readonly<Record<string, string>> | null {
  const fragment = new URLSearchParams(new URL(href).hash.slice(1));
  const isOfLink = ['code', 'access_token', 'error'].some((name) => fragment.get(name));
  return isOfLink ? Object.fromEntries(fragment) : null;
}

/** `checking` while the tab waits for the auth server's answer. */
export type LinkState = LinkOutcome | 'checking';

export const linkStore = createStore<LinkState>('none');

/**
 * Corrects the address that a link from a mail has opened. Runs before the router, which would remove
 * the code from it. Returns the address with the code, for `startAccount`.
 */
export function handleAuthRedirect(): string {
  const landing = addressForLink(location.href);
  if (landing !== null) history.replaceState(history.state, '', landing);
  const { href } = location;
  if (linkParameters(href)) linkStore.set('checking');
  return href;
}
