import { sessionKey, takeText } from '../../ui/storage-key.ts';

/**
 * Remembers, for this tab, which order it left for a payment page. Whoever comes back to the
 * checkout and not to the success page has not paid there, as far as this tab can tell. A browser
 * that keeps nothing says nothing about it on the way back.
 */
const key = sessionKey('left-for-payment');

export function leaveForPayment(orderId: string, url: string): void {
  key.write(orderId);
  location.assign(url);
}

/** The order that this tab left to pay, once; null when it did not. */
export function takeLeftOrder(): string | null {
  return takeText(key);
}
