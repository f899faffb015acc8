/** Explains `?link=` on the login screen. The link may have been to confirm an email or for a new password. */
export function loginWords(link: string | null): string | null {
  if (link === null) return null;
  return link === 'expired' ? `${EXPIRED} ${BOTH_KINDS}` : `This link didn’t work. ${BOTH_KINDS}`;
}

/** Explains `?link=` on the screen that sends links for a new password. */
export function recoveryWords(link: string | null): string | null {
  if (link === null) return null;
  return `${link === 'expired' ? EXPIRED : 'This link didn’t work.'} Get a new one here.`;
}

const EXPIRED = 'This link has expired or was already used.';
const BOTH_KINDS =
  'Try logging in: your email may already be confirmed. If it isn’t, sign up again for a new link. ' +
  'To choose a new password, use “Forgot your password?”.';
