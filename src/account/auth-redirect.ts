import { linkTokens } from '../remote/auth/session.ts';
import { addressWithoutTokens, linkStore } from './link.ts';

/**
 * Puts the address right that a link from a mail may have led to. Runs before the router, which
 * would take the tokens in it away; answers the address that `startAccount` takes them from.
 */
export function handleAuthRedirect(): string {
  const landing = addressWithoutTokens(location.href);
  if (landing !== null) history.replaceState(history.state, '', landing);
  const { href } = location;
  if (linkTokens(href)) linkStore.set('checking');
  return href;
}
