/**
 * How PayPal's page is shown, and whether it has led back here. The installed app on iOS opens no
 * second window that could report back, so PayPal's page takes the place of the checkout there.
 */

/** Whether this is the installed app on iOS: only Safari has the property. */
const IS_IOS_APP = 'standalone' in navigator && navigator.standalone === true;

export const PRESENTATION: 'redirect' | 'auto' = IS_IOS_APP ? 'redirect' : 'auto';

/**
 * Whether this page may be the one that PayPal leads back to. Only PayPal's SDK knows which parameters of the
 * address are PayPal's; the shop's own links to the checkout have no parameter but `order`.
 */
export function mayResumePayPal(): boolean {
  const names = [...new URLSearchParams(location.search).keys()];
  return IS_IOS_APP && names.some((name) => name !== 'order');
}
