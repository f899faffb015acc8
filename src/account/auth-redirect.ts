import { linkTokens } from '../remote/auth/session.ts';
import { addressForLink, linkStore } from './link.ts';

/**
 * Corrects the address that a link from a mail has opened. Runs before the router, which would remove
 * the tokens from it. Returns the address with the tokens, for `startAccount`.
 */
export function handleAuthRedirect(): string {
  const landing = addressForLink(location.href);
  if (landing !== null) history.replaceState(history.state, '', landing);
  const { href } = location;
  if (linkTokens(href)) linkStore.set('checking');
  return href;
}
