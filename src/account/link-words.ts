/** Explains `?link=` on the login screen. The link may have been to confirm an email or for a new password. */
export function loginWords(link: string | null): string | null {
  if (link === null) return null;
  return link === 'expired' ? `${EXPIRED} ${BOTH_KINDS}` : `The link did not work. ${BOTH_KINDS}`;
}

/** Explains `?link=` on the screen that sends links for a new password. */
export function recoveryWords(link: string | null): string | null {
  if (link === null) return null;
  return `${link === 'expired' ? EXPIRED : 'The link did not work.'} Ask for another one here.`;
}

const EXPIRED = 'The link has expired or was used already.';
const BOTH_KINDS =
  'If it was to confirm your email, try to sign in: it may be confirmed by now. If it is not, ' +
  'register once more to get another link. If it was for a new password, ask for another one ' +
  'under “Forgot your password?”.';
